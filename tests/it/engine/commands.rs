//! What commands do, and which of them are refused.

use sim_api::domain::{Command, DriveTarget, Pose, PoseChange, Twist, WorldName};
use sim_api::engine::{EngineError, Marker, Mobility, Part, Shape, WorldDescription};

use super::{World, box1, drive, model, name, near, plain, run, spec, with};

#[test]
fn set_pose_keeps_what_is_not_given() {
    let mut world = plain();
    run(&mut world, 1.0);
    let before = box1(&world).pose;
    world.set_pose(&name("box1"), PoseChange { yaw: Some(0.7), ..Default::default() }).unwrap();
    let after = box1(&world);
    assert_eq!(after.pose.position, before.position);
    near(after.pose.yaw(), 0.7, 1e-6);
    assert_eq!(after.twist, Default::default());
}

#[test]
fn set_pose_stops_the_driving_vehicle_where_it_puts_it() {
    let mut world = plain();
    drive(&mut world, 1.0, 0.0);
    run(&mut world, 1.0);
    drive(&mut world, 0.0, 0.0);
    let change = PoseChange { x: Some(-1.0), y: Some(2.0), z: Some(50.0), yaw: Some(3.0) };
    world.set_pose(&name("vehicle"), change).unwrap();
    run(&mut world, 1.0);
    let vehicle = world.vehicle();
    near((vehicle.pose.position - Pose::upright(-1.0, 2.0, 0.0, 0.0).position).norm(), 0.0, 1e-3);
    near(vehicle.pose.yaw(), 3.0, 1e-3);
}

#[test]
fn move_over_passes_the_middle_at_half_time_and_arrives_exactly() {
    for who in ["box1", "vehicle"] {
        let mut world = plain();
        let target = PoseChange { x: Some(3.5), y: Some(-1.5), z: None, yaw: Some(-3.0) };
        let from = world.entity(&name(who)).unwrap().pose;
        world.move_over(&name(who), target, 2.0).unwrap();
        run(&mut world, 1.0);
        let middle = world.entity(&name(who)).unwrap();
        near(middle.pose.position.x, (from.position.x + 3.5) / 2.0, 1e-4);
        near(middle.pose.position.y, (from.position.y - 1.5) / 2.0, 1e-4);
        near(middle.pose.yaw(), -1.5, 1e-4);
        near(middle.twist.linear.x, (3.5 - from.position.x) / 2.0, 1e-3);
        run(&mut world, 1.0);
        assert!(world.is_carried(&name(who)));
        let end = world.entity(&name(who)).unwrap().pose;
        near((end.position - Pose::upright(3.5, -1.5, 0.0, 0.0).position).norm(), 0.0, 1e-6);
        near(end.yaw(), -3.0, 1e-6);
        run(&mut world, 1.0);
        assert!(!world.is_carried(&name(who)));
        near((world.entity(&name(who)).unwrap().pose.position - end.position).norm(), 0.0, 1e-3);
    }
}

#[test]
fn moved_box_pushes_and_then_is_pushed_again() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { x: Some(0.6), y: Some(0.0), ..Default::default() }).unwrap();
    run(&mut world, 5.0);
    world.move_over(&name("box1"), PoseChange { x: Some(0.0), ..Default::default() }, 2.0).unwrap();
    run(&mut world, 2.5);
    let vehicle = world.vehicle().pose.position;
    assert!(vehicle.x < -0.2, "the vehicle is at {vehicle:?}");
    drive(&mut world, 0.5, 0.0);
    run(&mut world, 2.0);
    assert!(box1(&world).pose.position.x > 0.2);
}

#[test]
fn looped_path_returns_to_its_start_and_goes_on() {
    let mut world = plain();
    world.set_pose(&name("box1"), PoseChange { x: Some(2.0), y: Some(0.0), ..Default::default() }).unwrap();
    let square = [[2.0, 0.0], [3.0, 0.0], [3.0, 1.0], [2.0, 1.0]];
    world.follow_path(&name("box1"), &square, 1.0, true).unwrap();
    for lap in 0..3 {
        for corner in 1..=4 {
            run(&mut world, 0.5);
            near(world.entity(&name("box1")).unwrap().twist.linear.norm(), 1.0, 1e-2);
            run(&mut world, 0.5);
            let here = box1(&world).pose.position;
            let [x, y] = square[corner % 4];
            assert!((here.x - x).hypot(here.y - y) < 1e-3, "lap {lap}: {here:?} instead of ({x}, {y})");
        }
    }
    assert!(world.is_carried(&name("box1")));
    world.set_pose(&name("box1"), PoseChange::default()).unwrap();
    let stopped = box1(&world).pose.position;
    run(&mut world, 1.0);
    near((box1(&world).pose.position - stopped).norm(), 0.0, 1e-3);
}

