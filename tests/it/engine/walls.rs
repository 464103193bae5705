//! Nothing gets through a wall.

use nalgebra::Vector3;
use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::{Marker, Mobility, Shape};

use super::shapes::mesh_box;
use super::{World, drive, model, name, run, with};

/// A wall of this thickness across the way at x = 2, as a box and as a mesh.
fn walls(thickness: f64) -> [World; 2] {
    let solid = Shape::Box { size_m: [thickness, 20.0, 0.5] };
    let mesh = mesh_box([thickness as f32, 20.0, 0.5]);
    [solid, mesh].map(|shape| {
        let wall = model("wall", Mobility::Fixed, Some(Marker::Wall), shape, Pose::upright(2.0, 0.0, 0.25, 0.0));
        let ball = Shape::Sphere { radius_m: 0.04 };
        let mut ball = model("ball", Mobility::Dynamic, None, ball, Pose::upright(0.0, 2.5, 0.04, 0.0));
        ball.mass_kg = 0.02;
        with(vec![wall, ball])
    })
}

#[test]
fn wall_stops_the_vehicle_at_full_speed_from_any_angle() {
    for thickness in [0.001, 0.01, 0.1] {
        for mut world in walls(thickness) {
            for yaw in [0.0, 0.1, 0.5, 1.0] {
                for offset in [0.0, 0.004, 0.009] {
                    world.reset();
                    let start = PoseChange { x: Some(offset), y: Some(-1.0), yaw: Some(yaw), ..Default::default() };
                    world.set_pose(&name("vehicle"), start).unwrap();
                    drive(&mut world, 3.0, 0.0);
                    let mut touched = false;
                    for _ in 0..500 {
                        world.step();
                        let at = world.vehicle().pose.position;
                        assert!(at.x < 2.0, "{thickness} m, {yaw} rad, offset {offset}: it is at {at:?}");
                        touched |= world.contacts() == [name("wall")];
                    }
                    assert!(touched, "{thickness} m, {yaw} rad: the wall was never touched");
                }
            }
        }
    }
}

#[test]
fn wall_stops_the_vehicle_that_reverses_into_it() {
    for mut world in walls(0.01) {
        let start = PoseChange { x: Some(0.5), yaw: Some(std::f64::consts::PI), ..Default::default() };
        world.set_pose(&name("vehicle"), start).unwrap();
        drive(&mut world, -3.0, 0.0);
        run(&mut world, 2.0);
        let at = world.vehicle().pose.position;
        assert!(at.x < 2.0 && at.z.abs() < 0.05, "it is at {at:?}");
    }
}

#[test]
fn wall_stops_a_ball_that_was_hit_hard() {
    for thickness in [0.001, 0.02] {
        for mut world in walls(thickness) {
            let twist = sim_api::domain::Twist { linear: Vector3::new(20.0, 0.0, 0.5), ..Default::default() };
            world.set_state(&name("ball"), Some(&Pose::upright(0.0, 1.0, 0.1, 0.0)), Some(&twist)).unwrap();
            for _ in 0..400 {
                world.step();
                let at = world.entity(&name("ball")).unwrap().pose.position;
                assert!(at.x < 2.0, "{thickness} m: the ball is at {at:?}");
            }
        }
    }
}
