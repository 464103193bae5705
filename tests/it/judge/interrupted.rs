//! Sessions whose simulator or node dies under them.

use std::fs;
use std::path::Path;

use rustix::process::Signal;
use serde_json::json;
use sim_api::ros::msg::simulation_interfaces::{SimulationState, SimulatorFeatures as Feature};
use sim_api::ros::{Node, NodeOptions};

use super::rig::{ORIGINAL, Rig, WORLD, copy};
use crate::bridge::stand_in::{PREFIX, StandIn};
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::http::{get, post};
use crate::support::process::{Lone, free_address, is_alive, send};
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

/// Ours never does that, so another simulator does: it answers, nobody has paused it, and its time stands.
#[tokio::test(flavor = "multi_thread")]
async fn a_simulation_that_stands_although_nobody_paused_it_ends_the_run() {
    let (folder, domain, address) = (TempFolder::new(), TestDomain::claim(), free_address());
    let world = folder.path().join("data/worlds").join(WORLD);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds").join(ORIGINAL), &world);
    let script = "def initialize(sim):\n    pass\ndef evaluate(sim):\n    pass\n";
    fs::write(world.join(format!("evaluations/{ORIGINAL}.py")), script).expect("own folder");
    let ros = Node::open(NodeOptions::new("other_sim", domain.id)).expect("a node opens");
    let other = StandIn::start(&ros, &[Feature::ENTITY_STATE_GETTING, Feature::ENTITY_STATE_SETTING]);
    let (id, bind) = (domain.id.to_string(), address.to_string());
    let _node = Lone::start(
        "sim_api_node",
        folder.path(),
        &[
            "--config=/dev/null",
            "--data=data",
            "--world",
            WORLD,
            "--domain",
            &id,
            "--bind",
            &bind,
            "--backend=external",
            "--backend-prefix",
            PREFIX,
            "--evaluation-standstill-s=2",
        ],
    );
    wait_for("a write that succeeds", async || {
        tokio::net::TcpStream::connect(address).await.ok()?;
        (post(address, "/sim/api/pose", "{}").await.status == 200).then_some(())
    })
    .await;
    let started = post(address, "/sim/api/evaluation/start", "{}").await;
    assert_eq!(started.status, 200, "{}", started.json());
    let view = async || get(address, "/sim/api/evaluation/session").await.json()["session"].clone();
    wait_for("time that goes on", async || {
        let view = view().await;
        assert_ne!(view["phase"], "ended", "{view}");
        (view["elapsed_s"].as_f64()? > 0.3).then_some(())
    })
    .await;
    other.inside().state = SimulationState::STATE_PAUSED;
    let ended = wait_for("its end", async || Some(view().await).filter(|view| view["phase"] == "ended")).await;
    assert_eq!(ended["outcome"], "script_error", "{ended}");
    assert_eq!(ended["reason"], "the simulation stood still for 2 s");
    let record = get(address, "/sim/api/evaluation/record").await.json();
    assert!(record["events"].to_string().contains("commands_not_kept"), "it cannot be repeated: {record}");
}
