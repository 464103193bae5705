//! The bridge and the API in this process over a real simulator in another.

use std::time::Duration;

use futures::StreamExt;
use serde_json::json;
use sim_api::bridge::WayIn;
use sim_api::ros::msg::diagnostic_msgs::DiagnosticArray;
use sim_api::ros::msg::sensor_msgs::CompressedImage;
use sim_api::ros::msg::sim_api_msgs::TrafficLights;
use sim_api::ros::msg::std_msgs::{Float32, Float64};
use sim_api::ros::{Node, NodeOptions, topics};

use super::rig::RealNode;
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::http::get;
use crate::support::in_time;
use crate::support::process::Lone;
use crate::support::wait::{wait_for, wait_until, within};

/// A simulator that outlives the nodes of a test.
struct Simulator {
    folder: TempFolder,
    domain: TestDomain,
    _backend: Lone,
}

impl Simulator {
    fn start() -> Self {
        let (folder, domain) = (TempFolder::new(), TestDomain::claim());
        let id = domain.id.to_string();
        let args = ["--config=/dev/null", "--world=plain", "--domain", &id, "--data", "data"];
        let backend = Lone::start("sim_backend", folder.path(), &args);
        Self { folder, domain, _backend: backend }
    }

    fn ros(&self, name: &str) -> Node {
        Node::open(NodeOptions::new(name, self.domain.id)).unwrap()
    }

