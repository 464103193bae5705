//! 20,000 steps with commands and all sensors: the same in two runs, and the same as on the day it was written down.

use sim_api::backend::catalogue::WorldSource;
use sim_api::domain::{DriveTarget, Pose, PoseChange, WorldName};
use sim_api::engine::sensors::camera::CAMERA;
use sim_api::engine::sensors::{IMU, JOINTS_SCHEDULE, LIDAR};
use sim_api::engine::{Marker, Mobility, Painter, Shape, View};

use super::shapes::mesh_box;
use super::{World, model, name, spec, with};
use crate::builder::official_worlds;

const STEPS: u64 = 20_000;
const GOLDEN: &str = include_str!("../../fixtures/golden_checksum.txt");

/// A course with everything in it: walls of boxes and meshes, a cone, a ball, a cylinder, a light, a hull.
fn course() -> World {
    let (object, wall) = (Some(Marker::Object), Some(Marker::Wall));
    let fence = |raw, size: [f64; 3], x, y| {
        model(raw, Mobility::Fixed, wall, Shape::Box { size_m: size }, Pose::upright(x, y, 0.15, 0.0))
    };
    let dynamic = |raw, shape, x, y, z| model(raw, Mobility::Dynamic, object, shape, Pose::upright(x, y, z, 0.3));
    with(vec![
        fence("east", [0.05, 5.0, 0.3], 2.5, 0.0),
        fence("west", [0.05, 5.0, 0.3], -2.5, 0.0),
        model("north", Mobility::Fixed, wall, mesh_box([5.0, 0.05, 0.3]), Pose::upright(0.0, 2.5, 0.15, 0.0)),
        model("south", Mobility::Fixed, wall, mesh_box([5.0, 0.05, 0.3]), Pose::upright(0.0, -2.5, 0.15, 0.0)),
        dynamic("cone", Shape::Box { size_m: [0.1, 0.1, 0.2] }, 1.0, 0.2, 0.1),
        dynamic("ball", Shape::Sphere { radius_m: 0.08 }, 1.4, -0.4, 0.08),
        dynamic("barrel", Shape::Cylinder { radius_m: 0.08, length_m: 0.3 }, 1.2, 1.2, 0.15),
        dynamic("hull", mesh_box([0.2, 0.15, 0.25]), -1.0, 0.7, 0.125),
        model(
            "light",
            Mobility::Placeable,
            Some(Marker::Light),
            Shape::Box { size_m: [0.05, 0.18, 0.32] },
            Pose::upright(-1.5, -1.0, 0.16, 0.0),
        ),
    ])
}

/// Folds numbers into one (FNV-1a over bytes).
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    pub fn value(&self) -> u64 {
        self.0
    }

    pub fn add(&mut self, value: u64) {
        value.to_le_bytes().into_iter().for_each(|byte| self.add_byte(byte));
    }

    pub fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    pub fn add_all(&mut self, values: impl IntoIterator<Item = f64>) {
        values.into_iter().for_each(|value| self.add(value.to_bits()));
    }
}

