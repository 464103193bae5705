//! Package `tf2_msgs`: what travels on `/tf` and `/tf_static`.

use serde::{Deserialize, Serialize};

use super::geometry_msgs::TransformStamped;
use crate::ros::message;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TFMessage {
    pub transforms: Vec<TransformStamped>,
}

message!("tf2_msgs", TFMessage);
