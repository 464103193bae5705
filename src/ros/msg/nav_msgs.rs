//! Package `nav_msgs`: odometry.

use serde::{Deserialize, Serialize};

use super::{
    geometry_msgs::{PoseWithCovariance, TwistWithCovariance},
    std_msgs::Header,
};
use crate::ros::message;

/// The pose is in the frame of the header, the twist in `child_frame_id`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Odometry {
    pub header: Header,
    pub child_frame_id: String,
    pub pose: PoseWithCovariance,
    pub twist: TwistWithCovariance,
}

message!("nav_msgs", Odometry);
