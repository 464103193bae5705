//! What the vehicle's sensors measure: pure reads of a world, so that watching changes nothing.
//!
//! A sample is named by its number. Sample k = 1, 2, … of a sensor falls on the step ceil(k * 200 / rate), counted since the world
//! was built or reset; there is none at step 0, so that every sample is younger than the cut it follows. Its noise is a function of
//! (seed, sensor, sample number) and nothing else: samples may be skipped when nobody listens, and the others stay the same.

pub mod camera;
mod imu;
mod joints;
mod lidar;
mod noise;

pub use imu::{IMU, ImuReading};
pub use joints::{JOINTS, JOINTS_SCHEDULE, JointReading};
pub use lidar::{LIDAR, Lidar};

use crate::domain::STEPS_PER_SECOND;

/// When a sensor takes its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    rate_hz: u64,
}

impl Schedule {
    /// At most one sample per step.
    pub const fn at(rate_hz: u64) -> Self {
        assert!(rate_hz > 0 && rate_hz <= STEPS_PER_SECOND, "a sensor samples at most once per step");
        Self { rate_hz }
    }

    pub const fn rate_hz(self) -> u64 {
        self.rate_hz
    }

    /// The step on which sample k falls.
    pub const fn step_of(self, sample: u64) -> u64 {
        (sample * STEPS_PER_SECOND).div_ceil(self.rate_hz)
    }

    /// The number of the sample that falls on this step, if one does.
    pub const fn sample_at(self, step: u64) -> Option<u64> {
        let sample = step * self.rate_hz / STEPS_PER_SECOND;
        if sample > 0 && self.step_of(sample) == step { Some(sample) } else { None }
    }
}
