//! What writes answer, and that the next read shows them.

use serde_json::json;
use sim_api::domain::{Snapshot, Transition};

use crate::support::http::{get, post};
use crate::support::node::{Node, running, with_lights};

const WRITES: [(&str, &str); 10] = [
    ("pose", "{}"),
    ("reset", ""),
    ("respawn", ""),
    ("pause", r#"{"paused": true}"#),
    ("step", r#"{"steps": 1}"#),
    ("drive", r#"{"speed": 1}"#),
    ("models/box1/pose", "{}"),
    ("traffic_lights/signal1", r#"{"state": "red"}"#),
    ("brightness", r#"{"value": 1}"#),
    ("overlay", r#"{"text": "hello"}"#),
];

fn paused() -> Snapshot {
    let mut snapshot = running();
    snapshot.clock.as_mut().expect("it has a clock").paused = true;
    snapshot
}

#[tokio::test]
async fn every_write_is_503_without_a_simulator_and_409_during_a_transition() {
    let dead = Node::showing(Snapshot { simulator_alive: false, ..with_lights() }).await;
    let moving = Node::showing(Snapshot { transition: Some(Transition::Respawning), ..with_lights() }).await;
    for (path, body) in WRITES {
        let path = format!("/sim/api/{path}");
        let refused = post(dead.address, &path, body).await;
        assert_eq!((refused.status, &refused.json()["error"]), (503, &json!("simulator not running")), "{path}");
        assert_eq!(refused.code(), "simulator_not_running");
        let refused = post(moving.address, &path, body).await;
        assert_eq!((refused.status, &refused.json()["error"]), (409, &json!("world not ready")), "{path}");
        assert_eq!(refused.code(), "world_not_ready");
    }
    dead.stop().await;
    moving.stop().await;
}

#[tokio::test]
async fn without_a_world_a_respawn_is_404_and_every_other_write_409() {
    let node = Node::showing(Snapshot { world: None, vehicle: None, ..running() }).await;
    for (path, body) in WRITES {
        let refused = post(node.address, &format!("/sim/api/{path}"), body).await;
        let expected = if path == "respawn" { (404, "no_world_running") } else { (409, "world_not_ready") };
        assert_eq!((refused.status, refused.code().as_str()), expected, "{path}");
    }
    node.stop().await;
}

#[tokio::test]
async fn a_reset_names_everything_with_the_vehicle_last_and_makes_lights_green() {
    let node = Node::showing(with_lights()).await;
    assert_eq!(post(node.address, "/sim/api/traffic_lights/signal1", r#"{"state": "red"}"#).await.status, 200);
    let reset = post(node.address, "/sim/api/reset", "").await;
    assert_eq!(reset.json(), json!({"ok": true, "reset": ["box1", "signal2", "vehicle"], "epoch": 8}));
    let state = get(node.address, "/sim/api/state").await.json();
    assert_eq!((&state["epoch"], &state["lights"][0]["state"]), (&json!(8), &json!("green")));
    node.stop().await;
}

#[tokio::test]
async fn a_respawn_answers_with_the_world_and_keeps_lights_but_not_yellow() {
    let node = Node::showing(with_lights()).await;
    post(node.address, "/sim/api/traffic_lights/signal1", r#"{"state": "red"}"#).await;
    let respawned = post(node.address, "/sim/api/respawn", "").await;
    assert_eq!(respawned.json(), json!({"ok": true, "world": "oval.world", "inplace": true, "epoch": 8}));
    let state = get(node.address, "/sim/api/state").await.json();
    assert_eq!((&state["lights"][0]["state"], &state["transition"]), (&json!("red"), &json!(null)));
    node.stop().await;
}

#[tokio::test]
async fn a_model_goes_where_it_is_put_and_keeps_what_is_omitted() {
    let node = Node::showing(with_lights()).await;
    let moved = post(node.address, "/sim/api/models/box1/pose", r#"{"x": 1.5, "yaw": 0.5}"#).await;
    let model = json!({"name": "box1", "x": 1.5, "y": 0.25, "z": 0.1, "yaw": 0.5, "type": "object"});
    assert_eq!((moved.status, moved.json()), (200, json!({"ok": true, "applied": true, "model": model})));
    assert_eq!(get(node.address, "/sim/api/state").await.json()["objects"]["box1"]["x"], json!(1.5));

    post(node.address, "/sim/api/traffic_lights/signal2", r#"{"state": "red"}"#).await;
    let moved = post(node.address, "/sim/api/models/signal2/pose", r#"{"x": -2, "z": 1}"#).await;
    assert_eq!((moved.status, &moved.json()["model"]["type"]), (200, &json!("light")), "also during yellow");
    let light = get(node.address, "/sim/api/traffic_lights").await.json()["lights"][1].clone();
    assert_eq!((&light["x"], &light["state"]), (&json!(-2.0), &json!("yellow")));
    node.stop().await;
}

#[tokio::test]
async fn models_that_cannot_be_moved_say_why() {
    let node = Node::showing(with_lights()).await;
    for (name, status, code, error) in [
        ("wall_0", 403, "not_movable", "wall_0 cannot be moved"),
        ("racetrack", 403, "not_movable", "racetrack cannot be moved"),
        ("sun", 403, "not_movable", "sun cannot be moved"),
        ("vehicle", 403, "is_the_vehicle", "use POST /pose for the vehicle"),
        ("box9", 404, "no_such_model", "no such model: box9"),
        ("..%2F", 404, "no_such_model", "no such model: ../"),
    ] {
        let refused = post(node.address, &format!("/sim/api/models/{name}/pose"), "{}").await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{name}");
        assert_eq!(refused.json()["error"], json!(error));
    }
    for body in [r#"{"x": 100.5}"#, r#"{"y": -101}"#, r#"{"z": -10.1}"#, r#"{"z": 100.1}"#] {
        let refused = post(node.address, "/sim/api/models/box1/pose", body).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "position_out_of_range"), "{body}");
    }
    assert_eq!(post(node.address, "/sim/api/models/box1/pose", r#"{"z": "1"}"#).await.code(), "bad_field");
    assert_eq!(get(node.address, "/sim/api/state").await.json()["seq"], json!(2469), "nothing was changed");
    node.stop().await;
}

#[tokio::test]
async fn a_pause_is_in_the_next_read() {
    let node = Node::showing(running()).await;
    for paused in [true, true, false] {
        let answer = post(node.address, "/sim/api/pause", json!({"paused": paused}).to_string()).await;
        assert_eq!(answer.json(), json!({"ok": true, "paused": paused, "time": 12.345}));
        assert_eq!(get(node.address, "/sim/api/clock").await.json()["paused"], json!(paused));
        assert_eq!(get(node.address, "/sim/api/state").await.json()["paused"], json!(paused));
    }
    for body in ["", "{}", r#"{"paused": null}"#, r#"{"paused": 1}"#, r#"{"paused": "yes"}"#] {
        let refused = post(node.address, "/sim/api/pause", body).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "bad_field"), "{body}");
    }
    node.stop().await;
}

#[tokio::test]
async fn steps_answer_with_the_state_after_them() {
    let node = Node::showing(paused()).await;
    let stepped = post(node.address, "/sim/api/step", r#"{"steps": 200, "speed": 1.0}"#).await;
    assert_eq!(stepped.status, 200);
    let mut answer = stepped.json();
    assert_eq!((&answer["ok"], &answer["time"]), (&json!(true), &json!(13.345)));
    answer.as_object_mut().expect("an object").remove("ok");
    assert_eq!(answer, get(node.address, "/sim/api/state").await.json());
    for body in ["{}", r#"{"steps": 0}"#, r#"{"steps": 20001}"#, r#"{"steps": 1.5}"#, r#"{"steps": -1}"#] {
        assert_eq!(post(node.address, "/sim/api/step", body).await.status, 400, "{body}");
    }
    assert_eq!(post(node.address, "/sim/api/step", r#"{"steps": 20000}"#).await.status, 200);
    node.stop().await;
}

#[tokio::test]
async fn a_running_simulation_cannot_be_stepped() {
    let node = Node::showing(running()).await;
    let refused = post(node.address, "/sim/api/step", r#"{"steps": 1}"#).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "not_paused"));
    node.stop().await;
}

#[tokio::test]
async fn driving_needs_a_robot_and_something_to_say() {
    let node = Node::showing(running()).await;
    let refused = post(node.address, "/sim/api/drive", r#"{"speed": 1.0, "steering": 0.1}"#).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "robot_not_running"));
    assert_eq!(post(node.address, "/sim/api/drive", "{}").await.code(), "bad_field");
    assert_eq!(post(node.address, "/sim/api/drive", r#"{"speed": "fast"}"#).await.code(), "bad_field");
    node.stop().await;
}
