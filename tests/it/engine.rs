//! The engine against closed-form physics, its commands, and its promise to repeat itself bit for bit.

mod commands;
mod determinism;
mod driving;
mod resting;

use sim_api::domain::{DriveTarget, EntityState, ModelName, STEPS_PER_SECOND, VehicleSpec};
use sim_api::engine::{World, WorldDescription};

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
        max_speed_m_s: 3.0,
        max_accel_m_s2: MAX_ACCEL,
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
