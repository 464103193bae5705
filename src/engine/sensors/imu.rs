//! The IMU: turning rates and specific force in the frame of `imu_link`.
//!
//! It gives no orientation: what tells roll and pitch is in the acceleration, and a heading that is true for ever is something that
//! no sensor of such a car has indoors. Odometry that leaned on it would be better here than on the road.

use nalgebra::Vector3;

use super::Schedule;
use super::noise::{Noise, Source};
use crate::domain::STEPS_PER_SECOND;
use crate::engine::World;
use crate::engine::build::GRAVITY_M_S2;

/// What the IMU is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imu {
    pub schedule: Schedule,
    pub gyro_sigma_rad_s: f64,
    pub accel_sigma_m_s2: f64,
}

pub const IMU: Imu = Imu { schedule: Schedule::at(50), gyro_sigma_rad_s: 2e-4, accel_sigma_m_s2: 0.017 };

/// One sample, x forward, y left, z up as the car sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImuReading {
    pub angular_velocity_rad_s: Vector3<f64>,
    /// What a mass on a spring would feel: +9.81 upwards at rest, 0 in free fall.
    pub specific_force_m_s2: Vector3<f64>,
}

impl World {
    /// Sample `sample`: the present rates, and the force over the last step.
    pub fn imu(&self, sample: u64) -> ImuReading {
        let scene = &self.scene;
        let now = scene.imu_velocity();
        let change = (now - scene.imu_velocity_before).cast::<f64>() * STEPS_PER_SECOND as f64;
        let force = change + Vector3::new(0.0, 0.0, f64::from(GRAVITY_M_S2));
        let state = self.vehicle();
        let to_body = state.pose.orientation.inverse();
        let noise = Noise::new(self.seed(), Source::Imu, sample);
        let [[a, b], [c, d], [e, f]] = [noise.pair(0), noise.pair(1), noise.pair(2)];
        ImuReading {
            angular_velocity_rad_s: to_body * state.twist.angular + Vector3::new(a, b, c) * IMU.gyro_sigma_rad_s,
            specific_force_m_s2: to_body * force + Vector3::new(d, e, f) * IMU.accel_sigma_m_s2,
        }
    }
}
