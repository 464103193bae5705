//! `sim up` heals: any of its children may be killed, and the API works again.

use rustix::process::Signal;

use crate::support::http::{get, post};
use crate::support::process::{SimUp, send};
use crate::support::wait::wait_for;

#[tokio::test(flavor = "multi_thread")]
async fn every_killed_child_comes_back_and_everything_works() {
    let sim = SimUp::start();
    ready(&sim).await;
    for name in ["sim_backend", "robot_stack", "sim_api_node"] {
        let old = sim.child_named(name);
        send(old, Signal::KILL);
        wait_for("a new child", async || (sim.child_named(name) != old).then_some(())).await;
        ready(&sim).await;
    }
    let status = get(sim.address, "/sim/api/status").await.json();
    assert!(status["epoch"].as_u64().unwrap() >= 2, "the new simulator began a new epoch: {status}");
}

/// A write succeeds and is seen by the next read.
async fn ready(sim: &SimUp) {
    wait_for("a write that succeeds", async || {
        tokio::net::TcpStream::connect(sim.address).await.ok()?;
        let answer = post(sim.address, "/sim/api/pose", "{\"x\": 1.25, \"yaw\": 0.5}").await;
        (answer.status == 200).then_some(())
    })
    .await;
    let pose = get(sim.address, "/sim/api/pose").await.json();
    assert!((pose["x"].as_f64().unwrap() - 1.25).abs() < 0.01, "{pose}");
}