/// The checksum after each thousand steps.
fn run_course(world: &mut World) -> Vec<u64> {
    let mut sum = Checksum::default();
    let mut sums = Vec::new();
    while world.steps() < STEPS {
        let step = world.steps();
        if step.is_multiple_of(130) {
            let phase = (step / 130) as f64;
            let (speed, steering) = (3.0 * libm::sin(phase * 0.7), 0.4 * libm::sin(phase * 1.3));
            let target = DriveTarget { speed_m_s: speed, steering_rad: steering, ..Default::default() };
            world.set_drive(target).unwrap();
        }
        if step % 3_000 == 2_999 {
            let change = PoseChange { x: Some(0.0), y: Some(0.0), yaw: Some(step as f64 * 1e-3), z: None };
            world.set_pose(&name("vehicle"), change).unwrap();
        }
        if step % 5_000 == 1_000 {
            let around = [[1.5, 1.5], [-1.5, 1.5], [-1.5, -1.5], [1.5, -1.5]];
            world.follow_path(&name("barrel"), &around, 0.8, true).unwrap();
            world.move_over(&name("light"), PoseChange { yaw: Some(1.0), ..Default::default() }, 2.0).unwrap();
        }
        world.step();
        let step = world.steps();
        for state in world.entities() {
            sum.add_all(state.pose.position.iter().chain(state.twist.linear.iter()).copied());
            sum.add_all(state.pose.xyzw().into_iter().chain(state.twist.angular.iter().copied()));
        }
        if let Some(sample) = LIDAR.schedule.sample_at(step) {
            sum.add_all(world.scan(sample).into_iter().map(f64::from));
        }
        if let Some(sample) = IMU.schedule.sample_at(step) {
            let reading = world.imu(sample);
            sum.add_all(reading.angular_velocity_rad_s.iter().chain(reading.specific_force_m_s2.iter()).copied());
        }
        if JOINTS_SCHEDULE.sample_at(step).is_some() {
            let joints = world.joints();
            sum.add_all(joints.position_rad.into_iter().chain(joints.velocity_rad_s));
        }
        world.contacts().iter().for_each(|touched| sum.add(touched.as_str().len() as u64));
        if step.is_multiple_of(1_000) {
            sums.push(sum.0);
        }
    }
    sums
}

#[test]
fn twenty_thousand_steps_repeat_bit_for_bit_and_match_the_golden_checksum() {
    let mut one = course();
    let start = std::time::Instant::now();
    let sums = run_course(&mut one);
    println!("{:.0} steps/s with all sensors", STEPS as f64 / start.elapsed().as_secs_f64());
    // In another thread and, by a reset, in a used world.
    let other = std::thread::spawn(|| run_course(&mut course())).join().unwrap();
    assert_eq!(sums, other);
    one.reset();
    assert_eq!(sums, run_course(&mut one));

    assert_golden("course", *sums.last().unwrap());
}

/// The lines of the file are a name and a number each.
fn assert_golden(name: &str, sum: u64) {
    let checksum = format!("{sum:016x}");
    println!("{name} {checksum}");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let golden = GOLDEN.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        assert_eq!(checksum, golden.trim(), "the {name} now runs differently; say so in the change if that is meant");
    }
}

/// A ride through an official world with all that its files bring: inertials, meshes, textures.
fn ride_through_the_city() -> u64 {
    let city = WorldName::parse("vehicle_city").unwrap();
    let sourced = official_worlds().load(&city).unwrap();
    let mut world = World::build(&sourced.description, &spec(), 7).unwrap().with_look(sourced.look);
    let mut painter = Painter::new((**world.look().unwrap()).clone(), 2);
    let mut sum = Checksum::default();
    while world.steps() < STEPS {
        if world.steps().is_multiple_of(250) {
            let phase = (world.steps() / 250) as f64;
            let (speed, steering) = (1.5 * libm::sin(phase * 0.37), 0.4 * libm::sin(phase * 0.9));
            let target = DriveTarget { speed_m_s: speed, steering_rad: steering, ..Default::default() };
            world.set_drive(target).unwrap();
        }
        world.step();
        let step = world.steps();
        if let Some(sample) = LIDAR.schedule.sample_at(step) {
            sum.add_all(world.scan(sample).into_iter().map(f64::from));
        }
        if let Some(sample) = IMU.schedule.sample_at(step) {
            let reading = world.imu(sample);
            sum.add_all(reading.angular_velocity_rad_s.iter().chain(reading.specific_force_m_s2.iter()).copied());
        }
        // Every tenth picture, which is what a test has time for.
        if CAMERA.schedule.sample_at(step).is_some_and(|sample| sample.is_multiple_of(10)) {
            let view = View {
                world_from_optical: world.camera_pose(),
                entities: world.entities(),
                lights: Vec::new(),
                brightness: 1.0,
            };
            painter.paint(&view).iter().for_each(|&byte| sum.add_byte(byte));
        }
    }
    for state in world.entities() {
        sum.add_all(state.pose.position.iter().chain(state.twist.linear.iter()).copied());
        sum.add_all(state.pose.xyzw());
    }
    sum.value()
}

#[test]
fn a_ride_through_an_official_world_matches_the_golden_checksum_pixels_included() {
    assert_golden("city", ride_through_the_city());
}
