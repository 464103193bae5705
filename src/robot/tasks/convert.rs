//! Between the robot's plain values and ROS messages.

use nalgebra::{Matrix3, Vector3 as Vec3};

use crate::domain::{Pose as Pose3, SimTime};
use crate::robot::mounting::{BASE_FOOTPRINT, Frame, ODOM};
use crate::robot::planar::Planar;
use crate::robot::scan_filter::RangeScan;
use crate::ros::msg::geometry_msgs::{
    Covariance6, Point, Pose, PoseWithCovariance, Quaternion, Transform, TransformStamped, Twist, TwistWithCovariance,
    Vector3,
};
use crate::ros::msg::nav_msgs::Odometry;
use crate::ros::msg::sensor_msgs::LaserScan;
use crate::ros::msg::std_msgs::Header;

/// Rows of x, y and the turn about z in a covariance of six.
const PLANE: [usize; 3] = [0, 1, 5];
/// Height, roll and pitch are not measured; the car stands on the ground.
const OFF_PLANE_VARIANCE: f64 = 1e-3;

/// Takes the ranges out of the message.
pub fn range_scan(message: &mut LaserScan) -> RangeScan {
    RangeScan {
        stamp: message.header.stamp.into(),
        angle_min_rad: f64::from(message.angle_min),
        angle_increment_rad: f64::from(message.angle_increment),
        range_min_m: f64::from(message.range_min),
        range_max_m: f64::from(message.range_max),
        ranges_m: std::mem::take(&mut message.ranges),
    }
}

/// The pose in `odom`, the velocity in `base_footprint`.
pub fn odometry(
    stamp: SimTime,
    pose: Planar,
    covariance: &Matrix3<f64>,
    velocity: &Vec3<f64>,
    velocity_covariance: &Matrix3<f64>,
) -> Odometry {
    Odometry {
        header: Header { stamp: stamp.into(), frame_id: ODOM.into() },
        child_frame_id: BASE_FOOTPRINT.into(),
        pose: PoseWithCovariance {
            pose: Pose { position: Point { x: pose.x, y: pose.y, z: 0.0 }, orientation: quaternion(&upright(pose)) },
            covariance: spatial(covariance),
        },
        twist: TwistWithCovariance {
            twist: Twist {
                linear: Vector3 { x: velocity.x, y: velocity.y, z: 0.0 },
                angular: Vector3 { x: 0.0, y: 0.0, z: velocity.z },
            },
            covariance: spatial(velocity_covariance),
        },
    }
}

pub fn base_in_odom(pose: Planar) -> Frame {
    Frame { parent: ODOM, child: BASE_FOOTPRINT, pose: upright(pose) }
}

pub fn transform(frame: &Frame, stamp: SimTime) -> TransformStamped {
    let position = frame.pose.position;
    TransformStamped {
        header: Header { stamp: stamp.into(), frame_id: frame.parent.into() },
        child_frame_id: frame.child.into(),
        transform: Transform {
            translation: Vector3 { x: position.x, y: position.y, z: position.z },
            rotation: quaternion(&frame.pose),
        },
    }
}

fn upright(pose: Planar) -> Pose3 {
    Pose3::upright(pose.x, pose.y, 0.0, pose.yaw)
}

fn quaternion(pose: &Pose3) -> Quaternion {
    let [x, y, z, w] = pose.xyzw();
    Quaternion { x, y, z, w }
}

fn spatial(planar: &Matrix3<f64>) -> Covariance6 {
    let mut covariance = Covariance6::default();
    for (k, row) in covariance.iter_mut().enumerate() {
        row[k] = OFF_PLANE_VARIANCE;
    }
    for (i, row) in PLANE.into_iter().enumerate() {
        for (j, column) in PLANE.into_iter().enumerate() {
            covariance[row][column] = planar[(i, j)];
        }
    }
    covariance
}
