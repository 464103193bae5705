//! The whole way: a command on ROS moves the car that HTTP shows, and a dead program does not keep it moving.

use std::time::Duration;

use rustix::process::Signal;
use sim_api::ros::msg::std_msgs::Float64;
use sim_api::ros::{Node, NodeOptions, topics};

use crate::support::http::{get, post};
use crate::support::process::{SimUp, send};
use crate::support::wait::{wait_for, wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn speed_and_steering_move_the_car_and_silence_stops_it() {
    let sim = SimUp::start();
    let student = Node::open(NodeOptions::new("student", sim.domain.id)).unwrap();
    let speed = student.publisher(&topics::SPEED).unwrap();
    let steering = student.publisher(&topics::STEERING).unwrap();
    wait_until("the robot", || speed.subscriber_count() == 1 && steering.subscriber_count() == 1).await;
    steering.publish(Float64 { data: 0.2 });
    wait_for("a car that has driven a curve", async || {
        speed.publish(Float64 { data: 1.0 });
        let pose = pose(&sim).await?;
        (pose["x"].as_f64()? > 0.5 && pose["yaw"].as_f64()? > 0.3).then_some(())
    })
    .await;
    // No further command: the speed expires.
    wait_standing(&sim).await;

    wait_for("a car that drives", async || {
        speed.publish(Float64 { data: 1.0 });
        (pose(&sim).await?["speed"].as_f64()? > 0.8).then_some(())
    })
    .await;
    // A robot that is stopped for ever cannot say zero; the simulator forgets its last word.
    send(sim.child_named("robot_stack"), Signal::STOP);
    wait_standing(&sim).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_joints_of_a_standing_car_follow_steering_and_camera_commands() {
    let sim = SimUp::start();
    let student = Node::open(NodeOptions::new("student", sim.domain.id)).unwrap();
    let steering = student.publisher(&topics::STEERING).unwrap();
    let pan = student.publisher(&topics::CAMERA_PAN).unwrap();
    let tilt = student.publisher(&topics::CAMERA_TILT).unwrap();
    wait_until("the robot", || [&steering, &pan, &tilt].iter().all(|topic| topic.subscriber_count() == 1)).await;
    let joints = wait_for("a car that steers and looks aside", async || {
        pose(&sim).await?;
        steering.publish(Float64 { data: 0.3 });
        pan.publish(Float64 { data: 0.4 });
        tilt.publish(Float64 { data: -0.2 });
        let joints = get(sim.address, "/sim/api/state").await.json()["joints"].clone();
        let near = |name: &str, angle: f64| joints[name].as_f64().is_some_and(|shown| (shown - angle).abs() < 1e-6);
        let is_steered = joints["front_left_steering_rad"].as_f64()? > 0.3;
        (is_steered && near("camera_pan_rad", 0.4) && near("camera_tilt_rad", -0.2)).then_some(joints)
    })
    .await;
    let angle = |name: &str| joints[name].as_f64().unwrap();
    assert!(angle("front_left_steering_rad") > angle("front_right_steering_rad"), "the inner wheel turns further");
    assert!(angle("front_right_steering_rad") > 0.2);
    assert!(angle("rear_left_wheel_rad").abs() < 0.5, "and it stands: {joints}");

    wait_for("wheels that count on over a full turn", async || {
        post(sim.address, "/sim/api/drive", r#"{"speed": 1.0}"#).await;
        let joints = get(sim.address, "/sim/api/state").await.json()["joints"].clone();
        (joints["rear_left_wheel_rad"].as_f64()? > 7.0 && joints["front_right_wheel_rad"].as_f64()? > 7.0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_world_never_shows_the_odometry_of_the_one_before() {
    let sim = SimUp::start();
    for fresh in ["respawn", "respawn", "switch"] {
        wait_for("a car whose odometry has gone far", async || {
            pose(&sim).await?;
            post(sim.address, "/sim/api/drive", r#"{"speed": 1.0}"#).await;
            (get(sim.address, "/sim/api/state").await.json()["odom"]["x"].as_f64()? > 0.5).then_some(())
        })
        .await;
        let answer = post(sim.address, &format!("/sim/api/{fresh}"), r#"{"world": "vehicle_oval.world"}"#).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        wait_for("odometry in the fresh world", async || {
            let state = get(sim.address, "/sim/api/state").await.json();
            let x_m = state["odom"]["x"].as_f64()?;
            assert!(x_m < 0.3, "after {fresh}: {state}");
            Some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_that_load_worlds_shortly_after_each_other_are_both_answered() {
    let sim = SimUp::start();
    wait_for("a robot", async || {
        pose(&sim).await?;
        get(sim.address, "/sim/api/state").await.json()["odom"]["x"].as_f64()
    })
    .await;
    let respawn = async || post(sim.address, "/sim/api/respawn", "{}").await;
    for _ in 0..10 {
        // The first world stands by now; its client still waits for odometry.
        let second = async {
            tokio::time::sleep(Duration::from_millis(15)).await;
            respawn().await
        };
        let (first, second) = tokio::join!(respawn(), second);
        let statuses = [first.status, second.status];
        assert!(statuses.contains(&200), "{first:?} {second:?}");
        assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{first:?} {second:?}");
    }
}

async fn pose(sim: &SimUp) -> Option<serde_json::Value> {
    tokio::net::TcpStream::connect(sim.address).await.ok()?;
    let answer = get(sim.address, "/sim/api/pose").await;
    (answer.status == 200).then(|| answer.json())
}

async fn wait_standing(sim: &SimUp) {
    wait_for("a car that stands", async || (pose(sim).await?["speed"].as_f64()?.abs() < 0.01).then_some(())).await;
}
