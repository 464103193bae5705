//! Steps per second of the world alone.

use std::time::Instant;

use sim_api::app::vehicle_file;
use sim_api::domain::DriveTarget;
use sim_api::engine::{World, WorldDescription};

const STEPS: u32 = 100_000;

pub fn run() {
    let vehicle = vehicle_file::built_in().expect("the built-in vehicle is valid");
    let mut world = World::build(&WorldDescription::plain(), &vehicle, 0).expect("the built-in world is valid");
    let target = DriveTarget { speed_m_s: 1.0, steering_rad: 0.2, ..DriveTarget::default() };
    world.set_drive(target).expect("a possible drive");
    let started = Instant::now();
    for _ in 0..STEPS {
        world.step();
    }
    let per_second = f64::from(STEPS) / started.elapsed().as_secs_f64();
    crate::row("physics, plain world: times real time", &format!("{:.0} x", per_second / 200.0));
}
