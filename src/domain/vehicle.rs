//! The vehicle: its measures and what it is told to do.

/// Measures of one vehicle generation, read once from `config/vehicles/<generation>.yaml`.
#[derive(Debug, Clone, PartialEq)]
pub struct VehicleSpec {
    pub generation: String,
    pub model_name: String,
    pub wheelbase_m: f64,
    pub track_m: f64,
    pub wheel_radius_m: f64,
    /// Length, width, height.
    pub chassis_m: [f64; 3],
    pub mass_kg: f64,
    /// At the joint.
    pub max_steer_rad: f64,
    /// How fast the servo turns the steering.
    pub max_steer_rate_rad_s: f64,
    pub max_speed_m_s: f64,
    pub max_accel_m_s2: f64,
    /// Where the sensors sit, seen from `base_footprint`; all of them face forward.
    pub lidar_m: [f64; 3],
    pub imu_m: [f64; 3],
    /// The point about which the camera pans and tilts.
    pub camera_m: [f64; 3],
}

impl VehicleSpec {
    /// Height of the chassis' underside; leaves room to drive over small things.
    pub const CLEARANCE_OF_WHEEL_RADIUS: f64 = 0.8;
    pub const WHEEL_WIDTH_OF_RADIUS: f64 = 0.8;
}

/// What the actuators are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DriveTarget {
    pub speed_m_s: f64,
    /// Positive turns left.
    pub steering_rad: f64,
    pub camera_pan_rad: f64,
    pub camera_tilt_rad: f64,
}
