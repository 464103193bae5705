//! What falls, stands or lies, and stays there.

use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::{Ground, Mobility, WorldDescription};

use super::{STEP_S, World, box1, drive, name, near, plain, run, spec};

#[test]
fn standing_vehicle_and_untouched_box_stay_put_for_a_minute() {
    let mut world = plain();
    let start = world.entities();
    let mut worst = 0.0f64;
    for _ in 0..12_000 {
        world.step();
        for (now, then) in world.entities().iter().zip(&start) {
            worst = worst.max((now.pose.position - then.pose.position).norm());
            near(now.pose.orientation.angle_to(&then.pose.orientation), 0.0, 1e-3);
        }
    }
    println!("largest displacement within 60 s: {:.4} mm", worst * 1e3);
    near(worst, 0.0, 1e-3);
}

#[test]
fn stopped_vehicle_does_not_creep() {
    let mut world = plain();
    drive(&mut world, 1.0, 0.2);
    run(&mut world, 1.0);
    drive(&mut world, 0.0, 0.2);
    run(&mut world, 1.0);
    let from = world.vehicle().pose;
    run(&mut world, 60.0);
    near((world.vehicle().pose.position - from.position).norm(), 0.0, 1e-3);
    near(world.vehicle().pose.yaw(), from.yaw(), 1e-3);
}

#[test]
fn box_falls_as_free_bodies_do() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { z: Some(10.0), ..Default::default() }).unwrap();
    for step in 1..=200 {
        world.step();
        let t = f64::from(step) * STEP_S;
        // The stepped sum differs from the integral by half a step of the final speed at most.
        near(box1(&world).pose.position.z, 10.0 - 0.5 * 9.81 * t * t, 0.5 * STEP_S * 9.81 * t + 1e-4);
        near(box1(&world).twist.linear.z, -9.81 * t, 0.01);
    }
}

#[test]
fn box_dropped_from_the_top_lands_on_the_ground() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { z: Some(100.0), ..Default::default() }).unwrap();
    run(&mut world, 8.0);
    let z = box1(&world).pose.position.z;
    assert!((-0.001..0.25).contains(&z), "the box is at {z}");
}

#[test]
fn box_whose_support_is_taken_away_falls() {
    let mut description = WorldDescription::plain();
    let mut upper = description.models[0].clone();
    upper.name = name("upper");
    upper.pose = Pose::upright(1.5, 0.5, 0.2, 0.0);
    description.models.push(upper);
    let mut world = World::build(&description, &spec(), 0).unwrap();
    run(&mut world, 10.0);
    near(world.entity(&name("upper")).unwrap().pose.position.z, 0.2, 0.001);
    world.set_pose(&name("box1"), PoseChange { x: Some(3.0), ..Default::default() }).unwrap();
    run(&mut world, 2.0);
    near(world.entity(&name("upper")).unwrap().pose.position.z, 0.0, 0.001);
}

#[test]
fn vehicle_starts_on_ground_of_any_height() {
    let ground = Ground { height_m: -3.0, ..Ground::default() };
    let description = WorldDescription { ground, ..WorldDescription::plain() };
    let mut world = World::build(&description, &spec(), 0).unwrap();
    near(world.vehicle().pose.position.z, -3.0, 1e-6);
    run(&mut world, 1.0);
    near(world.vehicle().pose.position.z, -3.0, 1e-3);
}

#[test]
fn placeable_model_is_not_pushed_but_can_be_moved() {
    let mut description = WorldDescription::plain();
    description.models[0].mobility = Mobility::Placeable;
    description.models[0].pose = Pose::upright(0.5, 0.0, 0.0, 0.0);
    let mut world = World::build(&description, &spec(), 0).unwrap();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 2.0);
    assert_eq!(box1(&world).pose, Pose::upright(0.5, 0.0, 0.0, 0.0));
    assert!(world.vehicle().pose.position.x < 0.4);
    world.move_over(&name("box1"), PoseChange { y: Some(1.0), ..Default::default() }, 0.5).unwrap();
    run(&mut world, 1.0);
    near(box1(&world).pose.position.y, 1.0, 1e-6);
}
