//! The official worlds with nothing, with the lidar, and with lidar and camera, all on one thread; and one picture.

use std::time::Duration;

use sim_api::domain::{DriveTarget, WorldName};
use sim_api::engine::sensors::camera::CAMERA;
use sim_api::engine::sensors::{IMU, LIDAR};
use sim_api::engine::{Painter, View, World};

use crate::OFFICIAL;
use crate::cpu::{Took, measure};
use crate::loading::{build, source};

/// 20 simulated seconds.
const STEPS: u64 = 4_000;
/// The car steers anew this often, towards a point of its route this far ahead.
const STEPS_PER_TURN: u64 = 10;
const AHEAD_M: f64 = 0.35;
const SPEED_M_S: f64 = 1.0;
const SIMULATED_S: f64 = STEPS as f64 / 200.0;
const CAMERA_MS: f64 = 6.0;

/// What is looked at after each step.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Sensing {
    Nothing,
    Lidar,
    LidarAndCamera,
}

pub fn run() {
    let source = source();
    for name in OFFICIAL {
        let (world, route) = build(&source, &WorldName::parse(name).expect("a name"));
        let mut ride = Ride::new(world, route);
        for (sensing, what, target) in [
            (Sensing::Nothing, "physics", 100.0),
            (Sensing::Lidar, "physics and lidar", 50.0),
            (Sensing::LidarAndCamera, "physics, lidar and camera", 8.0),
        ] {
            let (drawing, took) = ride.measure(sensing);
            let met = took.times_real(SIMULATED_S) >= target;
            crate::judged(&format!("{name}, {what}"), &format!(">= {target} x"), &took.factors(SIMULATED_S), met);
            if sensing == Sensing::LidarAndCamera {
                let (mean, worst) = (drawing.mean_ms(), drawing.worst.as_secs_f64() * 1e3);
                let value = format!("{mean:.1} ms (wall max {worst:.0})");
                crate::judged(&format!("{name}, CPU time of a picture"), "<= 6 ms", &value, mean <= CAMERA_MS);
            }
        }
    }
}

#[derive(Default)]
struct Drawing {
    pictures: u32,
    cpu: Duration,
    worst: Duration,
}

impl Drawing {
    fn mean_ms(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e3 / f64::from(self.pictures.max(1))
    }
}

struct Ride {
    world: World,
    route: Vec<[f64; 2]>,
    painter: Painter,
}

impl Ride {
    fn new(world: World, route: Vec<[f64; 2]>) -> Self {
        let painter = Painter::new((**world.look().expect("an official world has a look")).clone(), 1);
        Self { world, route, painter }
    }

    /// One ride; the pictures' share of the time is what they alone took.
    fn measure(&mut self, sensing: Sensing) -> (Drawing, Took) {
        self.world.reset();
        let mut views = Vec::new();
        let (mut worst, before) = (Duration::ZERO, self.ride_without_pictures(sensing, &mut views));
        let (pictures, drawing) = measure(|| {
            for view in &views {
                let started = std::time::Instant::now();
                std::hint::black_box(self.painter.paint(view));
                worst = worst.max(started.elapsed());
            }
            views.len() as u32
        });
        let both = Took { wall: before.wall + drawing.wall, cpu: before.cpu + drawing.cpu };
        (Drawing { pictures, cpu: drawing.cpu, worst }, both)
    }

    fn ride_without_pictures(&mut self, sensing: Sensing, views: &mut Vec<View>) -> Took {
        let mut next = 0;
        let ((), took) = measure(|| {
            for step in 0..STEPS {
                if step % STEPS_PER_TURN == 0 {
                    self.steer(&mut next);
                }
                self.world.step();
                self.sense(sensing, views);
            }
        });
        took
    }

    /// Towards the next point of the route that is far enough away, on a circle through it.
    fn steer(&mut self, next: &mut usize) {
        let pose = self.world.vehicle().pose;
        let away = |[x, y]: [f64; 2]| (x - pose.position.x, y - pose.position.y);
        let distance = |point: [f64; 2]| away(point).0.hypot(away(point).1);
        while distance(self.route[*next]) < AHEAD_M {
            *next = (*next + 1) % self.route.len();
        }
        let (dx, dy) = away(self.route[*next]);
        let turn = dy.atan2(dx) - pose.yaw();
        let curvature = 2.0 * turn.sin() / dx.hypot(dy);
        let steering_rad = (curvature * self.world.vehicle_spec().wheelbase_m).atan();
        let target = DriveTarget { speed_m_s: SPEED_M_S, steering_rad, ..DriveTarget::default() };
        self.world.set_drive(target).expect("a possible drive");
    }

    fn sense(&self, sensing: Sensing, views: &mut Vec<View>) {
        let (world, step) = (&self.world, self.world.steps());
        if let Some(sample) = LIDAR.schedule.sample_at(step).filter(|_| sensing >= Sensing::Lidar) {
            std::hint::black_box(world.scan(sample));
        }
        if let Some(sample) = IMU.schedule.sample_at(step) {
            std::hint::black_box(world.imu(sample));
        }
        if sensing == Sensing::LidarAndCamera && CAMERA.schedule.sample_at(step).is_some() {
            let (world_from_optical, entities) = (world.camera_pose(), world.entities());
            views.push(View { world_from_optical, entities, lights: Vec::new(), brightness: 1.0 });
        }
    }
}
