//! Sessions with real processes: the way a teacher and a student see them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::rig::Rig;
use crate::support::folder::TempFolder;
use crate::support::http::{Connection, get, request};
use crate::support::process::SimUp;
use crate::support::wait::{poll_until, wait_for};

const WATCH: &str = "def evaluate(sim):\n    pass\n";

#[tokio::test]
async fn the_example_driver_finishes_a_lap_of_the_first_world() {
    let sim = SimUp::start_on(TempFolder::new(), &["--world", "vehicle_base"]);
    let rig = Rig { sim };
    rig.wait_until_running().await;
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/howto/examples/lap_http.py");
    let command = format!("python3 {} --base http://{}", example.display(), rig.sim.address);
    let session = rig.begin(json!({"command": command})).await;
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "finished", "{record}");
    let lap_s = record["record"].as_f64().expect("a lap time");
    assert!(lap_s > 5.0 && lap_s <= record["time_limit_s"].as_f64().expect("a limit") + 100.0, "{lap_s}");
    assert_eq!(
        (&record["world"], &record["better"], &record["reason"]),
        (&json!("vehicle_base"), &json!("lower"), &json!(null))
    );
    let kinds: Vec<_> =
        record["events"].as_array().expect("events").iter().map(|event| event["kind"].clone()).collect();
    for kind in ["phase", "student_start", "record", "end"] {
        assert!(kinds.contains(&json!(kind)), "{kind} in {kinds:?}");
    }
    let rows = record["trajectory"]["rows"].as_array().expect("the car's way");
    let seconds = record["sim_time_s"].as_f64().expect("a time");
    let first = &rows[0];
    assert!(
        rows.len() as f64 > seconds * 10.0 && rows.len() as f64 <= seconds * 20.0 + 2.0,
        "{} rows in {seconds} s",
        rows.len()
    );
    // The car began behind the line, facing along the route.
    let route = rig.get("route").await;
    let point = |index: usize, part: usize| route["waypoints"][index][part].as_f64().expect("a number");
    let ahead = [point(1, 0) - point(0, 0), point(1, 1) - point(0, 1)];
    let back = [point(0, 0) - first[1].as_f64().expect("x"), point(0, 1) - first[2].as_f64().expect("y")];
    let along = (ahead[0] * back[0] + ahead[1] * back[1]) / ahead[0].hypot(ahead[1]);
    assert!(along > 0.135 && along < 0.3, "the car's centre was {along} m behind the line");
    // The board has it, marked as the best.
    let records = rig.get("evaluation/records?world=vehicle_base").await;
    assert_eq!((&records["records"][0]["session_id"], &records["records"][0]["best"]), (&json!(session), &json!(true)));
    let state = rig.get("state").await;
    assert_eq!(
        state["evaluation"],
        json!({"active": false, "session_id": session, "phase": "ended", "record": record["record"]})
    );
    assert_eq!(state["run"]["running"], false);
}

#[tokio::test]
async fn a_start_is_checked_in_the_order_of_the_contract() {
    let rig = Rig::start(&[]).await;
    assert_eq!(get(rig.sim.address, "/sim/api/evaluation/record").await.status, 404);
    assert_eq!(rig.get("evaluation/session").await, json!({"active": false, "session": null}));
    for body in [
        json!({"command": ""}),
        json!({"command": " \t"}),
        json!({"command": "x".repeat(2001)}),
        json!({"command": 5}),
        json!({"time_limit_s": 0}),
        json!({"time_limit_s": -1}),
        json!({"time_limit_s": 3600.5}),
        json!({"time_limit_s": "10"}),
        json!({"seed": 1.5}),
    ] {
        assert_eq!(rig.post("evaluation/start", body.clone()).await.status, 400, "{body}");
    }
    rig.write_script(" \n");
    let none = rig.post("evaluation/start", json!({})).await;
    assert_eq!((none.status, &none.json()["error"]), (404, &json!("world has no evaluation")));
    assert_eq!(get(rig.sim.address, "/sim/api/evaluation").await.status, 404);
    rig.write_script(WATCH);
    assert_eq!(rig.get("evaluation").await["script"], WATCH);
    let started = rig.post("evaluation/start", json!({"command": "sleep 1000", "time_limit_s": 3600})).await.json();
    assert_eq!((&started["ok"], &started["session"]["session_id"]), (&json!(true), &started["session_id"]));
    assert_eq!((&started["session"]["world"], &started["session"]["time_limit_s"]), (&json!("judged"), &json!(3600.0)));
    let state = rig.get("state").await;
    assert_eq!(state["evaluation"]["active"], true, "a start is in the next read");
    let second = rig.post("evaluation/start", json!({})).await;
    assert_eq!((second.status, second.code().as_str()), (409, "session_active"));
    assert_eq!(rig.post("evaluation/start", json!({"command": ""})).await.status, 400, "values come first");
    rig.write_script("");
    assert_eq!(rig.post("evaluation/start", json!({})).await.status, 404, "the evaluation comes before the session");
    assert_eq!(rig.post("evaluation/stop", json!({})).await.json(), json!({"ok": true}));
}

