//! Package `rosgraph_msgs`: simulation time.

use serde::{Deserialize, Serialize};

use super::builtin_interfaces::Time;
use crate::ros::message;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    pub clock: Time,
}

message!("rosgraph_msgs", Clock);
