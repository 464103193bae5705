//! The service `Apply` and the commands it takes: the one way in which the world is changed.

use serde::{Deserialize, Serialize};

use super::{EntityStates, constants};
use crate::ros::msg::{builtin_interfaces::Time, geometry_msgs::Point};

/// One change of the world. `kind` says which fields are read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Command {
    pub kind: u8,
    pub entity: String,
    /// Which of `x`, `y`, `z` and `yaw` are given; the others keep the value they have when the command takes hold.
    pub fields: u8,
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub yaw: f64,
    pub duration: f64,
    pub path: Vec<Point>,
    pub speed: f64,
    pub looped: bool,
    pub world: String,
    pub seed: u64,
    pub light_state: String,
    pub red_at: Time,
    pub brightness: f64,
    pub steering: f64,
    pub pan: f64,
    pub tilt: f64,
    pub paused: bool,
    pub real_time_factor: f64,
}

constants!(Command {
    SET_POSE = 1,
    MOVE = 2,
    FOLLOW_PATH = 3,
    RESET = 4,
    LOAD_WORLD = 5,
    SET_LIGHT = 6,
    SET_BRIGHTNESS = 7,
    DRIVE = 8,
    SET_PAUSED = 9,
    SET_REAL_TIME_FACTOR = 10,
    FIELD_X = 1,
    FIELD_Y = 2,
    FIELD_Z = 4,
    FIELD_YAW = 8,
});

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ApplyRequest {
    /// 0 is any.
    pub expected_epoch: u64,
    /// Unix time in seconds; 0 is none.
    pub deadline: f64,
    pub commands: Vec<Command>,
    pub advance_steps: u32,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ApplyResponse {
    pub result: u8,
    pub message: String,
    pub step: u64,
    pub stamp: Time,
    pub epoch: u64,
    pub states: EntityStates,
}

constants!(ApplyResponse {
    OK = 0,
    REFUSED = 1,
    NOT_FOUND = 2,
    WRONG_EPOCH = 3,
    NOT_READY = 4,
    FAILED = 5,
    TOO_LATE = 6,
});
