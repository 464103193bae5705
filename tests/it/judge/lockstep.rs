//! Sessions in which the simulator waits for the script: the same seed gives the same record.

use serde_json::{Value, json};

use super::rig::Rig;
use crate::support::wait::wait_for;

/// Drives the car along the route by itself and judges it.
const DRIVER: &str = r#"
def initialize(sim):
    print("initialized")

started = None

def evaluate(sim):
    global started
    if started is None:
        started = sim.state.time
        sim.teleport(path=sim.track.waypoints[:40], speed=1.5)
    driven = sim.state.time - started
    # Between two observations: differences of times end in different digits at different times.
    if driven > 2.99:
        sim.record([sim.state.pose.x, sim.state.pose.y, sim.state.pose.yaw])
        print("done")
        sim.finish()
"#;

/// Waits for what a client drives.
const OBSERVER: &str = r#"
states = []

def evaluate(sim):
    states.append([sim.state.pose.x, sim.state.pose.y, sim.state.pose.speed])
    if len(states) == 101:
        sim.record(states)
        sim.finish()
"#;

/// Counts its calls and holds time in each of them.
const HOLDER: &str = r#"
calls = 0

def evaluate(sim):
    global calls
    calls += 1
    sim.record(calls)
    sim.pause()
"#;

/// What two equal runs have in common.
fn essence(record: &Value) -> Value {
    let lines: Vec<_> =
        record["log"].as_array().expect("a log").iter().map(|line| json!([line["t"], line["line"]])).collect();
    json!({
        "outcome": record["outcome"], "record": record["record"], "sim_time_s": record["sim_time_s"],
        "trajectory": {"rows": record["trajectory"]["rows"]}, "way": record["digests"]["trajectory"], "log": lines, "seed": record["seed"],
    })
}

#[tokio::test]
async fn a_driver_inside_the_script_gives_the_same_record_twice() {
    let rig = Rig::start(&["--rtf", "0"]).await;
    let mut runs = Vec::new();
    for _ in 0..2 {
        let record = rig.judge(DRIVER, json!({"seed": 5})).await;
        assert_eq!((&record["outcome"], &record["lockstep"]), (&json!("finished"), &json!(true)), "{record}");
        runs.push(essence(&record));
    }
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0]["trajectory"]["rows"].as_array().expect("rows").len(), 61, "{}", runs[0]["trajectory"]);
}

#[tokio::test]
async fn a_driver_that_steps_gives_the_same_record_twice() {
    let rig = Rig::start(&["--evaluation-lockstep=true"]).await;
    let mut runs = Vec::new();
    for _ in 0..2 {
        assert_eq!(rig.post("pause", json!({"paused": true})).await.status, 200);
        rig.write_script(OBSERVER);
        let session = rig.begin(json!({"seed": 11})).await;
        rig.wait_for_phase("running").await;
        let mut step = 0;
        while rig.get("evaluation/session").await["active"] == true {
            let steering = f64::from(step % 7) * 0.05 - 0.15;
            let answer = rig.post("step", json!({"steps": 20, "speed": 0.8, "steering": steering})).await;
            // The last one may come when the session is over.
            assert!(answer.status == 200 || answer.status == 409, "{}", answer.json());
            step += 1;
        }
        let record = rig.record_of(&session).await;
        assert_eq!(record["outcome"], "finished", "{record}");
        let commands = record["commands"].as_array().expect("commands");
        let drives = commands.iter().filter(|entry| entry["command"] == "drive").count();
        assert!(drives >= 20, "{commands:?}");
        runs.push(essence(&record));
    }
    assert_eq!(runs[0], runs[1]);
    assert_eq!(rig.get("clock").await["paused"], true, "time stands as it did before");
}

#[tokio::test]
async fn time_goes_on_by_itself_unless_it_is_held() {
    let rig = Rig::start(&["--evaluation-lockstep=true"]).await;
    let record = rig.judge("def evaluate(sim):\n    if sim.state.time > start + 0.5: sim.finish()\ndef initialize(sim):\n    global start\n    start = sim.state.time\n", json!({})).await;
    assert_eq!(record["outcome"], "finished", "{record}");
    assert_eq!(rig.get("clock").await["paused"], false, "time goes on as it did before");
    // A script that holds time is shown nothing more, until somebody lets time go on.
    rig.write_script(HOLDER);
    rig.begin(json!({"time_limit_s": 5})).await;
    let recorded = async |count: u32| {
        wait_for("another call", async || {
            (rig.get("evaluation/session").await["session"]["record"] == count).then_some(())
        })
        .await;
    };
    recorded(1).await;
    assert_eq!(rig.post("step", json!({"steps": 4})).await.status, 200);
    recorded(2).await;
    assert_eq!(rig.post("pause", json!({"paused": false})).await.status, 200);
    recorded(3).await;
    assert_eq!(rig.post("evaluation/stop", json!({})).await.status, 200);
    assert_eq!(rig.get("evaluation/record").await["outcome"], "stopped");
}