#[tokio::test]
async fn what_this_simulator_cannot_judge_is_over_at_once() {
    let rig = Rig::start(&[]).await;
    rig.write_script(WATCH);
    for document in [json!({"version": 1, "config": {"robot": "boat"}}), json!({"version": 2, "config": {}})] {
        rig.write_config(&document);
        let answer = rig.post("evaluation/start", json!({"command": "touch launched"})).await;
        assert_eq!(answer.status, 200);
        let session = answer.json()["session"].clone();
        assert_eq!((&session["phase"], &session["outcome"]), (&json!("ended"), &json!("unsupported")), "{session}");
        let record = rig.get("evaluation/record").await;
        assert_eq!((&record["session_id"], &record["outcome"]), (&session["session_id"], &json!("unsupported")));
        assert!(
            record["reason"].as_str().is_some_and(|reason| reason.contains("boat") || reason.contains("version 2"))
        );
    }
    assert!(!rig.sim.folder.path().join("launched").exists());
}

#[tokio::test]
async fn stop_answers_when_the_student_is_dead_and_may_be_asked_again() {
    let rig = Rig::start(&[]).await;
    assert_eq!(rig.post("evaluation/stop", json!({})).await.json(), json!({"ok": true}), "there is nothing to stop");
    rig.write_script(WATCH);
    let folder = rig.sim.folder.path().to_owned();
    let command = format!("cd {}; (setsid sleep 1000 &); sleep 1000", folder.display());
    let session = rig.begin(json!({"command": command})).await;
    poll_until("both sleepers", || (sleepers_in(&folder) == 2).then_some(()));
    rig.wait_for_phase("running").await;
    assert_eq!(rig.get("state").await["run"], json!({"running": true, "exit_code": null}));
    assert_eq!(rig.post("evaluation/stop", json!({})).await.json(), json!({"ok": true}));
    assert_eq!(sleepers_in(&folder), 0, "nothing is left");
    let record = rig.get(&format!("evaluation/record?session={session}")).await;
    assert_eq!((&record["outcome"], &record["reason"]), (&json!("stopped"), &json!(null)));
    assert_eq!(rig.post("evaluation/stop", json!({})).await.json(), json!({"ok": true}));
}

#[tokio::test]
async fn the_time_limit_is_simulation_time_and_a_paused_session_waits() {
    let rig = Rig::start(&[]).await;
    rig.write_script("def evaluate(sim):\n    sim.record(sim.state.time)\n");
    let session = rig.begin(json!({"time_limit_s": 1.0})).await;
    rig.wait_for_phase("running").await;
    assert_eq!(rig.post("pause", json!({"paused": true})).await.status, 200);
    let view = rig.get("evaluation/session").await;
    if view["active"] == true {
        let time = rig.get("clock").await["sim_time"].clone();
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        assert_eq!(rig.get("clock").await["sim_time"], time);
        assert_eq!(rig.get("evaluation/session").await["active"], true, "a paused session waits");
    }
    rig.post("pause", json!({"paused": false})).await;
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "timeout", "{record}");
    assert!(record["sim_time_s"].as_f64().is_some_and(|time| time > 1.0 && time < 2.0), "{record}");
    let listed = rig.get("evaluation/records").await;
    assert_eq!(listed["records"][0]["best"], false, "a timeout is never ranked");
}

