//! The vehicle against the closed-form answers: radius, distance, braking, pushing, lying on its side.

use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::World;

use super::{MAX_ACCEL, WHEELBASE, box1, drive, empty, name, near, plain, run};

/// Distance covered per angle turned by the middle of the rear axle, averaged over a while.
fn turning_radius(speed: f64, steering: f64) -> f64 {
    let mut world = empty();
    drive(&mut world, speed, steering);
    run(&mut world, 3.0);
    let (mut way, mut turned) = (0.0, 0.0);
    let rear = |pose: &Pose| pose.position - pose.orientation * nalgebra::Vector3::new(WHEELBASE / 2.0, 0.0, 0.0);
    let mut before = world.vehicle().pose;
    for _ in 0..1_000 {
        world.step();
        let now = world.vehicle().pose;
        way += (rear(&now) - rear(&before)).norm();
        turned += before.orientation.rotation_to(&now.orientation).scaled_axis().z;
        before = now;
    }
    way / turned
}

#[track_caller]
fn assert_radius(speed: f64, steering: f64, share: f64) {
    let expected = WHEELBASE / steering.tan();
    let radius = turning_radius(speed, steering);
    println!("radius at {speed} m/s, {steering} rad: {radius:.5}, geometry {expected:.5}");
    near(radius, expected, share * expected.abs());
}

#[test]
fn slow_vehicle_turns_as_its_geometry_says() {
    for steering in [0.1, 0.2, 0.3, 0.349, -0.1, -0.3] {
        assert_radius(0.5, steering, 0.02);
    }
}

#[test]
fn vehicle_at_1_m_s_turns_as_its_geometry_says() {
    for steering in [0.1, 0.2, 0.3, -0.2] {
        assert_radius(1.0, steering, 0.03);
    }
}

#[test]
fn vehicle_at_2_m_s_turns_as_its_geometry_says() {
    for steering in [0.1, 0.2] {
        assert_radius(2.0, steering, 0.03);
    }
}

#[test]
fn reversing_vehicle_turns_as_its_geometry_says() {
    let radius = turning_radius(-0.5, 0.3);
    near(radius, -WHEELBASE / 0.3f64.tan(), 0.02 * WHEELBASE / 0.3f64.tan());
}

#[test]
fn steering_stops_at_the_joint_of_the_inner_wheel() {
    let joint = spec_joint_radius();
    near(turning_radius(0.5, 1.0), joint, 0.02 * joint);
    near(turning_radius(0.5, 1e300), joint, 0.02 * joint);
}

/// The rear axle's radius when the inner wheel is at its limit.
fn spec_joint_radius() -> f64 {
    let spec = super::spec();
    spec.wheelbase_m / spec.max_steer_rad.tan() + spec.track_m / 2.0
}

#[test]
fn straight_drive_covers_the_distance_without_drift() {
    let mut world = empty();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 0.5);
    let from = world.vehicle().pose.position;
    run(&mut world, 5.0);
    let to = world.vehicle().pose;
    println!("5 m straight: {:?}, yaw {}", to.position - from, to.yaw());
    near(to.position.x - from.x, 5.0, 0.01);
    near(to.position.y, 0.0, 0.005);
    near(to.position.z, 0.0, 0.002);
}

#[test]
fn speed_is_reached_with_the_acceleration_limit() {
    let mut world = empty();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 0.05);
    near(world.vehicle().twist.linear.x, 0.5, 0.03);
    run(&mut world, 0.2);
    near(world.vehicle().twist.linear.x, 1.0, 0.01);
}

#[test]
fn speed_stops_at_the_limit() {
    let mut world = empty();
    drive(&mut world, 50.0, 0.0);
    run(&mut world, 2.0);
    near(world.vehicle().twist.linear.x, 3.0, 0.03);
}

