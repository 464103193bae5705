//! Odometry over whole laps, against the truth.

use std::sync::Arc;
use std::time::Duration;

use nalgebra::{Matrix3, Vector3};

use sim_api::domain::SimTime;
use sim_api::robot::fusion::OdomEstimate;
use sim_api::robot::laser_odom::LaserEstimate;
use sim_api::robot::odometry::{Odometer, OdometryOptions};
use sim_api::robot::planar::{Planar, wrap};
use sim_api::robot::scan_filter;

use super::course::{self, Noise, Truth, Walls};
use crate::support::vehicle;

pub const FIRST: SimTime = SimTime::from_nanos(100_000_000_000);

/// Which sensors there are.
#[derive(Debug, Clone, Copy)]
pub struct Sensors {
    pub lidar: bool,
    pub gyro: bool,
    pub gyro_bias: f64,
}

pub const ALL: Sensors = Sensors { lidar: true, gyro: true, gyro_bias: 0.0 };

/// A car on its way through walls, with odometry on board.
pub struct Ride {
    pub odometer: Odometer,
    pub walls: Walls,
    pub base_from_lidar: Planar,
    pub noise: Noise,
    pub sensors: Sensors,
    pub fused: Vec<OdomEstimate>,
    pub laser: Vec<LaserEstimate>,
    pub busy: Duration,
    pub slowest: Duration,
}

impl Ride {
    pub fn new(walls: Walls, sensors: Sensors, seed: u64) -> Self {
        Self::with_lidar_at(Planar::ZERO, walls, sensors, seed)
    }

    pub fn with_lidar_at(base_from_lidar: Planar, walls: Walls, sensors: Sensors, seed: u64) -> Self {
        Self {
            odometer: Odometer::new(OdometryOptions::new(&vehicle(), base_from_lidar)),
            walls,
            base_from_lidar,
            noise: Noise::new(seed),
            sensors,
            fused: Vec::new(),
            laser: Vec::new(),
            busy: Duration::ZERO,
            slowest: Duration::ZERO,
        }
    }

    /// Lives through these states: the gyro at 50 Hz, the lidar at 10 Hz, the clock at 200 Hz.
    pub fn live(&mut self, states: &[Truth]) {
        for truth in states {
            let millis = truth.stamp.nanos() / 1_000_000;
            if self.sensors.gyro && millis % 20 == 0 {
                self.odometer.gyro(course::gyro(truth, self.sensors.gyro_bias, &mut self.noise));
            }
            if self.sensors.lidar && millis % 100 == 0 {
                let mut scan = self.walls.scan(truth.stamp, truth.pose.then(self.base_from_lidar), &mut self.noise);
                let started = cpu_time();
                scan_filter::filter(&mut scan);
                let job = self.odometer.scan(Arc::new(scan)).expect("the scan is new");
                let done = self.odometer.matched(job.run());
                let took = cpu_time().saturating_sub(started);
                self.slowest = self.slowest.max(took);
                self.busy += took;
                self.laser.extend(done);
            }
            if millis % 5 == 0 {
                self.fused.extend(self.odometer.tick(truth.stamp));
            }
        }
    }

    pub fn pose(&self) -> Planar {
        self.fused.last().expect("it lived").pose
    }
}

/// What this thread has computed so far; the machine may be busy with other things meanwhile.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// How far the last pose is off, in metres and radians, seen from the start of the drive.
pub fn drift(ride: &Ride, states: &[Truth]) -> (f64, f64) {
    let last = ride.fused.last().expect("it lived");
    let index = (last.stamp.nanos() - states[0].stamp.nanos()) / course::STEP_NANOS;
    let true_motion = states[0].pose.to(states[index as usize].pose);
    let error = true_motion.to(last.pose);
    (error.distance(), error.yaw.abs())
}

#[test]
fn one_lap_at_one_metre_per_second_drifts_less_than_promised() {
    let courses =
        [(Planar::new(-0.9, -1.3, 0.0), course::rounded_rectangle()), (Planar::new(0.0, -0.8, 0.0), course::eight())];
    for (start, parts) in courses {
        let states = course::drive(start, &parts, FIRST);
        let way = states.last().unwrap().way_m;
        for seed in 1..=8 {
            let mut ride = Ride::new(Walls::fence(), ALL, seed);
            ride.live(&states);
            let (metres, radians) = drift(&ride, &states);
            let scans = ride.laser.len() as u32;
            println!(
                "{way:.1} m, seed {seed}: {:.1} mm, {:.3} deg; {:?} per scan, slowest {:?}",
                metres * 1e3,
                radians.to_degrees(),
                ride.busy / scans,
                ride.slowest
            );
            assert!(metres < 0.02 * way, "seed {seed}: {metres} m after {way} m");
            assert!(radians.to_degrees() < 3.0, "seed {seed}: {radians} rad");
        }
    }
}

