//! `sim replay`: a recorded run happens again, bit for bit, although a student drove it over topics and time ran by itself.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use sim_api::ros::msg::geometry_msgs::{Twist, Vector3};
use sim_api::ros::msg::std_msgs::Float64;
use sim_api::ros::{Node, NodeOptions, topics};

use super::rig::Rig;
use crate::support::process::sim_command;
use crate::support::wait::{poll_until, wait_for, wait_until};

/// Moves things about, and ends when the car has come far enough.
const SCRIPT: &str = r#"
start = None

def initialize(sim):
    for name, pose in sim.origins.items():
        sim.move_object(name, x=pose.x + 0.05)
        break

def evaluate(sim):
    global start
    if start is None:
        start = (sim.state.pose.x, sim.state.pose.y)
    driven = abs(sim.state.pose.x - start[0]) + abs(sim.state.pose.y - start[1])
    if driven > 1.0:
        sim.finish()
"#;

/// Exit code and words of `sim replay`.
fn replay(rig: &Rig, record: &str) -> (Option<i32>, String) {
    let folder = rig.sim.folder.path();
    let mut child = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder)
        .args(["replay", record, "--data", "data", "--config", "/dev/null"])
        .stdout(fs::File::create(folder.join("replay.out")).expect("own folder"))
        .stderr(fs::File::create(folder.join("replay.err")).expect("own folder"))
        .stdin(Stdio::null())
        .spawn()
        .expect("sim starts");
    let status = poll_until("the end of sim replay", || child.try_wait().expect("own child"));
    let words = ["replay.out", "replay.err"].map(|name| fs::read_to_string(folder.join(name)).expect("own file"));
    (status.code(), words.concat())
}

/// How many different speeds the car was told.
fn speeds(record: &Value) -> usize {
    let commands = record["commands"].as_array().expect("commands").iter();
    let mut speeds: Vec<_> =
        commands.filter(|entry| entry["command"] == "drive").map(|entry| entry["speed_m_s"].to_string()).collect();
    speeds.sort_unstable();
    speeds.dedup();
    speeds.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_driven_over_topics_happens_again() {
    let rig = Rig::start(&[]).await;
    rig.write_script(SCRIPT);
    let student = Node::open(NodeOptions::new("student", rig.sim.domain.id)).expect("a node opens");
    let speed = student.publisher(&topics::SPEED).expect("a publisher opens");
    let twist = student.publisher(&topics::CMD_VEL).expect("a publisher opens");
    wait_until("the robot", || speed.subscriber_count() == 1 && twist.subscriber_count() == 1).await;
    let session = rig.begin(json!({"seed": 5})).await;
    rig.wait_for_phase("running").await;
    let mut wished = 0.5;
    wait_for("the end of the run", async || {
        // Three ways to say it, and never the same twice.
        wished += 0.003;
        speed.publish(Float64 { data: wished });
        rig.post("drive", json!({"speed": wished + 0.1, "steering": 0.02})).await;
        let (linear, angular) =
            (Vector3 { x: wished + 0.2, ..Vector3::default() }, Vector3 { z: -0.1, ..Vector3::default() });
        twist.publish(Twist { linear, angular });
        (rig.get("evaluation/session").await["active"] == false).then_some(())
    })
    .await;
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "finished", "{record}");
    assert!(speeds(&record) > 10, "the drives are in the record: {}", record["commands"]);
    assert!(record["trajectory"]["rows"].as_array().expect("rows").len() > 5, "{record}");
    let (code, words) = replay(&rig, &session);
    assert_eq!(code, Some(0), "{words}{}", record["commands"]);
    assert!(words.starts_with("the same"), "{words}");

    // As a file, and as one whose driver wanted a little more from some time on.
    let mut other = record.clone();
    let commands = other["commands"].as_array_mut().expect("commands");
    let drives = commands.iter_mut().filter(|entry| entry["command"] == "drive" && entry["speed_m_s"] != 0.0);
    for drive in drives.skip(5) {
        drive["speed_m_s"] = json!(drive["speed_m_s"].as_f64().expect("a speed") + 0.01);
    }
    for (name, document, expected) in [("same.json", &record, Some(0)), ("other.json", &other, Some(1))] {
        fs::write(rig.sim.folder.path().join(name), document.to_string()).expect("own folder");
        let (code, words) = replay(&rig, name);
        assert_eq!(code, expected, "{words}");
    }
    let (_, words) = replay(&rig, "other.json");
    assert!(words.starts_with("different: row "), "it says where: {words}");
}

