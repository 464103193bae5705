//! A tape gives back what was put on it, to any reader that knows ROS definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use nalgebra::Vector3;
use sim_api::domain::snapshot::ClockReading;
use sim_api::domain::{EntityState, Light, LightState, ModelName, Panel, Picture, Pose, SimTime, Snapshot, Twist};
use sim_api::record::{Speaker, Tape};
use sim_api::ros::msg::geometry_msgs::PoseStamped;
use sim_api::ros::msg::rcl_interfaces::Log;
use sim_api::ros::msg::sensor_msgs::CompressedImage;
use sim_api::ros::msg::sim_api_msgs::{EvaluationStatus, TrafficLights};
use sim_api::ros::msg::std_msgs::{Float64, String as Text};
use sim_api::ros::msg::tf2_msgs::TFMessage;

use crate::support::mcap::read;

fn name(text: &str) -> ModelName {
    ModelName::parse(text).expect("a model name")
}

fn at(x: f64, yaw: f64) -> Pose {
    Pose::upright(x, 0.0, 0.0, yaw)
}

fn state(step: u64, vehicle: Pose, object: Pose, light: LightState) -> Snapshot {
    let clock = ClockReading { sim_time: SimTime::ZERO.plus_steps(step), real_time_s: 0.0, rtf: 1.0, paused: false };
    let forward = vehicle.orientation * Vector3::new(1.5, 0.0, 0.0);
    Snapshot {
        clock: Some(clock),
        vehicle: Some(EntityState {
            name: name("vehicle"),
            pose: vehicle,
            twist: Twist { linear: forward, angular: Vector3::zeros() },
        }),
        objects: vec![EntityState { name: name("box1"), pose: object, twist: Twist::default() }],
        lights: vec![Light { name: name("signal1"), pose: at(0.0, 0.0), panel: Panel::default(), state: light }],
        ..Snapshot::default()
    }
}

/// A tape of three states, two lines, a verdict and a picture.
fn tape() -> Vec<u8> {
    let about = BTreeMap::from([("world".to_owned(), "vehicle_base".to_owned())]);
    let mut tape = Tape::begin(Cursor::new(Vec::new()), about).expect("a tape in memory");
    let yellow = LightState::Yellow { red_at: SimTime::ZERO.plus_steps(620) };
    let states = [
        state(10, at(0.0, 1.0), at(2.0, 0.0), LightState::Green),
        state(20, at(0.1, 1.0), at(2.0, 0.0), yellow),
        state(30, at(0.2, 1.0), at(2.5, 0.0), yellow),
    ];
    for state in &states {
        tape.state(state).expect("a state fits");
    }
    let now = SimTime::ZERO.plus_steps(30);
    tape.line(now, Speaker::StudentError, "Traceback").expect("a line fits");
    tape.line(now, Speaker::Judge, "lap 1").expect("a line fits");
    tape.event(now, "{\"kind\":\"reset\"}".into()).expect("an event fits");
    let status = EvaluationStatus { active: false, outcome: "finished".into(), ..EvaluationStatus::default() };
    tape.evaluation(now, &status).expect("a verdict fits");
    tape.picture(&Picture { stamp: now, jpeg: vec![1, 2, 3].into() }).expect("a picture fits");
    tape.finish().expect("a finished tape").into_inner()
}

#[test]
fn poses_and_speed_come_back_at_their_simulation_time() {
    let bytes = tape();
    let poses = read::<PoseStamped>(&bytes, "/sim/vehicle/pose");
    assert_eq!(poses.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [50_000_000, 100_000_000, 150_000_000]);
    assert_eq!(poses[2].1.pose.position.x, 0.2);
    assert_eq!(poses[2].1.header.frame_id, "world");
    // The velocity is given in the world, the car looks one radian to the left: forward is forward all the same.
    let speeds = read::<Float64>(&bytes, "/sim/vehicle/speed");
    assert!(speeds.iter().all(|(_, speed)| (speed.data - 1.5).abs() < 1e-12));
}

#[test]
fn resting_objects_are_written_once() {
    let moves = read::<TFMessage>(&tape(), "/tf");
    let children = |index: usize| -> Vec<_> {
        moves[index].1.transforms.iter().map(|frame| frame.child_frame_id.clone()).collect()
    };
    assert_eq!(children(0), ["box1", "base_footprint"]);
    assert_eq!(children(1), ["base_footprint"]);
    assert_eq!(children(2), ["box1", "base_footprint"]);
}

#[test]
fn changes_lines_verdict_and_pictures_are_on_it() {
    let bytes = tape();
    let lights = read::<TrafficLights>(&bytes, "/sim/traffic_lights");
    assert_eq!(
        lights.iter().map(|(_, lights)| lights.lights[0].state.as_str()).collect::<Vec<_>>(),
        ["green", "yellow"]
    );
    assert_eq!((lights[1].1.lights[0].red_at.sec, lights[1].1.lights[0].red_at.nanosec), (3, 100_000_000));
    let lines = read::<Log>(&bytes, "/rosout");
    let said: Vec<_> = lines.iter().map(|(_, log)| (log.name.as_str(), log.level, log.msg.as_str())).collect();
    assert_eq!(said, [("student", Log::WARN, "Traceback"), ("judge", Log::INFO, "lap 1")]);
    assert_eq!(read::<EvaluationStatus>(&bytes, "/sim/evaluation")[0].1.outcome, "finished");
    assert_eq!(read::<CompressedImage>(&bytes, "/camera/image_raw/compressed")[0].1.data, [1, 2, 3]);
    assert_eq!(read::<Text>(&bytes, "/sim/overlay").len(), 1);
    assert_eq!(read::<Text>(&bytes, "/sim/evaluation/events")[0].1.data, "{\"kind\":\"reset\"}");
}

#[test]
fn every_definition_names_only_types_that_it_brings() {
    let bytes = tape();
    let summary = mcap::Summary::read(&bytes).expect("a readable end").expect("a summary");
    assert!(summary.schemas.len() >= 7, "{} definitions", summary.schemas.len());
    for schema in summary.schemas.values() {
        let text = std::str::from_utf8(&schema.data).expect("text");
        let brought: BTreeSet<_> = text.lines().filter_map(|line| line.strip_prefix("MSG: ")).collect();
        let fields = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let used = fields.filter(|line| !line.starts_with("MSG: ")).filter_map(|line| line.split([' ', '[']).next());
        for part in used.filter(|part| part.contains('/')) {
            assert!(brought.contains(part), "{} uses {part} and does not bring it", schema.name);
        }
    }
    assert_eq!(summary.metadata_indexes.len(), 1);
}
