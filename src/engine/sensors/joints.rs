//! The joints: how far the wheels have turned, where the steering and the camera point. Read without error, as encoders are.

use super::Schedule;
use crate::engine::World;

/// When the joints are read.
pub const JOINTS_SCHEDULE: Schedule = Schedule::at(50);

/// The names of the joints, in the order of every reading.
pub const JOINTS: [&str; 8] = [
    "front_left_wheel_joint",
    "front_right_wheel_joint",
    "rear_left_wheel_joint",
    "rear_right_wheel_joint",
    "front_left_steering_joint",
    "front_right_steering_joint",
    "camera_pan_joint",
    "camera_tilt_joint",
];

/// Angles and rates in the order of [`JOINTS`]; wheels are counted on over full turns, forward is positive, so are left and up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointReading {
    pub position_rad: [f64; 8],
    pub velocity_rad_s: [f64; 8],
}

impl World {
    /// The joints after the last step.
    pub fn joints(&self) -> JointReading {
        *self.scene.vehicle.joints()
    }
}
