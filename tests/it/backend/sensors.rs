//! What the sensors publish.

use futures::StreamExt;
use sim_api::ros::msg::sensor_msgs::LaserScan;
use sim_api::ros::msg::sim_api_msgs::Command;
use sim_api::ros::{Subscriber, topics};

use super::rig::{Rig, drive, pause, place, reset};
use crate::support::wait::{in_time, within};

/// Puts the box in front of the vehicle.
fn ahead(x: f64) -> Command {
    Command { fields: Command::FIELD_X | Command::FIELD_Y, ..place("box1", x) }
}

/// The next scan of a paused world, stepping on until it comes.
async fn next_scan(rig: &Rig, scans: &mut Subscriber<LaserScan>) -> LaserScan {
    let stepping = async {
        loop {
            rig.expect(vec![], 20).await;
            let next = tokio::time::timeout(std::time::Duration::from_millis(200), scans.next()).await;
            if let Ok(Some(scan)) = next {
                return scan;
            }
        }
    };
    within("a scan", stepping).await
}

#[tokio::test(flavor = "multi_thread")]
async fn scan_has_its_frame_its_angles_and_the_box_in_front() {
    let rig = Rig::start(1.0);
    let mut scans = rig.node.subscriber(&topics::SCAN).unwrap();
    rig.expect(vec![pause(true), ahead(2.0)], 0).await;
    let scan = next_scan(&rig, &mut scans).await;
    assert_eq!(scan.header.frame_id, "lidar_link");
    assert_eq!(scan.ranges.len(), 720);
    assert!((f64::from(scan.angle_min) + std::f64::consts::PI).abs() < 1e-6);
    assert!((scan.ranges[360] - 1.9).abs() < 0.05, "{}", scan.ranges[360]);
    assert_eq!(scan.ranges[0], f32::INFINITY);
    assert!(scan.intensities.is_empty());
    let next = next_scan(&rig, &mut scans).await;
    let nanos =
        |scan: &LaserScan| i64::from(scan.header.stamp.sec) * 1_000_000_000 + i64::from(scan.header.stamp.nanosec);
    assert_eq!((nanos(&next) - nanos(&scan)) % 100_000_000, 0, "10 Hz of simulation time");
    assert!(nanos(&next) > nanos(&scan));
}

#[tokio::test(flavor = "multi_thread")]
async fn imu_and_joints_come_with_what_their_readers_need() {
    let rig = Rig::start(1.0);
    let mut imu = rig.node.subscriber(&topics::IMU).unwrap();
    let mut joints = rig.node.subscriber(&topics::JOINT_STATES).unwrap();
    rig.expect(vec![drive(1.0)], 0).await;
    let reading = in_time(imu.next()).await.unwrap();
    assert_eq!(reading.header.frame_id, "imu_link");
    assert_eq!(reading.orientation_covariance[0], -1.0);
    assert!((reading.angular_velocity_covariance[4] - 4e-8).abs() < 1e-12);
    assert!((reading.linear_acceleration_covariance[8] - 0.017f64.powi(2)).abs() < 1e-9);
    assert!((reading.linear_acceleration.z - 9.81).abs() < 1.0);
    let rolling = async {
        loop {
            let state = joints.next().await.unwrap();
            if (state.velocity[0] - 1.0 / 0.0375).abs() < 0.5 {
                return state;
            }
        }
    };
    let state = within("rolling wheels", rolling).await;
    assert_eq!((state.name.len(), state.position.len(), state.velocity.len()), (8, 8, 8));
    assert_eq!(state.name[0], "front_left_wheel_joint");
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_are_told_when_they_change() {
    let rig = Rig::start(1.0);
    let mut contacts = rig.node.subscriber(&topics::CONTACTS).unwrap();
    rig.expect(vec![pause(true)], 0).await;
    // Until the subscriber is known, changes go unheard: repeat them.
    let touch = async {
        loop {
            let response = rig.expect(vec![reset(), ahead(0.2)], 0).await;
            // What was told before this may be heard first.
            let wait = std::time::Duration::from_millis(200);
            while let Ok(Some(told)) = tokio::time::timeout(wait, contacts.next()).await {
                if told.epoch == response.epoch {
                    return told;
                }
            }
        }
    };
    assert_eq!(within("a contact", touch).await.names, ["box1"]);
    rig.expect(vec![place("box1", 3.0)], 0).await;
    let parted = async {
        loop {
            let told = contacts.next().await.unwrap();
            if told.names.is_empty() {
                return told;
            }
        }
    };
    within("the end of the contact", parted).await;
}
