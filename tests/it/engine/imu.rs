//! The IMU at rest, falling, on a circle and while speeding up.

use nalgebra::Vector3;
use sim_api::domain::PoseChange;
use sim_api::engine::World;
use sim_api::engine::sensors::IMU;

use super::{STEP_S, WHEELBASE, drive, empty, name, near, run};

/// Mean and deviation of rates and forces over this many steps, a sample each.
fn watch(world: &mut World, steps: u64) -> [(Vector3<f64>, Vector3<f64>); 2] {
    let mut readings = [Vec::new(), Vec::new()];
    for sample in 0..steps {
        world.step();
        let reading = world.imu(sample);
        readings[0].push(reading.angular_velocity_rad_s);
        readings[1].push(reading.specific_force_m_s2);
    }
    readings.map(|values| {
        let count = values.len() as f64;
        let mean = values.iter().sum::<Vector3<f64>>() / count;
        let squares = values.iter().map(|v| (v - mean).component_mul(&(v - mean))).sum::<Vector3<f64>>() / count;
        (mean, squares.map(f64::sqrt))
    })
}

#[test]
fn at_rest_it_feels_gravity_upwards_with_the_stated_noise() {
    let mut world = empty();
    run(&mut world, 1.0);
    let [(rate, rate_sigma), (force, force_sigma)] = watch(&mut world, 4_000);
    println!("at rest: rate {rate:?} sigma {rate_sigma:?}, force {force:?} sigma {force_sigma:?}");
    for axis in 0..3 {
        near(rate[axis], 0.0, 4.0 * IMU.gyro_sigma_rad_s / f64::sqrt(4_000.0) + 1e-6);
        near(rate_sigma[axis], IMU.gyro_sigma_rad_s, 0.05 * IMU.gyro_sigma_rad_s);
        near(force_sigma[axis], IMU.accel_sigma_m_s2, 0.05 * IMU.accel_sigma_m_s2);
    }
    near(force.x, 0.0, 5e-3);
    near(force.y, 0.0, 5e-3);
    near(force.z, 9.81, 5e-3);
}

#[test]
fn in_free_fall_it_feels_nothing() {
    let mut world = empty();
    let pose = sim_api::domain::Pose::upright(0.0, 0.0, 20.0, 0.3);
    world.set_state(&name("vehicle"), Some(&pose), Some(&Default::default())).unwrap();
    let [_, (force, _)] = watch(&mut world, 100);
    near(force.norm(), 0.0, 0.02);
}

#[test]
fn on_a_circle_it_feels_the_centripetal_acceleration() {
    for (speed, steering) in [(0.5, 0.2), (1.0, 0.2), (1.0, -0.3)] {
        let mut world = empty();
        drive(&mut world, speed, steering);
        run(&mut world, 3.0);
        let [(rate, _), (force, _)] = watch(&mut world, 1_000);
        // The rear axle goes at the asked speed on this radius, the IMU half a wheelbase ahead of it.
        let radius = WHEELBASE / f64::tan(steering);
        println!("circle {speed} m/s, {steering} rad: rate {rate:?}, force {force:?}");
        near(rate.z, speed / radius, 0.02 * (speed / radius).abs());
        near(force.y, speed * speed / radius, 0.03 * (speed * speed / radius).abs());
        near(force.x, -rate.z * rate.z * WHEELBASE / 2.0, 0.05);
        near(force.z, 9.81, 0.02);
    }
}

#[test]
fn speeding_up_is_felt_forwards() {
    let mut world = empty();
    run(&mut world, 1.0);
    drive(&mut world, 2.0, 0.0);
    run(&mut world, 0.05);
    let before = world.vehicle().twist.linear.x;
    let [_, (force, _)] = watch(&mut world, 20);
    let felt = (world.vehicle().twist.linear.x - before) / (20.0 * STEP_S);
    near(force.x, felt, 0.3);
    near(felt, 10.0, 0.5);
}

#[test]
fn a_teleport_is_not_felt() {
    let mut world = empty();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 1.0);
    world.set_pose(&name("vehicle"), PoseChange { x: Some(-3.0), yaw: Some(2.0), ..Default::default() }).unwrap();
    drive(&mut world, 0.0, 0.0);
    for sample in 0..200 {
        world.step();
        near((world.imu(sample).specific_force_m_s2 - Vector3::new(0.0, 0.0, 9.81)).norm(), 0.0, 0.5);
    }
}

#[test]
fn same_sample_number_is_the_same_reading() {
    let (mut one, mut other) = (empty(), empty());
    run(&mut one, 0.2);
    run(&mut other, 0.2);
    assert_eq!(one.imu(9), other.imu(9));
    assert_ne!(one.imu(9), other.imu(10));
}