    /// A node whose world has lights, once it sees the simulator.
    async fn node(&self) -> RealNode {
        let node = RealNode::start(self.ros("sim_api_node"), self.folder.path(), WayIn::Apply).await;
        node.wait_running().await;
        node
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_puts_everything_back_in_one_step_also_while_paused() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    node.post("pause", json!({"paused": true})).await;
    node.post("pose", json!({"x": 5, "y": 5})).await;
    let moved = node.post("models/box1/pose", json!({"x": -4, "yaw": 1})).await;
    assert_eq!((&moved["model"]["x"], &moved["model"]["type"]), (&json!(-4.0), &json!("object")));
    let before = node.get("state").await;
    assert_eq!((&before["paused"], &before["objects"]["box1"]["x"]), (&json!(true), &json!(-4.0)));
    let reset = node.post("reset", json!({})).await;
    assert_eq!(reset["reset"], json!(["box1", "vehicle"]));
    let after = node.get("state").await;
    assert!(reset["epoch"].as_u64() > before["epoch"].as_u64() && after["epoch"] == reset["epoch"]);
    assert_eq!((&after["vehicle"]["x"], &after["objects"]["box1"]["x"]), (&json!(0.0), &json!(1.5)));
    assert_eq!(after["time"], before["time"], "no time has passed");
    assert!(after["seq"].as_u64() > before["seq"].as_u64());
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_are_exact_and_drive_the_car() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    assert_eq!(node.try_post("step", json!({"steps": 1})).await.code(), "not_paused");
    node.post("pause", json!({"paused": true})).await;
    node.post("reset", json!({})).await;
    let start = node.get("clock").await["sim_time"].as_f64().unwrap();
    let stepped = node.post("step", json!({"steps": 400, "speed": 1.0, "steering": 0.2})).await;
    assert!((stepped["time"].as_f64().unwrap() - start - 2.0).abs() < 1e-6);
    assert!(stepped["vehicle"]["x"].as_f64().unwrap() > 0.5 && stepped["vehicle"]["yaw"].as_f64().unwrap() > 0.3);
    assert_eq!(node.get("pose").await, stepped["vehicle"], "and then it stands still");
    let most = node.post("step", json!({"steps": 20_000, "speed": 0.0})).await;
    assert!((most["time"].as_f64().unwrap() - start - 102.0).abs() < 1e-6);
    node.post("pause", json!({"paused": false})).await;
    let resumed = node.get("clock").await;
    assert_eq!(resumed["paused"], json!(false));
    wait_for("time that goes on", async || {
        (node.get("clock").await["sim_time"].as_f64() > resumed["sim_time"].as_f64()).then_some(())
    })
    .await;
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_respawn_is_a_new_epoch_of_the_same_world_with_its_lights() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    node.post("pause", json!({"paused": true})).await;
    node.post("pose", json!({"x": 3})).await;
    node.post("traffic_lights/signal1", json!({"state": "red"})).await;
    let epoch = node.get("status").await["epoch"].as_u64();
    let respawned = node.post("respawn", json!({})).await;
    assert_eq!((&respawned["world"], &respawned["inplace"]), (&json!("plain.world"), &json!(true)));
    assert!(respawned["epoch"].as_u64() > epoch);
    let state = node.get("state").await;
    assert_eq!((&state["epoch"], &state["vehicle"]["x"]), (&respawned["epoch"], &json!(0.0)));
    assert_eq!((&state["transition"], &state["lights"][0]["state"]), (&json!(null), &json!("red")));
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lights_and_brightness_reach_ros_and_survive_the_node() {
    let simulator = Simulator::start();
    let watcher = simulator.ros("watcher");
    let mut lights = watcher.subscriber(&topics::TRAFFIC_LIGHTS).unwrap();
    let mut brightness = watcher.subscriber(&topics::BRIGHTNESS).unwrap();
    let node = simulator.node().await;
    node.post("pause", json!({"paused": true})).await;
    node.post("brightness", json!({"value": 0.5})).await;
    assert_eq!(node.post("traffic_lights/signal2", json!({"state": "red"})).await["light"]["state"], "yellow");
    let said = within("a dim light", async {
        loop {
            match brightness.next().await {
                Some(Float32 { data: 0.5 }) => return,
                other => assert!(other.is_some()),
            }
        }
    });
    said.await;
    let red_at = within("a yellow light", async {
        loop {
            let TrafficLights { lights } = lights.next().await.unwrap();
            if let Some(light) = lights.iter().find(|light| light.state == "yellow") {
                assert_eq!(light.name, "signal2");
                return f64::from(light.red_at.sec) + f64::from(light.red_at.nanosec) * 1e-9;
            }
        }
    });
    let red_at = red_at.await;
    let now = node.get("clock").await["sim_time"].as_f64().unwrap();
    assert!((red_at - now - 3.0).abs() < 1e-6, "it turns red at {red_at}, and now is {now}");
    node.stop().await;

    let node = simulator.node().await;
    let state = node.get("state").await;
    assert_eq!(state["brightness"], json!(0.5));
    assert_eq!((&state["lights"][1]["state"], &state["lights"][1]["yellow_left"]), (&json!("yellow"), &json!(3.0)));
    let red = node.post("step", json!({"steps": 600})).await;
    assert_eq!(red["lights"][1]["state"], "red");
    node.stop().await;

    let node = simulator.node().await;
    assert_eq!(node.get("state").await["lights"][1]["state"], "red");
    node.post("reset", json!({})).await;
    assert_eq!(node.get("state").await["lights"][1]["state"], "green");
    assert_eq!(node.get("brightness").await["value"], json!(0.5), "the brightness is nobody's start pose");
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overlay_is_shown_for_its_time() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    node.post("overlay", json!({"text": "lap 1", "ttl": 1})).await;
    assert_eq!(node.get("state").await["overlay"], "lap 1");
    wait_for("an empty overlay", async || (node.get("state").await["overlay"] == "").then_some(())).await;
    assert_eq!(node.get("overlay").await["seq"], json!(1));
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drive_is_what_the_topics_say() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    assert_eq!(node.try_post("drive", json!({"speed": 1})).await.code(), "robot_not_running");
    let robot = simulator.ros("robot");
    let mut speeds = robot.subscriber(&topics::SPEED).unwrap();
    let mut angles = robot.subscriber(&topics::STEERING).unwrap();
    let driving = async {
        loop {
            let answer = node.try_post("drive", json!({"speed": 1.5, "steering": -0.25})).await;
            if answer.status == 200 {
                assert_eq!(answer.json(), json!({"ok": true, "speed": 1.5, "steering": -0.25}));
            }
        }
    };
    let heard = async { (speeds.next().await, angles.next().await) };
    let heard = tokio::select! {
        heard = in_time(heard) => heard,
        () = driving => unreachable!("it has no end"),
    };
    assert_eq!(heard, (Some(Float64 { data: 1.5 }), Some(Float64 { data: -0.25 })));
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_camera_is_listened_to_only_while_somebody_looks() {
    let simulator = Simulator::start();
    let node = simulator.node().await;
    let robot = simulator.ros("robot");
    let pictures = robot.publisher(&topics::CAMERA_COMPRESSED).unwrap();
    assert_eq!(pictures.subscriber_count(), 0);
    let publishing = async {
        loop {
            pictures.publish(CompressedImage {
                format: "jpeg".into(),
                data: b"picture".to_vec(),
                ..Default::default()
            });
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let looking = wait_for("a picture", async || {
        let answer = get(node.address, "/sim/api/camera").await;
        (answer.status == 200).then_some(answer)
    });
    let answer = tokio::select! {
        answer = looking => answer,
        () = publishing => unreachable!("it has no end"),
    };
    assert_eq!(answer.body, b"picture");
    assert_eq!(pictures.subscriber_count(), 1);
    wait_until("nobody who looks", || pictures.subscriber_count() == 0).await;
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scan_odometry_and_contacts_are_followed() {
    use sim_api::ros::msg::nav_msgs::Odometry;
    use sim_api::ros::msg::sensor_msgs::LaserScan;
    use sim_api::ros::msg::sim_api_msgs::Contacts;

    let simulator = Simulator::start();
    let node = simulator.node().await;
    let robot = simulator.ros("robot");
    let scans = robot.publisher(&topics::SCAN).unwrap();
    let odometry = robot.publisher(&topics::ODOM).unwrap();
    let contacts = robot.publisher(&topics::CONTACTS).unwrap();
    let mut odom = Odometry::default();
    // In a simulator's time that lies ahead: what was measured before a world began is not shown in it.
    odom.header.stamp.sec = 1_000;
    odom.pose.pose.position.x = 1.5;
    odom.twist.twist.linear.x = 0.25;
    let epoch = node.get("status").await["epoch"].as_u64().unwrap();
    wait_for("all three in the API", async || {
        scans.publish(LaserScan { ranges: vec![1.0], range_max: 2.0, ..Default::default() });
        odometry.publish(odom.clone());
        contacts.publish(Contacts { epoch, names: vec!["box1".into()], ..Default::default() });
        let state = node.get("state").await;
        let shown = state["odom"]["x"] == 1.5 && state["odom"]["speed"] == 0.25 && state["contacts"] == json!(["box1"]);
        (shown && get(node.address, "/sim/api/scan").await.status == 200).then_some(())
    })
    .await;
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn diagnostics_tell_how_the_node_is() {
    let simulator = Simulator::start();
    let watcher = simulator.ros("watcher");
    let mut reports = watcher.subscriber(&topics::DIAGNOSTICS).unwrap();
    let node = simulator.node().await;
    let report = within("a good report", async {
        loop {
            let report: DiagnosticArray = reports.next().await.unwrap();
            if report.status[0].message == "running" {
                return report;
            }
        }
    });
    let report = report.await;
    let value = |key: &str| {
        let values = report.status.iter().flat_map(|status| &status.values);
        values.filter(|value| value.key == key).map(|value| value.value.clone()).next()
    };
    assert_eq!((value("alive").as_deref(), value("event_clients").as_deref()), (Some("true"), Some("0")));
    assert!(value("rtf").is_some());
    node.stop().await;
}
