//! What each endpoint answers, in each state of the simulator.

use serde_json::json;
use sim_api::domain::snapshot::{Joints, Odometry};
use sim_api::domain::{ModelName, SimTime, Snapshot, Transition};

use crate::support::http::{get, post};
use crate::support::node::{Node, running};

#[tokio::test]
async fn status_of_a_running_world_has_exactly_the_promised_fields() {
    let node = Node::showing(running()).await;
    let answer = get(node.address, "/sim/api/status").await;
    assert_eq!(answer.status, 200);
    let expected = json!({
        "running": true, "switching": false, "transition": null, "current": "oval", "epoch": 7, "websocket": true,
        "assets_version": env!("CARGO_PKG_VERSION"), "version": env!("CARGO_PKG_VERSION"), "backend": "sim_backend",
    });
    assert_eq!(answer.json(), expected);
    node.stop().await;
}

#[tokio::test]
async fn status_and_state_answer_before_there_is_a_simulator() {
    let node = Node::showing(Snapshot::default()).await;
    let status = get(node.address, "/sim/api/status").await;
    assert_eq!((status.status, &status.json()["running"]), (200, &json!(false)));
    let state = get(node.address, "/sim/api/state").await;
    assert_eq!(state.status, 200);
    let state = state.json();
    assert_eq!((&state["world"], &state["vehicle"], &state["odom"]), (&json!(null), &json!(null), &json!(null)));
    assert_eq!((&state["time"], &state["rtf"], &state["paused"]), (&json!(0.0), &json!(0.0), &json!(false)));
    node.stop().await;
}

#[tokio::test]
async fn status_names_the_transition() {
    for (transition, name) in
        [(Transition::Loading, "loading"), (Transition::Switching, "switching"), (Transition::Respawning, "respawning")]
    {
        let node = Node::showing(Snapshot { transition: Some(transition), ..running() }).await;
        let status = get(node.address, "/sim/api/status").await.json();
        assert_eq!((&status["switching"], &status["transition"]), (&json!(true), &json!(name)));
        node.stop().await;
    }
}

#[tokio::test]
async fn clock_tells_both_times_and_is_503_before_the_first_tick() {
    let node = Node::showing(running()).await;
    let clock = get(node.address, "/sim/api/clock").await;
    assert_eq!(clock.json(), json!({"sim_time": 12.345, "real_time": 13.0, "rtf": 0.95, "paused": false}));
    node.stop().await;

    let node = Node::showing(Snapshot { clock: None, ..running() }).await;
    let clock = get(node.address, "/sim/api/clock").await;
    assert_eq!((clock.status, clock.code().as_str()), (503, "clock_not_started"));
    node.stop().await;
}

#[tokio::test]
async fn pose_is_rounded_and_a_car_that_rolls_back_has_negative_speed() {
    let node = Node::showing(running()).await;
    let pose = get(node.address, "/sim/api/pose").await;
    let expected = json!({
        "x": 1.0, "y": 2.0, "z": 0.0, "roll": 0.0, "pitch": 0.0, "yaw": 1.570796, "q": [0.0, 0.0, 0.707107, 0.707107],
        "speed": -0.5, "time": 12.345, "seq": 2469,
    });
    assert_eq!(pose.json(), expected);
    node.stop().await;
}

#[tokio::test]
async fn a_pose_has_the_time_at_which_it_was_so_and_not_that_of_the_clock() {
    let node = Node::showing(Snapshot { stamp: SimTime::from_nanos(12_330_000_000), ..running() }).await;
    assert_eq!(get(node.address, "/sim/api/pose").await.json()["time"], json!(12.33));
    let state = get(node.address, "/sim/api/state").await.json();
    assert_eq!((&state["vehicle"]["time"], &state["time"]), (&json!(12.33), &json!(12.345)));
    node.stop().await;
}

#[tokio::test]
async fn pose_without_a_world_is_404() {
    for snapshot in [Snapshot { world: None, ..running() }, Snapshot { vehicle: None, ..running() }] {
        let node = Node::showing(snapshot).await;
        let pose = get(node.address, "/sim/api/pose").await;
        assert_eq!((pose.status, &pose.json()["error"]), (404, &json!("no world running")));
        node.stop().await;
    }
}

#[tokio::test]
async fn state_has_the_whole_shape() {
    let odom = Odometry { x: 1.1, y: 2.2, yaw: 0.5, speed_m_s: 0.4, stamp: SimTime::from_nanos(12_300_000_000) };
    let contacts = vec![ModelName::parse("wall_0").expect("a valid name")];
    let node = Node::showing(Snapshot { odom: Some(odom), contacts, ..running() }).await;
    let state = get(node.address, "/sim/api/state").await;
    let pose = get(node.address, "/sim/api/pose").await.json();
    let expected = json!({
        "world": "oval.world", "current": "oval", "world_id": null, "epoch": 7, "seq": 2469, "running": true,
        "switching": false, "transition": null, "websocket": true, "time": 12.345, "paused": false, "rtf": 0.95,
        "vehicle": pose, "odom": {"x": 1.1, "y": 2.2, "yaw": 0.5, "speed": 0.4, "time": 12.3},
        "objects": {"box1":
            {"x": -3.0, "y": 0.25, "z": 0.1, "roll": 0.0, "pitch": 0.0, "yaw": 0.0, "q": [0.0, 0.0, 0.0, 1.0]}},
        "contacts": ["wall_0"], "lights": [], "overlay": "", "overlay_seq": 0, "overlay_size": 1.0, "brightness": 1.0,
        "run": {"running": false, "exit_code": null},
        "evaluation": {"active": false, "session_id": null, "phase": null, "record": null},
    });
    assert_eq!(state.json(), expected);
    node.stop().await;
}