#[test]
fn open_path_ends_at_its_last_point_facing_forward() {
    let mut world = plain();
    world.follow_path(&name("vehicle"), &[[0.0, -1.0], [-1.0, -1.0]], 2.0, false).unwrap();
    run(&mut world, 0.3);
    near(world.vehicle().pose.yaw(), -std::f64::consts::FRAC_PI_2, 1e-5);
    run(&mut world, 3.0);
    let end = world.vehicle().pose;
    assert!(!world.is_carried(&name("vehicle")));
    near((end.position - Pose::upright(-1.0, -1.0, 0.0, 0.0).position).norm(), 0.0, 1e-3);
    near(end.yaw().abs(), std::f64::consts::PI, 1e-3);
}

#[test]
fn path_without_length_harms_nobody() {
    for looped in [false, true] {
        let mut world = plain();
        world.follow_path(&name("box1"), &[[1.5, 0.5], [1.5, 0.5]], 1.0, looped).unwrap();
        run(&mut world, 1.0);
        near((box1(&world).pose.position - Pose::upright(1.5, 0.5, 0.0, 0.0).position).norm(), 0.0, 1e-3);
        assert_eq!(world.is_carried(&name("box1")), looped);
    }
}

#[test]
fn bad_commands_are_refused_and_change_nothing() {
    let mut world = plain();
    drive(&mut world, 0.5, 0.1);
    run(&mut world, 0.5);
    let before = world.entities();
    let pose = |change| Command::SetPose { entity: name("box1"), change };
    let glide = |duration_s| Command::MoveOver { entity: name("box1"), change: PoseChange::default(), duration_s };
    let path = |path: Vec<[f64; 2]>, speed_m_s| {
        let entity = name("vehicle");
        Command::FollowPath { entity, path, speed_m_s, looped: false }
    };
    let speed = |speed_m_s| Command::Drive(DriveTarget { speed_m_s, ..Default::default() });
    let none = PoseChange::default();
    let bad = [
        Command::SetPose { entity: name("nobody"), change: none },
        pose(PoseChange { x: Some(f64::NAN), ..none }),
        pose(PoseChange { x: Some(100.1), ..none }),
        pose(PoseChange { y: Some(-100.1), ..none }),
        pose(PoseChange { z: Some(-10.1), ..none }),
        pose(PoseChange { z: Some(100.1), ..none }),
        pose(PoseChange { yaw: Some(f64::INFINITY), ..none }),
        glide(-0.1),
        glide(f64::NAN),
        path(vec![], 1.0),
        path(vec![[0.0, 0.0]], 0.0),
        path(vec![[0.0, 0.0]], -1.0),
        path(vec![[0.0, 0.0]], f64::INFINITY),
        path(vec![[0.0, f64::NAN]], 1.0),
        path(vec![[0.0, 101.0]], 1.0),
        path(vec![[0.0, 0.0]; 100_000], 1.0),
        speed(f64::NAN),
        Command::SetPaused(true),
        Command::SetRealTimeFactor(1.0),
        Command::LoadWorld { world: WorldName::parse("plain").unwrap(), seed: 0 },
    ];
    for command in bad {
        let refusal = world.check(&command).expect_err("it should be refused");
        assert_eq!(world.apply(&command), Err(refusal));
        assert_eq!(world.entities(), before);
        assert_eq!(world.drive().speed_m_s, 0.5);
    }
}

#[test]
fn fixed_models_are_neither_reported_nor_moved() {
    let mut description = WorldDescription::plain();
    description.models[0].mobility = Mobility::Fixed;
    let mut world = World::build(&description, &spec(), 0).unwrap();
    assert_eq!(world.entities().len(), 1);
    assert_eq!(world.vehicle_index(), 0);
    let refusal = world.set_pose(&name("box1"), PoseChange::default());
    assert_eq!(refusal, Err(EngineError::NotMovable(name("box1"))));
}

#[test]
fn impossible_descriptions_are_refused() {
    let plain = WorldDescription::plain();
    let build = |description: &WorldDescription| World::build(description, &spec(), 0).err();
    let mut twice = plain.clone();
    twice.models.push(twice.models[0].clone());
    assert_eq!(build(&twice), Some(EngineError::DuplicateName(name("box1"))));
    let mut taken = plain.clone();
    taken.models[0].name = name("vehicle");
    assert_eq!(build(&taken), Some(EngineError::DuplicateName(name("vehicle"))));
    let mut hollow = plain.clone();
    hollow.models[0].parts.clear();
    assert_eq!(build(&hollow), Some(EngineError::NoShape(name("box1"))));
    let mut weightless = plain.clone();
    weightless.models[0].mass_kg = 0.0;
    assert!(build(&weightless).is_some());
    let mut flat = plain.clone();
    flat.models[0].parts[0].shape = Shape::Sphere { radius_m: f64::NAN };
    assert!(build(&flat).is_some());
    let mut crippled = spec();
    crippled.wheelbase_m = 0.0;
    assert!(World::build(&plain, &crippled, 0).is_err());
}

