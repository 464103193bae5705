//! The engine against closed-form physics, its commands, and its promise to repeat itself bit for bit.

mod commands;
mod contacts;
mod determinism;
mod driving;
pub mod golden;
mod imu;
mod inertia;
mod joints;
mod lidar;
mod resting;
mod shapes;
mod walls;

use sim_api::domain::{DriveTarget, EntityState, ModelName, Pose, STEPS_PER_SECOND, VehicleSpec};
use sim_api::engine::{Marker, Mobility, ModelDescription, Part, Shape, World, WorldDescription};

const MAX_ACCEL: f64 = 10.0;
const WHEELBASE: f64 = 0.18;
const STEP_S: f64 = 1.0 / STEPS_PER_SECOND as f64;

fn spec() -> VehicleSpec {
    VehicleSpec {
        generation: "vehicle".into(),
        model_name: "vehicle".into(),
        wheelbase_m: WHEELBASE,
        track_m: 0.16,
        wheel_radius_m: 0.0375,
        chassis_m: [0.27, 0.09, 0.12],
        mass_kg: 3.1,
        max_steer_rad: 0.4189,
        max_steer_rate_rad_s: 6.0,
        max_speed_m_s: 3.0,
        max_accel_m_s2: MAX_ACCEL,
        lidar_m: [0.0, 0.0, 0.16],
        imu_m: [0.0, 0.0, 0.05],
        camera_m: [0.10, 0.0, 0.13],
    }
}

fn plain() -> World {
    World::build(&WorldDescription::plain(), &spec(), 7).unwrap()
}

/// The plane with nothing on it but the vehicle.
fn empty() -> World {
    let description = WorldDescription { models: Vec::new(), ..WorldDescription::plain() };
    World::build(&description, &spec(), 7).unwrap()
}

fn name(raw: &str) -> ModelName {
    ModelName::parse(raw).unwrap()
}

fn box1(world: &World) -> EntityState {
    world.entity(&name("box1")).unwrap()
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / STEP_S).round() as usize {
        world.step();
    }
}

fn drive(world: &mut World, speed_m_s: f64, steering_rad: f64) {
    world.set_drive(DriveTarget { speed_m_s, steering_rad, ..Default::default() }).unwrap();
}

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not within {tolerance} of {expected}");
}

/// A model of one part whose centre is the model's origin.
fn model(raw: &str, mobility: Mobility, marker: Option<Marker>, shape: Shape, pose: Pose) -> ModelDescription {
    let parts = vec![Part { shape, pose: Pose::default() }];
    ModelDescription { name: name(raw), mobility, marker, pose, parts, mass_kg: 0.2, spread: None, friction: 0.5 }
}

/// The plane with these models on it.
fn with(models: Vec<ModelDescription>) -> World {
    let description = WorldDescription { models, ..WorldDescription::plain() };
    World::build(&description, &spec(), 7).unwrap()
}
