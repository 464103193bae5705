//! Poses end up where pencil and paper put them.

use std::f64::consts::{FRAC_PI_2, PI};

use sim_api::domain::Pose;

use super::{model, world};

fn assert_pose(pose: &Pose, xyz: [f64; 3], yaw: f64) {
    let distance = (pose.position - nalgebra::Vector3::from(xyz)).norm();
    assert!(distance < 1e-12, "{:?} is not at {xyz:?}", pose.position);
    let turned = (pose.yaw() - yaw).rem_euclid(2.0 * PI);
    assert!(turned.min(2.0 * PI - turned) < 1e-12, "yaw {} is not {yaw}", pose.yaw());
}

#[test]
fn poses_relative_to_other_models_chain_in_any_order() {
    let world = world("relative_to.world");
    assert_pose(&model(&world, "first").pose, [1.0, 0.0, 0.0], FRAC_PI_2);
    assert_pose(&model(&world, "second").pose, [1.0, 1.0, 0.0], FRAC_PI_2);
    assert_pose(&model(&world, "third").pose, [1.0, 2.0, 0.0], PI);
}

#[test]
fn poses_follow_frames_of_the_world_and_links_of_other_models() {
    let world = world("relative_to.world");
    assert_pose(&model(&world, "at_frame").pose, [11.0, 10.0, 1.0], 0.0);
    assert_pose(&model(&world, "on_link").pose, [0.0, 0.0, 2.0], FRAC_PI_2);
    assert_pose(&world.lights[0].pose, [10.0, 10.0, 3.0], 0.0);
}

#[test]
fn parts_of_links_come_out_in_the_frame_of_their_link() {
    let world = world("link_frames.world");
    let crane = model(&world, "crane");
    let arm = &crane.links[1];
    assert_pose(&arm.pose, [1.0, 0.0, 1.0], FRAC_PI_2);
    assert_pose(&arm.visuals[0].pose, [1.0, 0.0, 0.0], 0.0);
    assert_pose(&arm.visuals[1].pose, [0.0, 0.0, 0.0], -FRAC_PI_2);
    assert_pose(&arm.inertial.as_ref().unwrap().pose, [0.0, 1.0, 0.0], -FRAC_PI_2);
    assert_pose(&arm.collisions[0].pose, [0.0, 0.0, 0.5], 0.0);
}

#[test]
fn a_placement_frame_is_what_the_pose_places() {
    // The foot is half a metre below the model's origin, and it is the foot that stands at (5, 0, 0).
    assert_pose(&model(&world("link_frames.world"), "crane").pose, [5.0, 0.0, 0.5], 0.0);
}

#[test]
fn all_spellings_of_a_rotation_agree() {
    let world = world("rotations.world");
    for name in ["radians", "degrees", "quaternion", "commented"] {
        assert_pose(&model(&world, name).pose, [1.0, 2.0, 3.0], FRAC_PI_2);
    }
    for name in ["missing", "empty"] {
        assert_eq!(model(&world, name).pose, Pose::default());
    }
}

#[test]
fn roll_pitch_yaw_turn_about_fixed_axes_in_that_order() {
    let text = r#"<sdf version="1.6"><world name="w"><model name="m">
        <pose>0 0 0 0.3 0.4 0.5</pose><link name="l"/></model></world></sdf>"#;
    let world = super::read(text).unwrap().content;
    let (roll, pitch, yaw) = world.models[0].pose.roll_pitch_yaw();
    assert!((roll - 0.3).abs() + (pitch - 0.4).abs() + (yaw - 0.5).abs() < 1e-12);
}

#[test]
fn links_of_nested_models_join_the_outer_one() {
    let world = world("nested.world");
    let outer = &world.models[0];
    let names: Vec<&str> = outer.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["link", "beyond", "inner::link"]);
    assert_pose(&outer.links[2].pose, [1.0, 1.0, 0.0], FRAC_PI_2);
    assert_pose(&outer.links[1].pose, [1.0, 2.0, 0.0], FRAC_PI_2);
}
