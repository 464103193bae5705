//! Publishing what the sensors see: `/scan`, `/imu`, `/joint_states` and `/sim/contacts`.
//!
//! Frames are those of the vehicle; stamps are the simulation time of the step that a sample was taken after.

use std::future::Future;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::backend::simulation::{Observations, Stamped, Touch};
use crate::backend::wire;
use crate::domain::SimTime;
use crate::engine::sensors::camera::CAMERA;
use crate::engine::sensors::{IMU, ImuReading, JOINTS, JointReading, LIDAR};
use crate::ros::msg::sensor_msgs::{CameraInfo, Imu, JointState, LaserScan};
use crate::ros::msg::sim_api_msgs::Contacts;
use crate::ros::msg::std_msgs::Header;
use crate::ros::{Node, RosError, topics};

/// How often it is asked whether somebody listens to what is dear to compute.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// Opens the topics; the future publishes until the simulation ends.
pub(super) fn publish(
    node: &Node,
    mut seen: Observations,
) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let scans = node.publisher(&topics::SCAN)?;
    let imu = node.publisher(&topics::IMU)?;
    let joints = node.publisher(&topics::JOINT_STATES)?;
    let contacts = node.publisher(&topics::CONTACTS)?;
    Ok(async move {
        let mut look_around = interval(LOOK_AROUND);
        look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Ok(()) = seen.scans.changed() => {
                    newest(&mut seen.scans, |sample| scans.publish(laser_scan(sample)));
                }
                Ok(()) = seen.imu.changed() => newest(&mut seen.imu, |sample| imu.publish(imu_message(sample))),
                Ok(()) = seen.joints.changed() => {
                    newest(&mut seen.joints, |sample| joints.publish(joint_state(sample)));
                }
                touch = seen.touches.recv() => match touch {
                    Some(touch) => contacts.publish(contacts_message(touch)),
                    None => return,
                },
                _ = look_around.tick() => seen.scans_wanted.store(scans.subscriber_count() > 0, Relaxed),
            }
        }
    })
}

/// How the camera projects; the same for every frame but for the stamp.
pub fn camera_info(stamp: SimTime) -> CameraInfo {
    let intrinsics = CAMERA.intrinsics();
    let (f, [cx, cy]) = (intrinsics.focal, intrinsics.centre);
    CameraInfo {
        header: header(stamp, "camera_optical_frame"),
        height: CAMERA.height,
        width: CAMERA.width,
        distortion_model: "plumb_bob".to_owned(),
        d: vec![0.0; 5],
        k: [f, 0.0, cx, 0.0, f, cy, 0.0, 0.0, 1.0],
        r: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p: [f, 0.0, cx, 0.0, 0.0, f, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
        ..Default::default()
    }
}

fn newest<T>(samples: &mut watch::Receiver<Option<std::sync::Arc<Stamped<T>>>>, publish: impl FnOnce(&Stamped<T>)) {
    let sample = samples.borrow_and_update().clone();
    if let Some(sample) = sample {
        publish(&sample);
    }
}

fn header(stamp: SimTime, frame: &str) -> Header {
    Header { stamp: stamp.into(), frame_id: frame.to_owned() }
}

fn laser_scan(sample: &Stamped<Vec<f32>>) -> LaserScan {
    let last = LIDAR.angle_min_rad + (LIDAR.rays - 1) as f64 * LIDAR.angle_increment_rad;
    LaserScan {
        header: header(sample.stamp, "lidar_link"),
        angle_min: LIDAR.angle_min_rad as f32,
        angle_max: last as f32,
        angle_increment: LIDAR.angle_increment_rad as f32,
        // All rays are cast at once.
        time_increment: 0.0,
        scan_time: 1.0 / LIDAR.schedule.rate_hz() as f32,
        range_min: LIDAR.range_min_m as f32,
        range_max: LIDAR.range_max_m as f32,
        ranges: sample.value.clone(),
        intensities: Vec::new(),
    }
}

fn imu_message(sample: &Stamped<ImuReading>) -> Imu {
    let independent = |sigma: f64| {
        let variance = sigma * sigma;
        [variance, 0.0, 0.0, 0.0, variance, 0.0, 0.0, 0.0, variance]
    };
    let mut no_orientation = [0.0; 9];
    no_orientation[0] = -1.0;
    Imu {
        header: header(sample.stamp, "imu_link"),
        orientation_covariance: no_orientation,
        angular_velocity: wire::vector(sample.value.angular_velocity_rad_s),
        angular_velocity_covariance: independent(IMU.gyro_sigma_rad_s),
        linear_acceleration: wire::vector(sample.value.specific_force_m_s2),
        linear_acceleration_covariance: independent(IMU.accel_sigma_m_s2),
        ..Default::default()
    }
}

fn joint_state(sample: &Stamped<JointReading>) -> JointState {
    JointState {
        header: header(sample.stamp, ""),
        name: JOINTS.map(str::to_owned).to_vec(),
        position: sample.value.position_rad.to_vec(),
        velocity: sample.value.velocity_rad_s.to_vec(),
        effort: Vec::new(),
    }
}

fn contacts_message(touch: Touch) -> Contacts {
    let names = touch.names.iter().map(|name| name.as_str().to_owned()).collect();
    Contacts { stamp: touch.stamp.into(), epoch: touch.epoch.0, names }
}
