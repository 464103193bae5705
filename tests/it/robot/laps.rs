//! Odometry over whole laps, against the truth.

use std::time::Duration;

use sim_api::domain::SimTime;
use sim_api::robot::fusion::OdomEstimate;
use sim_api::robot::laser_odom::LaserEstimate;
use sim_api::robot::odometry::{Odometer, OdometryOptions};
use sim_api::robot::planar::Planar;
use sim_api::robot::scan_filter;

use super::course::{self, Noise, Truth, Walls};
use crate::support::vehicle;

pub const FIRST: SimTime = SimTime::from_nanos(100_000_000_000);

/// Which sensors there are.
#[derive(Clone, Copy)]
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
    pub noise: Noise,
    pub sensors: Sensors,
    pub fused: Vec<OdomEstimate>,
    pub laser: Vec<LaserEstimate>,
    pub busy: Duration,
    pub slowest: Duration,
}

impl Ride {
    pub fn new(walls: Walls, sensors: Sensors, seed: u64) -> Self {
        Self {
            odometer: Odometer::new(OdometryOptions::new(&vehicle(), Planar::ZERO)),
            walls,
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
                let mut scan = self.walls.scan(truth.stamp, truth.pose, &mut self.noise);
                let started = cpu_time();
                scan_filter::filter(&mut scan);
                let job = self.odometer.scan(scan).expect("the scan is new");
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
    let courses = [
        (Planar::new(-0.9, -1.3, 0.0), course::rounded_rectangle()),
        (Planar::new(0.0, -0.8, 0.0), course::eight()),
    ];
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
