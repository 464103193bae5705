//! The lidar against closed-form distances, its noise, and its promise to repeat itself.

use std::f64::consts::{PI, TAU};

use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::sensors::{LIDAR, Schedule};
use sim_api::engine::{Marker, Mobility, Shape, World};

use super::{drive, empty, model, name, near, plain, run, with};

/// A room of 4 by 6 m around the vehicle, with walls of 10 cm.
fn room() -> World {
    let wall = |raw, size: [f64; 2], x, y| {
        let shape = Shape::Box { size_m: [size[0], size[1], 1.0] };
        model(raw, Mobility::Fixed, Some(Marker::Wall), shape, Pose::upright(x, y, 0.5, 0.0))
    };
    with(vec![
        wall("east", [0.1, 6.2], 2.05, 0.0),
        wall("west", [0.1, 6.2], -2.05, 0.0),
        wall("north", [4.2, 0.1], 0.0, 3.05),
        wall("south", [4.2, 0.1], 0.0, -3.05),
    ])
}

fn angle(ray: usize) -> f64 {
    -PI + ray as f64 * TAU / 720.0
}

/// How far it is to the walls of the room in this direction.
fn room_distance(angle: f64) -> f64 {
    (2.0 / angle.cos().abs()).min(3.0 / angle.sin().abs())
}

#[test]
fn ranges_are_those_of_the_room_within_the_noise() {
    let mut world = room();
    run(&mut world, 0.5);
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let mut spent = std::time::Duration::ZERO;
    for sample in 0..50 {
        let start = std::time::Instant::now();
        let ranges = world.scan(sample);
        spent += start.elapsed();
        assert_eq!(ranges.len(), 720);
        for (ray, range) in ranges.iter().enumerate() {
            let error = f64::from(*range) - room_distance(angle(ray));
            near(error, 0.0, 5.0 * LIDAR.sigma_m);
            sum += error;
            squares += error * error;
            count += 1.0;
        }
    }
    println!("a scan: {:.0} us", spent.as_secs_f64() * 1e6 / 50.0);
    let (mean, sigma) = (sum / count, (squares / count).sqrt());
    println!("lidar error: mean {:.4} mm, sigma {:.4} mm over {count}", mean * 1e3, sigma * 1e3);
    near(mean, 0.0, 4.0 * LIDAR.sigma_m / f64::sqrt(count) + 1e-4);
    near(sigma, LIDAR.sigma_m, 0.02 * LIDAR.sigma_m);
}

#[test]
fn box_is_seen_where_it_stands_and_nothing_else_is_seen() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { x: Some(1.5), y: Some(0.0), ..Default::default() }).unwrap();
    run(&mut world, 0.5);
    let ranges = world.scan(1);
    for (ray, range) in ranges.iter().enumerate() {
        let angle = angle(ray);
        // The near face of the box is 1.4 m away and 0.2 m wide; its sides are hidden behind it.
        let half_width = f64::atan2(0.1, 1.4);
        if angle.abs() < half_width - 0.005 {
            near(f64::from(*range), 1.4 / angle.cos(), 4.0 * LIDAR.sigma_m);
        } else if angle.abs() > half_width + 0.005 {
            assert_eq!(*range, f32::INFINITY, "at {angle}");
        }
    }
}

#[test]
fn rays_turn_with_the_vehicle() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { x: Some(0.0), y: Some(1.0), ..Default::default() }).unwrap();
    world.set_pose(&name("vehicle"), PoseChange { yaw: Some(PI / 2.0), ..Default::default() }).unwrap();
    let ranges = world.scan(3);
    near(f64::from(ranges[360]), 0.9, 4.0 * LIDAR.sigma_m);
    assert_eq!(ranges[180], f32::INFINITY);
}

#[test]
fn too_near_is_minus_infinity_and_beyond_reach_is_infinity() {
    let mut world = plain();
    // Its near face is 5 cm from the lidar, inside the vehicle; such a thing is only there until the next step.
    world.set_pose(&name("box1"), PoseChange { x: Some(0.15), y: Some(0.0), ..Default::default() }).unwrap();
    assert_eq!(world.scan(1)[360], f32::NEG_INFINITY);
    world.set_pose(&name("box1"), PoseChange { x: Some(16.5), y: Some(0.0), ..Default::default() }).unwrap();
    assert_eq!(world.scan(1)[360], f32::INFINITY);
    world.set_pose(&name("box1"), PoseChange { x: Some(15.5), y: Some(0.0), ..Default::default() }).unwrap();
    near(f64::from(world.scan(1)[360]), 15.4, 4.0 * LIDAR.sigma_m);
}

#[test]
fn vehicle_does_not_see_itself() {
    assert!(empty().scan(1).iter().all(|range| *range == f32::INFINITY));
}

#[test]
fn same_sample_number_is_the_same_scan_bit_for_bit_also_after_a_reset() {
    let (mut one, mut other) = (room(), room());
    let bits = |world: &World, sample| world.scan(sample).into_iter().map(f32::to_bits).collect::<Vec<_>>();
    drive(&mut one, 0.5, 0.1);
    drive(&mut other, 0.5, 0.1);
    run(&mut one, 0.5);
    run(&mut other, 0.5);
    // The other one skips samples, which must not matter.
    for sample in 1..20 {
        one.scan(sample);
    }
    let fifth = bits(&one, 5);
    assert_eq!(fifth, bits(&other, 5));
    assert_ne!(fifth, bits(&other, 6));
    one.reset();
    assert_eq!(one.steps(), 0);
    drive(&mut one, 0.5, 0.1);
    run(&mut one, 0.5);
    assert_eq!(fifth, bits(&one, 5));
}

#[test]
fn samples_fall_on_the_steps_of_their_rate() {
    let steps = |rate| (0..=200).filter(|&step| Schedule::at(rate).sample_at(step).is_some()).collect::<Vec<u64>>();
    assert_eq!(steps(10), (1..=10).map(|k| k * 20).collect::<Vec<_>>());
    assert_eq!(steps(50).len(), 50);
    assert_eq!(steps(200).len(), 200);
    let camera = steps(15);
    assert_eq!(camera, (1..=15u64).map(|k| (k * 200).div_ceil(15)).collect::<Vec<_>>());
    assert_eq!((camera[0], camera[14]), (14, 200));
    for (index, step) in camera.iter().enumerate() {
        assert_eq!(Schedule::at(15).sample_at(*step), Some(index as u64 + 1));
    }
}
