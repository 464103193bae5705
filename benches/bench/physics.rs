//! Steps per second of the world alone.

use sim_api::app::vehicle_file;
use sim_api::domain::DriveTarget;
use sim_api::engine::{World, WorldDescription};

use crate::cpu::measure;

const STEPS: u32 = 100_000;
const TARGET: f64 = 100.0;

pub fn run() {
    let vehicle = vehicle_file::built_in().expect("the built-in vehicle is valid");
    let mut world = World::build(&WorldDescription::plain(), &vehicle, 0).expect("the built-in world is valid");
    let target = DriveTarget { speed_m_s: 1.0, steering_rad: 0.2, ..DriveTarget::default() };
    world.set_drive(target).expect("a possible drive");
    let ((), took) = measure(|| (0..STEPS).for_each(|_| world.step()));
    let simulated_s = f64::from(STEPS) / 200.0;
    let met = took.times_real(simulated_s) >= TARGET;
    crate::judged("physics, plain world: times real time", ">= 100 x", &took.factors(simulated_s), met);
}
