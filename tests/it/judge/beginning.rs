//! Where everything stands when a run begins in a world that was just loaded.

use nalgebra::UnitQuaternion;
use sim_api::domain::{Command, EntityState, ModelName, Pose, PoseChange, Twist, WorldName};
use sim_api::judge::briefing::kept;
use sim_api::sdf::conventions::ObjectType;
use sim_api::worlds::{ObjectDefinition, WorldDefinition};

fn model(name: &str) -> ModelName {
    ModelName::parse(name).expect("a name")
}

fn object(name: &str, origin: Pose) -> ObjectDefinition {
    ObjectDefinition {
        name: model(name),
        object_type: ObjectType::Object,
        kind: "box",
        is_static: false,
        is_movable: true,
        origin,
        size_m: [0.1; 3],
        panel: None,
    }
}

fn world(objects: Vec<ObjectDefinition>) -> WorldDefinition {
    WorldDefinition {
        name: WorldName::parse("yard").expect("a name"),
        publication: None,
        display: "Yard".into(),
        route: None,
        bounds: None,
        objects,
        has_evaluation: true,
    }
}

fn at(name: &str, pose: Pose) -> EntityState {
    EntityState { name: model(name), pose, twist: Twist::default() }
}

/// Where `box1`, which belongs to the origin, is put when it is here at the start; None when it is left alone.
fn put(pose: Pose) -> Option<PoseChange> {
    let world = world(vec![object("box1", Pose::upright(0.0, 0.0, 0.0, 0.0))]);
    let mut commands = kept(&world, &[at("box1", pose)]);
    assert!(commands.len() <= 1, "{commands:?}");
    commands.pop().map(|command| match command {
        Command::SetPose { entity, change } if entity == model("box1") => change,
        other => panic!("{other:?}"),
    })
}

#[test]
fn what_was_moved_stays_where_it_is() {
    let change = put(Pose::upright(1.0, 2.0, 0.5, 0.25)).expect("it was moved");
    assert_eq!((change.x, change.y, change.z), (Some(1.0), Some(2.0), Some(0.5)));
    assert!((change.yaw.expect("a heading") - 0.25).abs() < 1e-12);
    assert!(put(Pose::upright(0.0, 0.0, 0.0, 0.1)).is_some(), "turned in place");
}

#[test]
fn what_nobody_has_moved_stands_where_the_world_file_has_it() {
    assert_eq!(put(Pose::upright(0.0, 0.0, 0.0, 0.0)), None);
    assert_eq!(put(Pose::upright(0.0, 1e-4, -1e-4, 1e-4)), None, "things settle a little");
}

#[test]
fn what_lies_on_its_side_is_stood_up_on_the_ground() {
    let lying =
        Pose { orientation: UnitQuaternion::from_euler_angles(1.5, 0.0, 0.0), ..Pose::upright(1.0, 2.0, 0.05, 0.0) };
    let change = put(lying).expect("it was moved");
    assert_eq!((change.x, change.y, change.z), (Some(1.0), Some(2.0), None));
}

#[test]
fn what_has_fallen_out_of_the_world_begins_at_its_origin() {
    for pose in [Pose::upright(0.0, 0.0, -20.0, 0.0), Pose::upright(150.0, 0.0, 0.0, 0.0)] {
        assert_eq!(put(pose), None);
    }
}

#[test]
fn what_the_world_file_does_not_mark_is_kept_too() {
    let commands = kept(&world(Vec::new()), &[at("ball", Pose::upright(3.0, 0.0, 0.2, 0.0))]);
    assert_eq!(commands.len(), 1, "{commands:?}");
}
