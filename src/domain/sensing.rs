//! What the vehicle's sensors gave last.

use crate::domain::SimTime;

/// One turn of the lidar: range k lies at `angle_min_rad + k * angle_increment_rad`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    pub stamp: SimTime,
    pub frame: String,
    pub angle_min_rad: f32,
    pub angle_increment_rad: f32,
    pub range_min_m: f32,
    pub range_max_m: f32,
    /// As measured; a ray that met nothing may be infinite, zero or no number.
    pub ranges_m: Vec<f32>,
}

impl Scan {
    /// Whether the sensor says that this range is a distance.
    pub fn is_valid(&self, range_m: f32) -> bool {
        range_m.is_finite() && (self.range_min_m..=self.range_max_m).contains(&range_m)
    }
}

/// One compressed picture of the camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub stamp: SimTime,
    pub jpeg: bytes::Bytes,
}
