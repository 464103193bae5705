//! Package `builtin_interfaces`: points and spans of time.

use serde::{Deserialize, Serialize};

use crate::ros::message;

/// A point in time since the start of its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Time {
    pub sec: i32,
    /// Below one thousand million.
    pub nanosec: u32,
}

/// A span of time. The nanoseconds always count forward, so -0.5 s is -1 s and 500,000,000 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Duration {
    pub sec: i32,
    pub nanosec: u32,
}

message!("builtin_interfaces", Time, Duration);