#[tokio::test]
async fn a_student_that_fails_ends_the_default_judgement_with_its_last_lines() {
    let rig = Rig::start(&[]).await;
    let session = rig.begin(json!({"command": "echo one; echo two >&2; exit 3"})).await;
    let record = rig.record_of(&session).await;
    assert_eq!((&record["outcome"], &record["student"]["exit_code"]), (&json!("script_error"), &json!(3)), "{record}");
    let reason = record["reason"].as_str().expect("a reason");
    assert!(reason.contains("ended with code 3") && reason.contains("  one") && reason.contains("  two"), "{reason}");
}

#[tokio::test]
async fn events_tell_the_whole_story() {
    let rig = Rig::start(&[]).await;
    rig.write_script(
        "seen = 0\ndef initialize(sim):\n    print('here we go')\ndef evaluate(sim):\n    global seen\n    \
         if not sim.state.run.running and sim.state.run.exit_code is not None:\n        seen += 1\n    \
         if seen == 3:\n        sim.record({'code': sim.state.run.exit_code})\n        sim.finish()\n",
    );
    let mut events = Connection::open(rig.sim.address).await;
    events.send(&request("GET", "/sim/api/events", "", b"")).await;
    assert!(events.event_stream().await);
    let command = "echo out; echo err >&2; python3 -c 'print(\"x\" * 5000)'; kill -TERM $$";
    let session = rig.begin(json!({"command": command})).await;
    let mut told = Vec::new();
    while told.last().is_none_or(|event: &Value| event["kind"] != "end") {
        let event = events.event().await.expect("the stream goes on");
        let Some(data) = event.strip_prefix("event: run\ndata: ").or(event.strip_prefix("event: evaluation\ndata: "))
        else {
            continue;
        };
        told.push(serde_json::from_str::<Value>(data.trim()).expect("events are JSON"));
    }
    let of_session = told.iter().filter(|event| event.get("kind").is_some());
    assert!(of_session.clone().all(|event| event["session_id"] == session.as_str() && event["t"].is_f64()), "{told:?}");
    assert_eq!(told[0]["session"]["phase"], "starting", "{told:?}");
    // What belongs together comes in this order; the two streams of a program may overtake each other, as they do in a terminal.
    let story = |is_part: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        let part = told.iter().filter(|event| is_part(event)).cloned();
        let bare = part.map(|mut event| {
            let fields = event.as_object_mut().expect("an object");
            fields.retain(|key, _| !["session", "session_id", "t"].contains(&key.as_str()));
            event
        });
        bare.collect()
    };
    let verdict = json!({"code": -15});
    let session_only = story(&|event| event.get("kind").is_some());
    let expected = [
        json!({"kind": "start"}),
        json!({"kind": "phase", "phase": "initializing"}),
        json!({"kind": "log", "line": "here we go"}),
        json!({"kind": "phase", "phase": "running"}),
        json!({"kind": "record", "value": verdict}),
        json!({"kind": "phase", "phase": "ended"}),
        json!({"kind": "end", "outcome": "finished", "record": verdict, "reason": null}),
    ];
    assert_eq!(session_only, expected);
    let stdout = story(&|event| event.get("kind").is_none() && event["stream"] != "stderr");
    let expected = [
        json!({"phase": "start", "command": command}),
        json!({"phase": "log", "stream": "stdout", "line": "out"}),
        json!({"phase": "log", "stream": "stdout", "line": "x".repeat(4096), "truncated": true}),
        json!({"phase": "exit", "exit_code": -15}),
    ];
    assert_eq!(stdout, expected);
    let stderr = story(&|event| event["stream"] == "stderr");
    assert_eq!(stderr, [json!({"phase": "log", "stream": "stderr", "line": "err"})]);
    // And the two parts of the story fit together.
    let at = |wanted: &Value| {
        let has =
            |event: &Value| wanted.as_object().expect("an object").iter().all(|(key, value)| event[key] == *value);
        told.iter().position(has).unwrap_or_else(|| panic!("{wanted} in {told:?}"))
    };
    let marks = [
        json!({"kind": "phase", "phase": "running"}),
        json!({"phase": "start"}),
        json!({"stream": "stderr"}),
        json!({"phase": "exit"}),
        json!({"kind": "record"}),
        json!({"kind": "phase", "phase": "ended"}),
    ];
    assert!(marks.iter().map(at).is_sorted(), "{told:?}");
    let times: Vec<_> = told.iter().filter_map(|event| event["t"].as_f64()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[tokio::test]
async fn resets_and_moves_from_outside_are_noted_and_another_world_ends_the_run() {
    let rig = Rig::start(&[]).await;
    rig.write_script(WATCH);
    let session = rig.begin(json!({})).await;
    rig.wait_for_phase("running").await;
    assert_eq!(rig.post("reset", json!({})).await.status, 200);
    assert_eq!(rig.post("pose", json!({"x": 0.5})).await.status, 200);
    assert_eq!(rig.get("evaluation/session").await["active"], true);
    assert_eq!(rig.post("respawn", json!({})).await.status, 200);
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "script_error", "{record}");
    assert_eq!(record["reason"], "the world was respawned during the run");
    let kinds: Vec<_> =
        record["events"].as_array().expect("events").iter().map(|event| event["kind"].clone()).collect();
    assert!(kinds.contains(&json!("reset")) && kinds.contains(&json!("moved")), "{kinds:?}");

    let session = rig.begin(json!({})).await;
    rig.wait_for_phase("running").await;
    assert_eq!(rig.post("switch", json!({"world": "vehicle_oval.world"})).await.status, 200);
    let record = rig.record_of(&session).await;
    assert_eq!((&record["outcome"], &record["world"]), (&json!("script_error"), &json!("judged")));
    assert!(record["reason"].as_str().is_some_and(|reason| reason.contains("switched")), "{record}");
}