/// Drives in all directions for as long as it is let.
const STUDENT: &str = r#"
import json, os, time, urllib.request
wished = 0.4
while True:
    wished += 0.007
    body = json.dumps({"speed": wished, "steering": 0.3 * (-1) ** int(wished * 10)}).encode()
    urllib.request.urlopen(os.environ["SIM_API"] + "/sim/api/drive", body).read()
    time.sleep(0.03)
"#;

/// Leaves everything where it is, and says where that is.
const ONLOOKER: &str = r#"
start = None

def initialize(sim):
    pass

def evaluate(sim):
    global start
    if start is None:
        start = (sim.state.pose.x, sim.state.pose.y)
        sim.record({name: [pose.x, pose.y, pose.yaw] for name, pose in sim.state.objects.items()})
    if abs(sim.state.pose.x - start[0]) + abs(sim.state.pose.y - start[1]) > 1.0:
        sim.finish()
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_a_seed_in_a_world_that_is_no_longer_new_happens_again() {
    let rig = Rig::start(&[]).await;
    fs::write(rig.sim.folder.path().join("student.py"), STUDENT).expect("own folder");
    rig.write_script(ONLOOKER);
    // Something has been moved, and the car is on its way.
    let objects = rig.get("objects").await;
    let object = objects["objects"].as_array().expect("objects").iter().find(|object| object["movable"] == true);
    let object = object.expect("something movable")["name"].as_str().expect("a name").to_owned();
    let place = json!({"x": 3.25, "y": 2.5, "yaw": 0.75});
    assert_eq!(rig.post(&format!("models/{object}/pose"), place).await.status, 200);
    rig.post("drive", json!({"speed": 1.0, "steering": 0.2})).await;
    for round in 0..2 {
        let session = rig.begin(json!({"command": "exec python3 student.py"})).await;
        let record = rig.record_of(&session).await;
        assert_eq!(record["outcome"], "finished", "round {round}: {record}");
        let kept: Vec<f64> =
            record["record"][&object].as_array().expect("a place").iter().filter_map(Value::as_f64).collect();
        let off = kept.iter().zip([3.25, 2.5, 0.75]).map(|(is, was)| (is - was).abs()).fold(0.0, f64::max);
        assert!(off < 1e-3, "what was moved stays where it is: {kept:?}");
        assert!(speeds(&record) > 3, "the student has driven: {}", record["commands"]);
        let (code, words) = replay(&rig, &session);
        assert_eq!(code, Some(0), "round {round}: {words}{}", record["commands"]);
    }
}

#[tokio::test]
async fn what_cannot_be_repeated_says_why() {
    let rig = Rig::start(&[]).await;
    let mut record = rig.judge("def evaluate(sim):\n    sim.finish()\n", json!({})).await;
    let (code, words) = replay(&rig, record["session_id"].as_str().expect("an identity"));
    assert_eq!(code, Some(0), "{words}");
    // As another simulator leaves it, which loads no world for a run.
    record["commands"].as_array_mut().expect("commands").remove(0);
    fs::write(rig.sim.folder.path().join("other.json"), record.to_string()).expect("own folder");
    let (code, words) = replay(&rig, "other.json");
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("its world was not loaded for it"), "{words}");
    let (code, words) = replay(&rig, "no_such_session");
    assert_eq!(code, Some(2), "{words}");
}
