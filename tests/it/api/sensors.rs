//! The vehicle's measures, its lidar and its camera.

use serde_json::json;
use sim_api::domain::{Picture, Scan, SimTime, Snapshot};

use crate::support::http::{Connection, get, request};
use crate::support::node::{Node, running};

#[tokio::test]
async fn the_vehicle_has_the_promised_measures() {
    let node = Node::showing(Snapshot::default()).await;
    let expected = json!({
        "generation": "vehicle", "model_name": "vehicle", "wheelbase": 0.18, "track": 0.16, "wheel_radius": 0.0375,
        "max_speed": 3.0, "max_steer": 0.4189,
        "lidar": {"samples": 720, "min_range": 0.1, "max_range": 16.0, "offset": 0.0},
        "camera": {"width": 480, "height": 360, "fps": 15.0, "hfov": 1.745329},
    });
    assert_eq!(get(node.address, "/sim/api/vehicle").await.json(), expected);
    node.stop().await;
}

#[tokio::test]
async fn a_scan_has_null_where_nothing_was_met_and_is_404_before_the_first() {
    let (node, sensors) = Node::showing_with_sensors(running()).await;
    let missing = get(node.address, "/sim/api/scan").await;
    assert_eq!((missing.status, missing.code().as_str()), (404, "no_scan_yet"));
    sensors.show_scan(Scan {
        stamp: SimTime::from_nanos(12_300_000_000),
        frame: "lidar_link".into(),
        angle_min_rad: -0.5,
        angle_increment_rad: 0.125,
        range_min_m: 0.1,
        range_max_m: 16.0,
        ranges_m: vec![1.25, f32::INFINITY, f32::NAN, 0.0, 16.5, 0.1, 16.0],
    });
    let expected = json!({
        "frame": "lidar_link", "time": 12.3, "angle_min": -0.5, "angle_increment": 0.125, "range_min": 0.1,
        "range_max": 16.0, "ranges": [1.25, null, null, null, null, 0.1, 16.0],
    });
    assert_eq!(get(node.address, "/sim/api/scan").await.json(), expected);
    node.stop().await;
}

fn picture(bytes: &'static [u8]) -> Picture {
    Picture { stamp: SimTime::ZERO, jpeg: bytes::Bytes::from_static(bytes) }
}

#[tokio::test]
async fn the_camera_gives_the_newest_picture() {
    let (node, sensors) = Node::showing_with_sensors(running()).await;
    sensors.show_picture(picture(b"first"));
    sensors.show_picture(picture(b"second"));
    let answer = get(node.address, "/sim/api/camera").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!((answer.header("cache-control"), answer.body.as_slice()), (Some("no-store"), b"second".as_slice()));
    node.stop().await;
}

#[tokio::test]
async fn a_camera_that_shows_nothing_says_so() {
    let node = Node::showing(running()).await;
    let missing = get(node.address, "/sim/api/camera").await;
    assert_eq!((missing.status, missing.code().as_str()), (503, "no_picture"));
    node.stop().await;
    let node = Node::showing(Snapshot::default()).await;
    let missing = get(node.address, "/sim/api/camera?stream=true").await;
    assert_eq!((missing.status, missing.code().as_str()), (404, "no_world_running"));
    node.stop().await;
}

#[tokio::test]
async fn the_camera_streams_picture_after_picture_until_the_server_ends() {
    let (node, sensors) = Node::showing_with_sensors(running()).await;
    sensors.show_picture(picture(b"first"));
    let mut connection = Connection::open(node.address).await;
    connection.send(&request("GET", "/sim/api/camera?stream=true", "", b"")).await;
    let head = connection.head().await.expect("an answer");
    let content_type = head.header("content-type").map(str::to_owned);
    assert_eq!(content_type.as_deref(), Some("multipart/x-mixed-replace; boundary=picture"));
    let part = |jpeg: &str| {
        format!("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n{jpeg}\r\n", jpeg.len())
    };
    assert_eq!(connection.event().await, Some(part("first")));
    sensors.show_picture(picture(b"the second"));
    assert_eq!(connection.event().await, Some(part("the second")));
    node.stop().await;
    assert_eq!(connection.event().await, None);
}

#[test]
fn the_lidar_sits_where_the_vehicle_file_says() {
    let mut spec = crate::support::vehicle();
    spec.lidar_m = [0.07, 0.01, 0.16];
    let body = serde_json::to_value(sim_api::api::wire::VehicleSpecBody::of(&spec)).unwrap();
    assert_eq!(body["lidar"]["offset"], 0.07);
}
