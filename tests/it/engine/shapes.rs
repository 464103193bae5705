//! Meshes and what becomes of them, and objects that roll, slide and fall over.

use std::sync::Arc;

use nalgebra::Vector3;
use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::{EngineError, Marker, Mobility, ModelDescription, Part, Shape, WorldDescription};

use super::{World, box1, drive, model, name, near, run, spec, with};

/// A box of triangles with its centre at the origin.
pub fn mesh_box(size: [f32; 3]) -> Shape {
    let [x, y, z] = size.map(|edge| edge / 2.0);
    let vertices: Vec<[f32; 3]> = (0..8)
        .map(|corner| {
            let side = |bit: u32, half: f32| if corner >> bit & 1 == 1 { half } else { -half };
            [side(0, x), side(1, y), side(2, z)]
        })
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::TriMesh { vertices: vertices.into(), indices: indices.into() }
}

/// A flat floor of `n` by `n` squares of triangles, 10 m wide, at z = 0.
fn floor(n: u32) -> Shape {
    let at = |i: u32| -5.0 + 10.0 * i as f32 / n as f32;
    let vertices: Vec<[f32; 3]> = (0..=n).flat_map(|j| (0..=n).map(move |i| [at(i), at(j), 0.0])).collect();
    let corner = |i: u32, j: u32| j * (n + 1) + i;
    let square = |i, j| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let indices: Vec<[u32; 3]> = (0..n).flat_map(|j| (0..n).flat_map(move |i| square(i, j))).collect();
    Shape::TriMesh { vertices: vertices.into(), indices: indices.into() }
}

#[test]
fn vehicle_drives_on_a_mesh_as_on_the_plane() {
    let mut description = WorldDescription::plain();
    description.ground.height_m = -1.0;
    description.models = vec![model("track", Mobility::Fixed, None, floor(100), Pose::upright(0.0, 0.0, 0.1, 0.0))];
    let mut world = World::build(&description, &spec(), 0).unwrap();
    world.set_state(&name("vehicle"), Some(&Pose::upright(-2.0, 0.0, 0.1, 0.0)), Some(&Default::default())).unwrap();
    run(&mut world, 0.5);
    near(world.vehicle().pose.position.z, 0.1, 1e-3);
    drive(&mut world, 1.0, 0.0);
    let mut bumps = 0.0f64;
    for _ in 0..600 {
        world.step();
        bumps = bumps.max((world.vehicle().pose.position.z - 0.1).abs());
    }
    let end = world.vehicle().pose;
    println!("on a mesh: {:?}, bumps of {:.3} mm", end.position, bumps * 1e3);
    near(end.position.x, 0.95, 0.05);
    near(end.position.y, 0.0, 0.01);
    near(bumps, 0.0, 2e-3);
}

#[test]
fn dynamic_mesh_is_its_hull_and_stands() {
    let parts = vec![Part { shape: mesh_box([0.2; 3]), pose: Pose::upright(0.0, 0.0, 0.1, 0.0) }];
    let base = WorldDescription::plain().models[0].clone();
    let mut world = with(vec![ModelDescription { parts, ..base }]);
    run(&mut world, 5.0);
    near((box1(&world).pose.position - Vector3::new(1.5, 0.5, 0.0)).norm(), 0.0, 1e-3);
    world.set_pose(&name("box1"), PoseChange { x: Some(0.5), y: Some(0.0), ..Default::default() }).unwrap();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 2.0);
    assert!(box1(&world).pose.position.x > 1.0);
}

#[test]
fn broken_meshes_are_refused() {
    let triangle: Arc<[[f32; 3]]> = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into();
    let mesh = |vertices: &Arc<[[f32; 3]]>, indices: Vec<[u32; 3]>| Shape::TriMesh {
        vertices: vertices.clone(),
        indices: indices.into(),
    };
    let build = |shape, mobility| {
        let models = vec![model("mesh", mobility, None, shape, Pose::default())];
        World::build(&WorldDescription { models, ..WorldDescription::plain() }, &spec(), 0).err()
    };
    let fixed = |shape| build(shape, Mobility::Fixed);
    assert_eq!(fixed(mesh(&triangle, vec![[0, 1, 2]])), None);
    assert_eq!(fixed(mesh(&triangle, vec![[0, 1, 3]])), Some(EngineError::NoSuchVertex(3)));
    assert_eq!(fixed(mesh(&triangle, vec![])), Some(EngineError::FlatMesh(name("mesh"))));
    assert_eq!(fixed(mesh(&triangle, vec![[0, 1, 1], [2, 2, 2]])), Some(EngineError::FlatMesh(name("mesh"))));
    let hole: Arc<[[f32; 3]]> = vec![[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0, 1.0, 0.0]].into();
    assert!(fixed(mesh(&hole, vec![[0, 1, 2]])).is_some());
    let far: Arc<[[f32; 3]]> = vec![[0.0; 3], [1e30, 0.0, 0.0], [0.0, 1.0, 0.0]].into();
    assert!(fixed(mesh(&far, vec![[0, 1, 2]])).is_some());
    let flat = build(mesh(&triangle, vec![[0, 1, 2]]), Mobility::Dynamic);
    assert_eq!(flat, Some(EngineError::FlatMesh(name("mesh"))));
    let line: Arc<[[f32; 3]]> = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]].into();
    assert!(build(mesh(&line, vec![[0, 1, 2]]), Mobility::Dynamic).is_some());
}

/// Hits a box of this height, 11 cm wide and 50 g light, at full speed; answers how far it went and the least that it stood up.
fn hit(height: f64) -> (f64, f64) {
    let shape = Shape::Box { size_m: [0.11, 0.11, height] };
    let start = Pose::upright(1.0, 0.0, height / 2.0, 0.0);
    let mut cone = model("cone", Mobility::Dynamic, Some(Marker::Object), shape, start);
    cone.mass_kg = 0.05;
    let mut world = with(vec![cone]);
    run(&mut world, 1.0);
    drive(&mut world, 3.0, 0.0);
    let mut least_up = 1.0f64;
    for _ in 0..600 {
        world.step();
        least_up = least_up.min((world.entity(&name("cone")).unwrap().pose.orientation * Vector3::z()).z);
    }
    let way = (world.entity(&name("cone")).unwrap().pose.position - start.position).norm();
    println!("hit box of {height} m: moved by {way:.2} m, stood up {least_up:.3} at least");
    (way, least_up)
}

#[test]
fn hit_cone_is_pushed_away_and_a_tall_box_falls_over() {
    // A cone collides as a box. The bumper reaches up to 15 cm, the middle of the tall one is above that.
    assert!(hit(0.2).0 > 0.3);
    let (way, least_up) = hit(0.45);
    assert!(way > 0.3 && least_up < 0.5);
}

#[test]
fn pushed_ball_rolls_on() {
    let shape = Shape::Sphere { radius_m: 0.1 };
    let ball = model("ball", Mobility::Dynamic, Some(Marker::Object), shape, Pose::upright(0.5, 0.0, 0.1, 0.0));
    let mut world = with(vec![ball]);
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 1.0);
    drive(&mut world, 0.0, 0.0);
    run(&mut world, 1.0);
    let ball = world.entity(&name("ball")).unwrap();
    println!("ball: {:?} {:?}", ball.pose.position, ball.twist);
    assert!(ball.twist.linear.x > 0.3);
    near(ball.twist.angular.y, ball.twist.linear.x / 0.1, 0.1 * ball.twist.angular.y);
    near(ball.pose.position.z, 0.1, 2e-3);
}
