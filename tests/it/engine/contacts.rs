//! Which marked models the vehicle touches.

use sim_api::domain::{Pose, PoseChange};
use sim_api::engine::{Marker, Mobility, Shape};

use super::{drive, model, name, plain, run, with};

#[test]
fn contact_begins_and_ends_with_the_touch() {
    let mut world = plain();
    run(&mut world, 0.5);
    assert_eq!(world.contacts(), [], "the ground is no contact");
    world.set_pose(&name("box1"), PoseChange { x: Some(0.6), y: Some(0.0), ..Default::default() }).unwrap();
    drive(&mut world, 0.5, 0.0);
    let mut touched = false;
    for _ in 0..400 {
        world.step();
        touched |= world.contacts() == [name("box1")];
    }
    assert!(touched);
    drive(&mut world, -0.5, 0.0);
    run(&mut world, 1.0);
    assert_eq!(world.contacts(), []);
}

#[test]
fn teleport_into_a_touch_is_told_before_the_next_step() {
    let mut world = plain();
    run(&mut world, 0.1);
    world.set_pose(&name("box1"), PoseChange { x: Some(0.2), y: Some(0.0), ..Default::default() }).unwrap();
    assert_eq!(world.contacts(), [name("box1")]);
    world.set_pose(&name("box1"), PoseChange { x: Some(2.0), ..Default::default() }).unwrap();
    assert_eq!(world.contacts(), []);
}

#[test]
fn only_marked_models_are_told_and_sorted_by_name() {
    let block = |raw, marker, y| {
        let shape = Shape::Box { size_m: [0.1, 0.1, 0.4] };
        model(raw, Mobility::Fixed, marker, shape, Pose::upright(0.3, y, 0.2, 0.0))
    };
    let mut world = with(vec![
        block("zebra", Some(Marker::Wall), 0.03),
        block("plain_block", None, 0.0),
        block("apple", Some(Marker::Light), -0.03),
    ]);
    drive(&mut world, 0.5, 0.0);
    run(&mut world, 1.0);
    assert_eq!(world.contacts(), [name("apple"), name("zebra")]);
}

#[test]
fn standing_on_a_marked_plate_is_a_contact() {
    let shape = Shape::Box { size_m: [2.0, 2.0, 0.01] };
    let plate = model("plate", Mobility::Fixed, Some(Marker::Object), shape, Pose::upright(0.0, 0.0, -0.0048, 0.0));
    let mut world = with(vec![plate]);
    run(&mut world, 0.5);
    assert_eq!(world.contacts(), [name("plate")]);
    world.set_pose(&name("vehicle"), PoseChange { x: Some(3.0), ..Default::default() }).unwrap();
    run(&mut world, 0.1);
    assert_eq!(world.contacts(), []);
}