#[test]
fn stopping_distance_is_that_of_constant_braking() {
    // The tyres grip a little better (1.1 g) than the brakes ask for, so the limit of acceleration decides.
    let deceleration = MAX_ACCEL.min(1.1 * 9.81);
    for speed in [1.0, 2.0, 3.0] {
        let mut world = empty();
        drive(&mut world, speed, 0.0);
        run(&mut world, 2.0);
        let from = world.vehicle().pose.position.x;
        drive(&mut world, 0.0, 0.0);
        run(&mut world, 1.0);
        let distance = world.vehicle().pose.position.x - from;
        let expected = speed * speed / (2.0 * deceleration);
        println!("stopping from {speed} m/s: {distance:.4}, constant braking {expected:.4}");
        // Half a step at full speed is what 5 ms steps cannot tell.
        near(distance, expected, 0.05 * expected + 0.0025 * speed);
        near(world.vehicle().twist.linear.norm(), 0.0, 1e-3);
    }
}

#[test]
fn too_fast_a_turn_slides_outward_without_tipping_over() {
    let mut world = empty();
    drive(&mut world, 3.0, 0.0);
    run(&mut world, 1.0);
    drive(&mut world, 3.0, 0.35);
    run(&mut world, 3.0);
    let (roll, pitch, _) = world.vehicle().pose.roll_pitch_yaw();
    near(roll, 0.0, 0.1);
    near(pitch, 0.0, 0.1);
}

#[test]
fn vehicle_pushes_the_box_it_drives_into() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { y: Some(0.0), ..Default::default() }).unwrap();
    drive(&mut world, 0.5, 0.0);
    run(&mut world, 6.0);
    let (car, pushed) = (world.vehicle().pose, box1(&world).pose);
    println!("pushing: car {:?}, box {:?}", car.position, pushed.position);
    assert!(pushed.position.x > 1.9, "the box is at {}", pushed.position.x);
    near(pushed.position.z, 0.0, 0.005);
    assert!(car.position.x < pushed.position.x - 0.2);
}

#[test]
fn overturned_vehicle_comes_to_rest_and_is_righted_by_set_pose() {
    let mut world = overturned();
    let before = world.vehicle();
    let up = before.pose.orientation * nalgebra::Vector3::z();
    println!("overturned: up {up:?}, at {:?}", before.pose.position);
    assert!(up.z < 0.5, "the vehicle still stands");
    run(&mut world, 1.0);
    near((world.vehicle().pose.position - before.pose.position).norm(), 0.0, 1e-3);

    let change = PoseChange { x: Some(2.0), yaw: Some(1.0), ..Default::default() };
    world.set_pose(&name("vehicle"), change).unwrap();
    for _ in 0..200 {
        let now = world.vehicle().pose;
        let (roll, pitch, yaw) = now.roll_pitch_yaw();
        near(roll, 0.0, 1e-3);
        near(pitch, 0.0, 1e-3);
        near(yaw, 1.0, 1e-3);
        near(now.position.x, 2.0, 1e-3);
        near(now.position.y, before.pose.position.y, 2e-3);
        near(now.position.z, 0.0, 1e-3);
        world.step();
    }
}

/// A vehicle that a box has thrown over by rising out of the ground below its left wheels.
fn overturned() -> World {
    let mut world = plain();
    for duration in [0.3, 0.2, 0.15, 0.1, 0.07, 0.05] {
        world.reset();
        let below = PoseChange { x: Some(0.0), y: Some(0.16), z: Some(-0.2), yaw: Some(0.0) };
        world.set_pose(&name("box1"), below).unwrap();
        world.move_over(&name("box1"), PoseChange { z: Some(0.1), ..Default::default() }, duration).unwrap();
        run(&mut world, 1.0);
        world.set_pose(&name("box1"), PoseChange { x: Some(5.0), z: Some(0.0), ..Default::default() }).unwrap();
        run(&mut world, 3.0);
        if (world.vehicle().pose.orientation * nalgebra::Vector3::z()).z < 0.5 {
            return world;
        }
    }
    panic!("nothing throws the vehicle over");
}
