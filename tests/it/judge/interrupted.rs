//! Sessions whose simulator or node dies under them.

use rustix::process::Signal;
use serde_json::json;

use super::rig::Rig;
use crate::support::process::{is_alive, send};
use crate::support::wait::{poll_until, wait_for};

#[tokio::test]
async fn a_session_whose_node_is_killed_is_stopped_by_the_restart() {
    let rig = Rig::start(&[]).await;
    rig.write_script("def evaluate(sim):\n    pass\n");
    let session = rig.begin(json!({"command": "sleep 1000"})).await;
    rig.wait_for_phase("running").await;
    let node = rig.sim.child_named("sim_api_node");
    send(node, Signal::KILL);
    poll_until("the node's end", || (!is_alive(node)).then_some(()));
    rig.wait_until_running().await;
    let record = rig.get("evaluation/record").await;
    assert_eq!((&record["session_id"], &record["outcome"]), (&json!(session), &json!("stopped")));
    assert_eq!(record["reason"], "the simulator was restarted");
    assert_eq!(rig.get("evaluation/session").await["active"], false);
    let next = rig.judge("def evaluate(sim):\n    sim.finish()\n", json!({})).await;
    assert_eq!(next["outcome"], "finished", "{next}");
}

#[tokio::test]
async fn the_death_of_the_simulator_ends_the_run() {
    let rig = Rig::start(&[]).await;
    rig.write_script("def evaluate(sim):\n    pass\n");
    let session = rig.begin(json!({})).await;
    rig.wait_for_phase("running").await;
    send(rig.sim.child_named("sim_backend"), Signal::KILL);
    let record = wait_for("the record", async || {
        let view = rig.get("evaluation/session").await;
        (view["active"] == false).then_some(())?;
        Some(rig.get(&format!("evaluation/record?session={session}")).await)
    })
    .await;
    assert_eq!(record["outcome"], "script_error", "{record}");
    assert!(record["reason"].as_str().is_some_and(|reason| reason.starts_with("the simulator")), "{record}");
}
