//! What the tests share: private folders, ROS domains, processes, HTTP, waiting for a condition, the vehicle.

pub mod domain;
pub mod folder;
pub mod http;
pub mod mcap;
pub mod node;
pub mod process;
pub mod rig;
pub mod switching;
pub mod wait;

pub use wait::in_time;

use sim_api::domain::VehicleSpec;

/// The measures of the vehicle file.
pub fn vehicle() -> VehicleSpec {
    VehicleSpec {
        generation: "vehicle".into(),
        model_name: "vehicle".into(),
        wheelbase_m: 0.18,
        track_m: 0.16,
        wheel_radius_m: 0.0375,
        chassis_m: [0.27, 0.09, 0.12],
        mass_kg: 3.1,
        max_steer_rad: 0.4189,
        max_steer_rate_rad_s: 6.0,
        max_speed_m_s: 3.0,
        max_accel_m_s2: 10.0,
        lidar_m: [0.0, 0.0, 0.16],
        imu_m: [0.0, 0.0, 0.05],
        camera_m: [0.10, 0.0, 0.13],
    }
}