#[tokio::test]
async fn state_has_joints_beside_everything_else_where_there_are_any() {
    let joints = Joints {
        stamp: SimTime::from_nanos(12_340_000_000),
        front_left_wheel_rad: 1_234.567_890_123,
        front_right_wheel_rad: -1.0,
        rear_left_wheel_rad: 2.0,
        rear_right_wheel_rad: 3.0,
        front_left_steering_rad: 0.25,
        front_right_steering_rad: 0.2,
        camera_pan_rad: -0.5,
        camera_tilt_rad: -0.0,
    };
    let node = Node::showing(running()).await;
    let mut without = get(node.address, "/sim/api/state").await.json();
    assert!(without.get("joints").is_none());
    node.stop().await;
    let node = Node::showing(Snapshot { joints: Some(joints), ..running() }).await;
    let with = get(node.address, "/sim/api/state").await.json();
    without["joints"] = json!({
        "front_left_wheel_rad": 1234.56789, "front_right_wheel_rad": -1.0, "rear_left_wheel_rad": 2.0,
        "rear_right_wheel_rad": 3.0, "front_left_steering_rad": 0.25, "front_right_steering_rad": 0.2,
        "camera_pan_rad": -0.5, "camera_tilt_rad": 0.0, "time": 12.34,
    });
    assert_eq!(with, without);
    node.stop().await;
}

#[tokio::test]
async fn a_teleport_is_in_the_next_read() {
    let node = Node::showing(running()).await;
    for seq in 2470..2500_u64 {
        let x = (seq - 2469) as f64 * 0.5;
        let placed = post(node.address, "/sim/api/pose", json!({"x": x, "yaw": -7.0}).to_string()).await;
        let yaw = 2.0 * std::f64::consts::PI - 7.0;
        let yaw = (yaw * 1e6).round() / 1e6;
        let expected = json!({
            "ok": true, "applied": true, "pose": {"x": x, "y": 2.0, "z": 0.0, "yaw": yaw}, "time": 12.345, "seq": seq,
            "epoch": 7,
        });
        assert_eq!((placed.status, placed.json()), (200, expected));
        assert_eq!(get(node.address, "/sim/api/state").await.json()["vehicle"]["x"], json!(x));
        assert_eq!(get(node.address, "/sim/api/pose").await.json()["seq"], json!(seq));
    }
    node.stop().await;
}

#[tokio::test]
async fn a_teleport_without_fields_stands_the_car_up_where_it_is() {
    let node = Node::showing(running()).await;
    for body in ["", "{}", " \n", r#"{"x": null, "y": null, "yaw": null, "z": "ignored", "color": [1, 2]}"#] {
        let placed = post(node.address, "/sim/api/pose", body).await;
        assert_eq!(placed.status, 200, "{body}");
        assert_eq!(placed.json()["pose"], json!({"x": 1.0, "y": 2.0, "z": 0.0, "yaw": 1.570796}));
    }
    node.stop().await;
}

#[tokio::test]
async fn a_teleport_out_of_range_is_400() {
    let node = Node::showing(running()).await;
    for body in [r#"{"x": 100.1}"#, r#"{"y": -100.1}"#, r#"{"x": 1e300}"#] {
        let refused = post(node.address, "/sim/api/pose", body).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!("position out of range")), "{body}");
    }
    assert_eq!(post(node.address, "/sim/api/pose", r#"{"x": 100, "y": -100.0}"#).await.status, 200);
    node.stop().await;
}

#[tokio::test]
async fn a_write_without_a_ready_world_is_409_and_without_a_simulator_503() {
    let not_ready =
        [Snapshot { transition: Some(Transition::Respawning), ..running() }, Snapshot { world: None, ..running() }];
    for snapshot in not_ready {
        let node = Node::showing(snapshot).await;
        let refused = post(node.address, "/sim/api/pose", "{}").await;
        assert_eq!((refused.status, &refused.json()["error"]), (409, &json!("world not ready")));
        node.stop().await;
    }
    let node = Node::showing(Snapshot { simulator_alive: false, ..running() }).await;
    let refused = post(node.address, "/sim/api/pose", "{}").await;
    assert_eq!((refused.status, &refused.json()["error"]), (503, &json!("simulator not running")));
    assert_eq!(get(node.address, "/sim/api/pose").await.status, 200, "reads go on");
    assert_eq!(post(node.address, "/sim/api/pose", r#"{"x": "far"}"#).await.status, 400, "values are checked first");
    node.stop().await;
}

#[tokio::test]
async fn a_write_whose_owner_is_gone_is_503() {
    let (bridge, owner) = sim_api::bridge::channel(running());
    drop(owner);
    let node = Node::serve(Default::default(), bridge).await;
    assert_eq!(post(node.address, "/sim/api/pose", "{}").await.status, 503);
    assert_eq!(get(node.address, "/sim/api/state").await.status, 200);
    node.stop().await;
}