#[test]
fn fused_covariance_says_how_far_a_lap_drifts() {
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    let (mut normalised, mut laser_normalised) = (0.0, 0.0);
    const RUNS: u32 = 30;
    for seed in 100..100 + u64::from(RUNS) {
        let mut ride = Ride::new(Walls::fence(), ALL, seed);
        ride.live(&states);
        let fused = ride.fused.last().unwrap();
        normalised += surprise(&states, fused.stamp, fused.pose, &fused.covariance);
        let laser = ride.laser.last().unwrap();
        laser_normalised += surprise(&states, laser.stamp, laser.pose, &laser.covariance);
    }
    let (fused, laser) = (normalised / f64::from(RUNS), laser_normalised / f64::from(RUNS));
    println!("normalised squared error of 3: fused {fused:.2}, laser {laser:.2}");
    assert!((0.5..6.0).contains(&fused), "{fused}");
    assert!((0.5..6.0).contains(&laser), "{laser}");
}

/// The squared error divided by its stated variance.
fn surprise(states: &[Truth], stamp: SimTime, pose: Planar, covariance: &Matrix3<f64>) -> f64 {
    let index = (stamp.nanos() - states[0].stamp.nanos()) / course::STEP_NANOS;
    let truth = states[0].pose.to(states[index as usize].pose);
    let error = Vector3::new(pose.x - truth.x, pose.y - truth.y, wrap(pose.yaw - truth.yaw));
    (error.transpose() * covariance.try_inverse().expect("the covariance is one") * error)[0]
}

#[test]
fn gyro_bias_is_found_out() {
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    let mut ride = Ride::new(Walls::fence(), Sensors { gyro_bias: 0.01, ..ALL }, 3);
    ride.live(&states);
    let (metres, radians) = drift(&ride, &states);
    assert!(metres < 0.03 && radians < 0.02, "{metres} m, {radians} rad");
}

#[test]
fn without_gyro_the_scans_suffice() {
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    for seed in 1..=3 {
        let mut ride = Ride::new(Walls::fence(), Sensors { gyro: false, ..ALL }, seed);
        ride.live(&states);
        let (metres, radians) = drift(&ride, &states);
        println!("no gyro: {metres} m, {radians} rad");
        assert!(metres < 0.2 && radians.to_degrees() < 3.0, "{metres} m, {radians} rad");
    }
}

#[test]
fn without_lidar_heading_comes_from_the_gyro_and_the_way_from_the_ordered_speed() {
    let states = course::drive(Planar::ZERO, &course::rounded_rectangle(), FIRST);
    let mut ride = Ride::new(Walls::none(), Sensors { lidar: false, ..ALL }, 1);
    ride.live(&states[..1000]);
    ride.odometer.order_speed(1.0);
    ride.live(&states[1000..]);
    let (metres, radians) = drift(&ride, &states);
    println!("no lidar: {metres} m, {radians} rad");
    assert!(metres < 1.0 && radians < 0.05, "{metres} m, {radians} rad");
    let claimed = ride.fused.last().unwrap().covariance;
    assert!(claimed[(0, 0)].sqrt() > 0.2, "and it says so: {claimed}");
}

#[test]
fn open_field_is_like_no_lidar_and_walls_are_used_again_when_they_come() {
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    let mut ride = Ride::new(Walls::fence(), ALL, 1);
    ride.live(&states[..4000]);
    ride.odometer.order_speed(1.0);
    ride.walls = Walls::none();
    ride.live(&states[4000..5000]);
    ride.walls = Walls::fence();
    ride.live(&states[5000..]);
    let (metres, radians) = drift(&ride, &states);
    println!("a second without walls: {metres} m, {radians} rad");
    assert!(metres < 0.2 && radians < 0.05, "{metres} m, {radians} rad");
}

#[test]
fn lidar_may_sit_off_the_centre_and_look_backwards() {
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    let mut ride = Ride::with_lidar_at(Planar::new(0.08, -0.03, 3.0), Walls::fence(), ALL, 1);
    ride.live(&states);
    let (metres, radians) = drift(&ride, &states);
    assert!(metres < 0.03 && radians < 0.02, "{metres} m, {radians} rad");
}

#[test]
fn passing_car_is_not_mistaken_for_own_motion() {
    let mut ride = Ride::new(Walls::fence(), ALL, 1);
    for k in 0..40_i64 {
        // A wide one, half a metre beside us, at 1 m/s.
        ride.walls = Walls::fence();
        ride.walls.rectangle(Planar::new(-2.0 + 0.1 * k as f64, -1.8, 0.0), 0.6, 0.3);
        let stamp = |millis: i64| SimTime::from_nanos(FIRST.nanos() + (100 * k + millis) * course::STEP_NANOS);
        let pose = Planar::new(-0.9, -1.3, 0.0);
        let states: Vec<_> = (0..100).map(|k| Truth { stamp: stamp(k), pose, ..Truth::default() }).collect();
        ride.live(&states);
    }
    assert!(ride.pose().distance() < 0.01 && ride.pose().yaw.abs() < 0.01, "{:?}", ride.pose());
}