#[test]
fn every_shape_stands_on_its_own() {
    let shapes = [
        Shape::Box { size_m: [0.1, 0.2, 0.3] },
        Shape::Cylinder { radius_m: 0.05, length_m: 0.3 },
        Shape::Sphere { radius_m: 0.15 },
    ];
    for shape in shapes {
        let mut description = WorldDescription::plain();
        // Each of them is 0.3 m high.
        description.models[0].parts = vec![Part { shape, pose: Pose::upright(0.0, 0.0, 0.15, 0.0) }];
        let mut world = World::build(&description, &spec(), 0).unwrap();
        run(&mut world, 5.0);
        let now = box1(&world).pose;
        near((now.position - Pose::upright(1.5, 0.5, 0.0, 0.0).position).norm(), 0.0, 1e-3);
    }
}

#[test]
fn a_state_changes_only_what_it_names() {
    let ball = model("ball", Mobility::Dynamic, Some(Marker::Object), Shape::Sphere { radius_m: 0.1 }, Pose::default());
    let mut world = with(vec![ball]);
    let ball = name("ball");
    let (high, higher) = (Pose::upright(2.0, 0.0, 5.0, 0.0), Pose::upright(3.0, 1.0, 6.0, 0.0));
    let along = |x: f64, y: f64| Twist { linear: nalgebra::Vector3::new(x, y, 0.0), ..Twist::default() };
    world.set_state(&ball, Some(&high), Some(&along(2.0, 0.0))).unwrap();
    world.set_state(&ball, Some(&higher), None).unwrap();
    let moved = world.entity(&ball).unwrap();
    assert_eq!((moved.pose.position, moved.twist.linear), (higher.position, along(2.0, 0.0).linear));
    world.set_state(&ball, None, Some(&along(0.0, 1.0))).unwrap();
    let turned = world.entity(&ball).unwrap();
    assert_eq!((turned.pose.position, turned.twist.linear), (higher.position, along(0.0, 1.0).linear));
}

#[test]
fn a_toppled_model_is_stood_upright_on_its_lowest_point() {
    use std::f64::consts::FRAC_PI_2;
    let long =
        [(Shape::Box { size_m: [0.1, 0.2, 0.6] }, 0.05), (Shape::Cylinder { radius_m: 0.1, length_m: 0.6 }, 0.1)];
    for (shape, half_width) in long {
        // Once with the origin in its middle, once with the origin at its foot.
        for foot in [0.0, 0.3] {
            let mut lying = model("post", Mobility::Dynamic, Some(Marker::Object), shape.clone(), Pose::default());
            lying.parts[0].pose = Pose::upright(0.0, 0.0, foot, 0.0);
            lying.pose = Pose::upright(2.0, 0.0, 0.3 - foot, 0.0);
            let mut world = with(vec![lying]);
            let mut toppled = Pose::upright(2.0, 0.0, half_width, 0.0);
            toppled.orientation = nalgebra::UnitQuaternion::from_euler_angles(0.0, FRAC_PI_2, 0.0);
            world.set_state(&name("post"), Some(&toppled), Some(&Default::default())).unwrap();
            run(&mut world, 2.0);
            let lay = world.entity(&name("post")).unwrap().pose;
            assert!((lay.orientation * nalgebra::Vector3::z()).z < 0.1, "{shape:?} lies: {lay:?}");

            let change = PoseChange { x: Some(-1.0), y: Some(1.0), ..Default::default() };
            world.set_pose(&name("post"), change).unwrap();
            let stands = world.entity(&name("post")).unwrap().pose;
            near((stands.orientation * nalgebra::Vector3::z()).z, 1.0, 1e-6);
            // Where it lay, its lowest point was on the ground.
            near(stands.position.z, 0.3 - foot, 2e-3);
            run(&mut world, 2.0);
            let later = world.entity(&name("post")).unwrap().pose;
            near((later.position - stands.position).norm(), 0.0, 5e-3);
            near((later.orientation * nalgebra::Vector3::z()).z, 1.0, 1e-3);

            let given = PoseChange { z: Some(1.5), ..Default::default() };
            world.set_pose(&name("post"), given).unwrap();
            near(world.entity(&name("post")).unwrap().pose.position.z, 1.5, 1e-6);
        }
    }
}
