//! The joints: wheels that roll, steering by Ackermann's condition, a camera that turns.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

use nalgebra::Vector3;
use sim_api::domain::{DriveTarget, PoseChange};
use sim_api::engine::sensors::JOINTS;
use sim_api::engine::sensors::camera::CAMERA;

use super::{WHEELBASE, drive, empty, name, near, run, spec};

#[test]
fn wheels_turn_as_far_as_the_vehicle_rolls() {
    let mut world = empty();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 1.0);
    let before = (world.joints(), world.vehicle().pose.position.x);
    run(&mut world, 2.0);
    let joints = world.joints();
    let way = world.vehicle().pose.position.x - before.1;
    for wheel in 0..4 {
        near(joints.velocity_rad_s[wheel], 1.0 / spec().wheel_radius_m, 0.1);
        let turned = joints.position_rad[wheel] - before.0.position_rad[wheel];
        near(turned * spec().wheel_radius_m, way, 0.005 * way);
    }
    assert_eq!(JOINTS.len(), joints.position_rad.len());
}

#[test]
fn inner_wheels_turn_slower_and_steer_further() {
    let mut world = empty();
    let steering = 0.3;
    drive(&mut world, 0.5, steering);
    run(&mut world, 1.0);
    let joints = world.joints();
    let radius = WHEELBASE / f64::tan(steering);
    let half = spec().track_m / 2.0;
    near(joints.velocity_rad_s[2], 0.5 / spec().wheel_radius_m * (radius - half) / radius, 0.05);
    near(joints.velocity_rad_s[3], 0.5 / spec().wheel_radius_m * (radius + half) / radius, 0.05);
    near(joints.position_rad[4], f64::atan2(WHEELBASE, radius - half), 1e-4);
    near(joints.position_rad[5], f64::atan2(WHEELBASE, radius + half), 1e-4);
    near(joints.velocity_rad_s[4], 0.0, 1e-9);
}

#[test]
fn reversing_wheels_turn_backwards_and_carried_ones_roll_along() {
    let mut world = empty();
    drive(&mut world, -0.5, 0.0);
    run(&mut world, 1.0);
    near(world.joints().velocity_rad_s[0], -0.5 / spec().wheel_radius_m, 0.1);
    world.reset();
    world.move_over(&name("vehicle"), PoseChange { x: Some(2.0), ..Default::default() }, 2.0).unwrap();
    run(&mut world, 1.0);
    near(world.joints().velocity_rad_s[0], 1.0 / spec().wheel_radius_m, 0.1);
}

#[test]
fn camera_pans_left_and_tilts_up_within_its_limits() {
    let mut world = empty();
    let forward = |world: &super::World| world.camera_pose().orientation * Vector3::z();
    world.step();
    let level = world.camera_pose();
    near((forward(&world) - Vector3::x()).norm(), 0.0, 1e-3);
    near((level.orientation * Vector3::x() + Vector3::y()).norm(), 0.0, 1e-3);
    near((level.position - Vector3::new(0.10, 0.0, 0.13)).norm(), 0.0, 2e-3);
    let target = DriveTarget { camera_pan_rad: FRAC_PI_2, camera_tilt_rad: 0.2, ..Default::default() };
    world.set_drive(target).unwrap();
    world.step();
    let ahead = forward(&world);
    near(f64::atan2(ahead.y, ahead.x), FRAC_PI_6, 1e-3);
    near(ahead.z.asin(), 0.2, 2e-3);
    near(world.joints().position_rad[6], FRAC_PI_6, 1e-9);
}

#[test]
fn camera_sees_a_hundred_degrees() {
    let intrinsics = CAMERA.intrinsics();
    near(2.0 * f64::atan(240.0 / intrinsics.focal), 100f64.to_radians(), 1e-9);
    assert_eq!(intrinsics.centre, [240.0, 180.0]);
}

#[test]
fn the_steering_servo_takes_its_time() {
    let mut world = empty();
    drive(&mut world, 0.0, 0.3);
    let step = spec().max_steer_rate_rad_s / 200.0;
    // Between the two front wheels, by Ackermann's condition.
    let middle = |world: &super::World| {
        let [left, right] = [4, 5].map(|joint| 1.0 / f64::tan(world.joints().position_rad[joint]));
        f64::atan(2.0 / (left + right))
    };
    for steps in 1..=9 {
        world.step();
        near(middle(&world), step * f64::from(steps), 1e-4);
    }
    run(&mut world, 0.05);
    near(middle(&world), 0.3, 1e-4);
    // From one side to the other it needs the time of the whole way, and a reset finds it straight.
    drive(&mut world, 0.0, -0.3);
    run(&mut world, 0.025);
    near(middle(&world), 0.3 - 5.0 * step, 1e-3);
    world.reset();
    near(world.joints().position_rad[4], 0.0, 1e-12);
}
