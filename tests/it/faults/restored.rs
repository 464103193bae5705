//! A killed simulator that comes back is told what it has lost: nobody sees more of its death than a new epoch.

use rustix::process::Signal;
use serde_json::{Value, json};
use sim_api::worlds::Store;

use crate::support::folder::TempFolder;
use crate::support::http::{get, post};
use crate::support::process::{SimUp, send};
use crate::support::wait::wait_for;

async fn read(sim: &SimUp, path: &str) -> Value {
    get(sim.address, &format!("/sim/api/{path}")).await.json()
}

async fn write(sim: &SimUp, path: &str, body: Value) {
    let answer = post(sim.address, &format!("/sim/api/{path}"), body.to_string()).await;
    assert_eq!(answer.status, 200, "{path}: {}\n{}", String::from_utf8_lossy(&answer.body), sim.log());
}

async fn wait_until_running(sim: &SimUp, epoch: u64) {
    wait_for("a running world", async || {
        tokio::net::TcpStream::connect(sim.address).await.ok()?;
        let status = read(sim, "status").await;
        let is_there = status["running"] == true && status["switching"] == false;
        (is_there && status["epoch"].as_u64() >= Some(epoch)).then_some(())
    })
    .await;
}

/// Kills the simulator and waits for a later one that has its world back: it began one epoch, its world another.
async fn kill_backend(sim: &SimUp) {
    let (pid, epoch) = (sim.child_named("sim_backend"), read(sim, "status").await["epoch"].as_u64().unwrap());
    send(pid, Signal::KILL);
    wait_for("a new simulator", async || (sim.child_named("sim_backend") != pid).then_some(())).await;
    wait_until_running(sim, epoch + 2).await;
}

async fn light(sim: &SimUp, name: &str) -> Value {
    let listed = read(sim, "traffic_lights").await;
    let lights = listed["lights"].as_array().expect("a list").iter();
    lights.clone().find(|light| light["name"] == name).unwrap_or_else(|| panic!("{name} in {listed}"))["state"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_simulator_has_its_world_lights_brightness_and_pause_again() {
    // Told to start in another world than the one it is killed in.
    let sim = SimUp::start_on(TempFolder::new(), &["--world", "vehicle_oval"]);
    wait_until_running(&sim, 1).await;
    write(&sim, "switch", json!({"world": "vehicle_city.world"})).await;
    write(&sim, "traffic_lights/signal1", json!({"state": "red"})).await;
    write(&sim, "brightness", json!({"value": 0.6})).await;
    wait_for("a red light", async || (light(&sim, "signal1").await == "red").then_some(())).await;
    write(&sim, "pause", json!({"paused": true})).await;

    kill_backend(&sim).await;
    let state = read(&sim, "state").await;
    assert_eq!((&state["world"], &state["paused"]), (&json!("vehicle_city.world"), &json!(true)), "{}", sim.log());
    assert_eq!((&state["brightness"], light(&sim, "signal1").await), (&json!(0.6), json!("red")));
    let clock = read(&sim, "clock").await;
    write(&sim, "step", json!({"steps": 3})).await;
    let after = read(&sim, "clock").await;
    let gone = after["sim_time"].as_f64().unwrap() - clock["sim_time"].as_f64().unwrap();
    assert!((gone - 0.015).abs() < 1e-6, "the new simulator itself stands: {gone} s went by in three steps");
    // It is the simulator that runs this world, not the node that says so.
    write(&sim, "models/cone1/pose", json!({"x": 0.3})).await;
    let last = Store::new(&sim.folder.path().join("data")).last_world();
    assert_eq!(last.map(|world| world.to_string()).as_deref(), Some("vehicle_city"), "for the next start");

    write(&sim, "pause", json!({"paused": false})).await;
    kill_backend(&sim).await;
    let state = read(&sim, "state").await;
    assert_eq!((&state["world"], &state["paused"]), (&json!("vehicle_city.world"), &json!(false)), "{}", sim.log());
    write(&sim, "traffic_lights/signal1", json!({"state": "green"})).await;
}
