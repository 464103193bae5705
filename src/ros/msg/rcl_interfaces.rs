//! Package `rcl_interfaces`: one line of a log.

use serde::{Deserialize, Serialize};

use super::builtin_interfaces::Time;
use crate::ros::message;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Log {
    pub stamp: Time,
    pub level: u8,
    /// Who says it.
    pub name: String,
    pub msg: String,
    pub file: String,
    pub function: String,
    pub line: u32,
}

impl Log {
    pub const INFO: u8 = 20;
    pub const WARN: u8 = 30;
    pub const ERROR: u8 = 40;
}

message!("rcl_interfaces", Log);
