//! Every session leaves a recording beside its record.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use sim_api::ros::msg::geometry_msgs::PoseStamped;
use sim_api::ros::msg::rcl_interfaces::Log;
use sim_api::ros::msg::sensor_msgs::CompressedImage;
use sim_api::ros::msg::sim_api_msgs::EvaluationStatus;
use sim_api::ros::msg::std_msgs::String as Text;

use super::rig::Rig;
use crate::support::http::{Answer, get};
use crate::support::mcap::read;
use crate::support::process::{is_alive, send};
use crate::support::wait::poll_until;

/// Watches for half a simulated second, and until the student's program has ended.
const SCRIPT: &str = "first = None\n\n\
    def initialize(sim):\n    sim.overlay('go')\n\n\
    def evaluate(sim):\n    global first\n    first = first or sim.state.time\n    \
    if sim.state.time - first >= 0.5 and sim.state.run.exit_code == 0:\n        print('enough')\n        sim.record(7)\n        sim.finish()\n";

async fn recording(rig: &Rig, session: &str) -> Answer {
    get(rig.sim.address, &format!("/sim/api/evaluation/records/{session}/mcap")).await
}

#[tokio::test]
async fn a_session_can_be_seen_again() {
    let rig = Rig::start(&[]).await;
    let record = rig.judge(SCRIPT, json!({"command": "echo hello; echo oh >&2"})).await;
    let session = record["session_id"].as_str().expect("an identity");
    assert_eq!((&record["outcome"], &record["mcap"]), (&json!("finished"), &json!(true)), "{record}");
    assert_eq!(rig.get("evaluation/record").await["mcap"], true);
    assert_eq!(rig.get("evaluation/records").await["records"][0]["mcap"], true);
    let answer = recording(&rig, session).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/octet-stream")));
    let disposition = format!("attachment; filename=\"{session}.mcap\"");
    assert_eq!(answer.header("content-disposition"), Some(disposition.as_str()));

    let poses = read::<PoseStamped>(&answer.body, "/sim/vehicle/pose");
    let first_ns = (record["start"]["time"].as_f64().expect("a time") * 1e9) as u64;
    let during = poses.iter().filter(|(time, _)| *time >= first_ns).count();
    let expected = record["sim_time_s"].as_f64().expect("a time") * 20.0;
    assert!(during as f64 > expected * 0.4 && during as f64 <= expected + 4.0, "{during} poses, not {expected}");
    assert!(poses.windows(2).all(|pair| pair[0].0 <= pair[1].0), "in the order of their times");
    // Where the record saw the car, the tape saw it as well.
    let row = &record["trajectory"]["rows"][0];
    let at = |pose: &PoseStamped| (pose.pose.position.x - row[1].as_f64().expect("x")).abs() < 1e-5;
    assert!(poses.iter().any(|(_, pose)| at(pose)), "{row}");

    let lines: BTreeSet<_> =
        read::<Log>(&answer.body, "/rosout").into_iter().map(|(_, log)| (log.name, log.level, log.msg)).collect();
    let said = |name: &str, level, line: &str| (name.to_owned(), level, line.to_owned());
    for line in
        [said("student", Log::INFO, "hello"), said("student", Log::WARN, "oh"), said("judge", Log::INFO, "enough")]
    {
        assert!(lines.contains(&line), "{line:?} in {lines:?}");
    }
    let statuses = read::<EvaluationStatus>(&answer.body, "/sim/evaluation");
    let mut phases: Vec<_> = statuses.iter().map(|(_, status)| status.phase.as_str()).collect();
    phases.dedup();
    assert_eq!(phases, ["starting", "initializing", "running", "ended"]);
    let last = &statuses.last().expect("a verdict").1;
    assert_eq!((last.active, last.outcome.as_str(), last.record.as_str()), (false, "finished", "7"));
    let events: Vec<Value> = read::<Text>(&answer.body, "/sim/evaluation/events")
        .iter()
        .map(|(_, text)| serde_json::from_str(&text.data).expect("JSON"))
        .collect();
    assert_eq!(json!(events), record["events"], "the same as in the record");
    let overlays: Vec<_> = read::<Text>(&answer.body, "/sim/overlay").into_iter().map(|(_, text)| text.data).collect();
    assert!(overlays.contains(&"go".to_owned()), "{overlays:?}");
    // Without the setting nobody pays for pictures.
    assert!(read::<CompressedImage>(&answer.body, "/camera/image_raw/compressed").is_empty());
}

#[tokio::test]
async fn what_is_no_session_has_no_recording() {
    let rig = Rig::start(&[]).await;
    let config = json!({"version": 1, "config": {"robot": "another"}});
    rig.write_config(&config);
    let unsupported = rig.begin(json!({})).await;
    assert_eq!(rig.get("evaluation/record").await["mcap"], false);
    fs::write(rig.sim.folder.path().join("data/secret.mcap"), "secret").expect("own folder");
    for session in [unsupported.as_str(), "20200101-000000-000", "..%2Fsecret", "%2e%2e%2fsecret", "open_session"] {
        let answer = recording(&rig, session).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "no_recording"), "{session}");
    }
}

#[tokio::test]
async fn a_session_whose_node_is_killed_has_no_recording_and_leaves_no_half_of_one() {
    let rig = Rig::start(&[]).await;
    rig.write_script("def evaluate(sim):\n    pass\n");
    let session = rig.begin(json!({})).await;
    rig.wait_for_phase("running").await;
    let folder = rig.sim.folder.path().join("data/records");
    let names = || -> BTreeSet<String> {
        let files = fs::read_dir(&folder).expect("the folder of the records").flatten();
        files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
    };
    assert!(names().iter().any(|name| name.starts_with(".tape-")), "{:?}", names());
    let node = rig.sim.child_named("sim_api_node");
    send(node, Signal::KILL);
    poll_until("the node's end", || (!is_alive(node)).then_some(()));
    rig.wait_until_running().await;
    assert_eq!(rig.get("evaluation/record").await["mcap"], false);
    assert_eq!(recording(&rig, &session).await.code(), "no_recording");
    assert_eq!(names(), BTreeSet::from([format!("{session}.json")]));
}

#[tokio::test]
async fn a_setting_adds_what_the_camera_sees() {
    let rig = Rig::start(&["--evaluation-camera"]).await;
    let script = "first = None\n\ndef evaluate(sim):\n    global first\n    first = first or sim.state.time\n    \
        if sim.state.time - first >= 5:\n        sim.finish()\n";
    let record = rig.judge(script, json!({})).await;
    let answer = recording(&rig, record["session_id"].as_str().expect("an identity")).await;
    let pictures = read::<CompressedImage>(&answer.body, "/camera/image_raw/compressed");
    assert!(!pictures.is_empty(), "{record}");
    for (_, picture) in &pictures {
        assert_eq!((picture.format.as_str(), &picture.data[..2]), ("jpeg", &[0xff, 0xd8][..]));
    }
}