#[tokio::test]
async fn actions_are_done_when_they_return_and_refused_in_the_words_of_the_api() {
    let rig = Rig::start(&[]).await;
    let record = rig
        .judge(
            r#"
def refused(call, *args, **fields):
    try:
        call(*args, **fields)
    except RuntimeError as problem:
        return str(problem)

def initialize(sim):
    sim.teleport(1.0, 2.0, 0.5)
    sim.overlay("Go", 5, 2)
    sim.set_brightness(0.5)

seen = None

def evaluate(sim):
    global seen
    if seen is None:
        seen = {
            "pose": [round(sim.state.pose.x, 3), round(sim.state.pose.y, 3), round(sim.state.pose.yaw, 3)],
            "brightness": sim.state.brightness,
            "refused": [
                refused(sim.move_object, "nothing", 1),
                refused(sim.move_object, "vehicle", 1),
                refused(sim.teleport, x=101),
                refused(sim.set_light, "nothing", "red"),
                refused(sim.set_light, "nothing", "blue"),
                refused(sim.overlay, "x" * 301),
                refused(sim.set_brightness, 3),
            ],
        }
        sim.teleport(path=[[2.0, 2.0]], speed=1.0)
        sim.record(seen)
    elif sim.state.pose.x > 1.5:
        sim.finish()
"#,
            json!({}),
        )
        .await;
    assert_eq!(record["outcome"], "finished", "{record}");
    assert_eq!(record["record"]["pose"], json!([1.0, 2.0, 0.5]));
    assert_eq!(record["record"]["brightness"], 0.5);
    let refused = [
        "no such model: nothing",
        "use POST /pose for the vehicle",
        "position out of range",
        "no such traffic light: nothing",
        "the state of a light must be \"red\" or \"green\"",
        "the text may have at most 300 characters",
        "the brightness must be from 0.2 to 2",
    ];
    assert_eq!(record["record"]["refused"], json!(refused));
    let commands: Vec<_> =
        record["commands"].as_array().expect("commands").iter().map(|entry| entry["command"].clone()).collect();
    assert!(commands.contains(&json!("set_pose")) && commands.contains(&json!("follow_path")), "{commands:?}");
    let kinds: Vec<_> =
        record["events"].as_array().expect("events").iter().map(|event| event["kind"].clone()).collect();
    assert!(!kinds.contains(&json!("moved")), "the script's own moves are no events: {}", record["events"]);
    wait_for("the text", async || (rig.get("overlay").await["text"] == "Go").then_some(())).await;
}

/// Processes that sleep in this folder, in whichever namespace.
fn sleepers_in(folder: &Path) -> usize {
    let processes = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
    let here = processes.filter(|process| fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == folder));
    here.filter(|process| fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "sleep")).count()
}
