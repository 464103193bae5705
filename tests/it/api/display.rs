//! Brightness, the text over the picture, and traffic lights.

use serde_json::json;

use crate::support::http::{get, post};
use crate::support::node::{Node, running, with_lights};

#[tokio::test]
async fn brightness_is_one_until_it_is_set_and_then_in_every_read() {
    let node = Node::showing(running()).await;
    assert_eq!(get(node.address, "/sim/api/brightness").await.json(), json!({"value": 1.0}));
    for value in [0.2, 2.0, 0.3] {
        let answer = post(node.address, "/sim/api/brightness", json!({"value": value}).to_string()).await;
        assert_eq!((answer.status, answer.json()), (200, json!({"ok": true, "value": value})));
        assert_eq!(get(node.address, "/sim/api/brightness").await.json(), json!({"value": value}));
        assert_eq!(get(node.address, "/sim/api/state").await.json()["brightness"], json!(value));
    }
    for (body, code) in [
        (r#"{"value": 0.19}"#, "brightness_out_of_range"),
        (r#"{"value": 2.01}"#, "brightness_out_of_range"),
        ("{}", "bad_field"),
        (r#"{"value": null}"#, "bad_field"),
        (r#"{"value": "1"}"#, "bad_field"),
    ] {
        let refused = post(node.address, "/sim/api/brightness", body).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, code), "{body}");
    }
    assert_eq!(get(node.address, "/sim/api/brightness").await.json(), json!({"value": 0.3}));
    node.stop().await;
}

#[tokio::test]
async fn an_overlay_has_defaults_and_counts_every_write() {
    let node = Node::showing(running()).await;
    let none = json!({"text": "", "ttl": 10.0, "ttl_left": 0.0, "size": 1.0, "seq": 0});
    assert_eq!(get(node.address, "/sim/api/overlay").await.json(), none);
    for seq in 1..=2 {
        let mut shown = post(node.address, "/sim/api/overlay", r#"{"text": "lap 1"}"#).await.json();
        let left = shown["ttl_left"].take().as_f64().expect("a number");
        assert!(left > 0.0 && left <= 10.0);
        let expected = json!({"ok": true, "text": "lap 1", "ttl": 10.0, "ttl_left": null, "size": 1.0, "seq": seq});
        assert_eq!(shown, expected, "the same text counts as well");
    }
    post(node.address, "/sim/api/overlay", r#"{"text": "lap 2", "ttl": 3600, "size": 0.5}"#).await;
    let state = get(node.address, "/sim/api/state").await.json();
    assert_eq!((&state["overlay"], &state["overlay_seq"]), (&json!("lap 2"), &json!(3)));
    assert_eq!(state["overlay_size"], json!(0.5));
    let cleared = post(node.address, "/sim/api/overlay", "").await.json();
    assert_eq!((&cleared["text"], &cleared["ttl_left"], &cleared["seq"]), (&json!(""), &json!(0.0), &json!(4)));
    node.stop().await;
}

#[tokio::test]
async fn an_overlay_has_limits_in_characters_not_bytes() {
    let node = Node::showing(running()).await;
    let text = "\u{1F697}".repeat(300);
    assert_eq!(post(node.address, "/sim/api/overlay", json!({"text": text}).to_string()).await.status, 200);
    let longer = json!({"text": format!("{text}!")}).to_string();
    for (body, code) in [
        (longer.as_str(), "text_too_long"),
        (r#"{"text": "a", "ttl": 0.9}"#, "ttl_out_of_range"),
        (r#"{"text": "a", "ttl": 3601}"#, "ttl_out_of_range"),
        (r#"{"text": "a", "size": 0.4}"#, "size_out_of_range"),
        (r#"{"text": "a", "size": 4.1}"#, "size_out_of_range"),
        (r#"{"text": 5}"#, "bad_field"),
        (r#"{"ttl": "10"}"#, "bad_field"),
    ] {
        let refused = post(node.address, "/sim/api/overlay", body).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, code));
    }
    assert_eq!(get(node.address, "/sim/api/overlay").await.json()["seq"], json!(1), "nothing was changed");
    node.stop().await;
}

#[tokio::test]
async fn lights_are_listed_by_name_with_their_panels() {
    let node = Node::showing(with_lights()).await;
    let panel = json!({"px": 0.02, "pz": 0.16, "pitch": 0.25, "lamp_r": 0.04});
    let light = |name, x| {
        json!({
            "name": name, "x": x, "y": 1.0, "yaw": 0.5, "state": "green", "builtin": true, "panel": panel,
        })
    };
    let lights = json!([light("signal1", 3.0), light("signal2", 4.0)]);
    let answer = get(node.address, "/sim/api/traffic_lights").await.json();
    assert_eq!(answer, json!({"world": "oval.world", "lights": lights}));
    assert_eq!(get(node.address, "/sim/api/state").await.json()["lights"], lights);
    node.stop().await;

    let node = Node::showing(Default::default()).await;
    assert_eq!(get(node.address, "/sim/api/traffic_lights").await.json(), json!({"world": null, "lights": []}));
    node.stop().await;
}

#[tokio::test]
async fn a_light_goes_through_yellow_and_refuses_commands_meanwhile() {
    let node = Node::showing(with_lights()).await;
    let command = async |state: &str| {
        post(node.address, "/sim/api/traffic_lights/signal1", json!({"state": state}).to_string()).await
    };
    assert_eq!(command("green").await.json()["light"]["state"], json!("green"), "the present state is no change");
    let yellow = command("red").await;
    assert_eq!(yellow.status, 200);
    let light = &yellow.json()["light"];
    assert_eq!((&light["state"], &light["yellow_left"]), (&json!("yellow"), &json!(3.0)));
    for state in ["red", "green"] {
        let refused = command(state).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "yellow_in_progress"));
        assert_eq!(refused.json()["error"], json!("yellow transition in progress"));
    }
    post(node.address, "/sim/api/pause", r#"{"paused": true}"#).await;
    post(node.address, "/sim/api/step", r#"{"steps": 300}"#).await;
    assert_eq!(get(node.address, "/sim/api/state").await.json()["lights"][0]["yellow_left"], json!(1.5));
    post(node.address, "/sim/api/step", r#"{"steps": 300}"#).await;
    let light = get(node.address, "/sim/api/traffic_lights").await.json()["lights"][0].clone();
    assert_eq!((&light["state"], light.get("yellow_left")), (&json!("red"), None));
    assert_eq!(command("red").await.json()["light"]["state"], json!("red"));
    assert_eq!(command("green").await.json()["light"]["state"], json!("green"), "red to green is immediate");
    node.stop().await;
}

#[tokio::test]
async fn light_commands_that_make_no_sense_are_refused() {
    let node = Node::showing(with_lights()).await;
    for (name, body, status, code) in [
        ("signal1", r#"{"state": "yellow"}"#, 400, "bad_light_state"),
        ("signal1", r#"{"state": "RED"}"#, 400, "bad_light_state"),
        ("signal1", "{}", 400, "bad_field"),
        ("signal1", r#"{"state": 1}"#, 400, "bad_field"),
        ("signal9", r#"{"state": "blue"}"#, 400, "bad_light_state"),
        ("signal9", r#"{"state": "red"}"#, 404, "no_such_light"),
        ("box1", r#"{"state": "red"}"#, 404, "no_such_light"),
    ] {
        let refused = post(node.address, &format!("/sim/api/traffic_lights/{name}"), body).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{name} {body}");
    }
    node.stop().await;
}
