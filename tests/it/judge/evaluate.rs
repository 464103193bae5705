//! `sim evaluate`: one evaluation, its record, its exit code, and nothing left.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use sim_api::ros::msg::sim_api_msgs::EvaluationStatus;

use super::commands::{new_mark, with_mark};
use super::rig::{ORIGINAL, WORLD, copy};
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::mcap::read;
use crate::support::process::sim_command;
use crate::support::wait::{poll_until, wait_until};

/// Exit code and record of an evaluation with this script and command.
async fn evaluate(script: &str, command: &str) -> (Option<i32>, Value) {
    let folder = TempFolder::new();
    let domain = TestDomain::claim();
    let mark = new_mark();
    let world = folder.path().join("data/worlds").join(WORLD);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds").join(ORIGINAL), &world);
    fs::write(world.join(format!("evaluations/{ORIGINAL}.py")), script).expect("own folder");
    let log = fs::File::create(folder.path().join("log")).expect("own folder");
    let mut child = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder.path())
        .args(["evaluate", "--data", "data", "--config", "/dev/null", "--world", WORLD, "--rtf", "0"])
        .args(["--command", command, "--json", "record.json", "--mcap", "run.mcap", "--domain", &domain.id.to_string()])
        .env("SIM_API_TEST_MARK", &mark)
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("sim starts");
    let status = poll_until("the end of sim evaluate", || child.try_wait().expect("own child"));
    wait_until("the end of everything it started", || with_mark(&mark).is_empty()).await;
    let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    let record = fs::read(folder.path().join("record.json")).unwrap_or_else(|_| panic!("no record:\n{log}"));
    let recording = fs::read(folder.path().join("run.mcap")).unwrap_or_else(|_| panic!("no recording:\n{log}"));
    assert!(!read::<EvaluationStatus>(&recording, "/sim/evaluation").is_empty());
    (status.code(), serde_json::from_slice(&record).expect("JSON"))
}

#[tokio::test]
async fn a_run_that_finishes_exits_with_zero() {
    let script = "def evaluate(sim):\n    sim.record(4.5)\n    sim.finish()\n";
    let (code, record) = evaluate(script, "echo hello; sleep 1000").await;
    assert_eq!((code, &record["outcome"], &record["record"]), (Some(0), &"finished".into(), &4.5.into()), "{record}");
}

#[tokio::test]
async fn a_run_that_does_not_finish_exits_with_one_and_has_a_record() {
    let script = "def evaluate(sim):\n    if sim.state.run.exit_code == 3:\n        raise ValueError('crashed')\n";
    let (code, record) = evaluate(script, "exit 3").await;
    assert_eq!((code, &record["outcome"]), (Some(1), &"script_error".into()), "{record}");
}

#[tokio::test]
async fn a_student_is_told_where_its_simulator_is() {
    let script = "def evaluate(sim):\n    if sim.state.run.exit_code == 0:\n        sim.finish()\n";
    let ask = r#"python3 -c 'import os, urllib.request as u; u.urlopen(os.environ["SIM_API"] + "/sim/api/status")'"#;
    let (code, record) =
        evaluate(script, &format!("{ask} && echo domain $ROS_DOMAIN_ID $ROS_AUTOMATIC_DISCOVERY_RANGE")).await;
    assert_eq!(code, Some(0), "{record}");
    let log = record["log"].to_string();
    assert!(log.contains("domain ") && log.contains(" LOCALHOST"), "{log}");
}
