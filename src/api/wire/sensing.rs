//! The vehicle's measures and what its lidar sees.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::{rounded, seconds};
use crate::domain::{Scan, VehicleSpec};

/// The sensors are the same on every vehicle; where they sit is in the vehicle's file.
const LIDAR: LidarBody = LidarBody { samples: 720, min_range: 0.1, max_range: 16.0, offset: 0.0 };
pub(super) const CAMERA: CameraBody = CameraBody { width: 480, height: 360, fps: 15.0, hfov: 1.745_329 };

#[derive(Debug, Serialize, JsonSchema)]
pub struct VehicleSpecBody {
    pub generation: String,
    pub model_name: String,
    pub wheelbase: f64,
    pub track: f64,
    pub wheel_radius: f64,
    pub max_speed: f64,
    pub max_steer: f64,
    pub lidar: LidarBody,
    pub camera: CameraBody,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct LidarBody {
    pub samples: u32,
    pub min_range: f64,
    pub max_range: f64,
    /// How far it sits in front of the vehicle's middle.
    pub offset: f64,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct CameraBody {
    pub width: u32,
    pub height: u32,
    /// Pictures per simulated second.
    pub fps: f64,
    /// Horizontal field of view.
    pub hfov: f64,
}

impl VehicleSpecBody {
    pub fn of(spec: &VehicleSpec) -> Self {
        Self {
            generation: spec.generation.clone(),
            model_name: spec.model_name.clone(),
            wheelbase: rounded(spec.wheelbase_m),
            track: rounded(spec.track_m),
            wheel_radius: rounded(spec.wheel_radius_m),
            max_speed: rounded(spec.max_speed_m_s),
            max_steer: rounded(spec.max_steer_rad),
            lidar: LidarBody { offset: rounded(spec.lidar_m[0]), ..LIDAR },
            camera: CAMERA,
        }
    }
}

/// One turn of the lidar: range k lies at `angle_min + k * angle_increment`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ScanResponse<'a> {
    pub frame: &'a str,
    pub time: f64,
    pub angle_min: f64,
    pub angle_increment: f64,
    pub range_min: f64,
    pub range_max: f64,
    /// Null where the ray met nothing.
    pub ranges: Vec<Option<f64>>,
}

impl<'a> ScanResponse<'a> {
    pub fn of(scan: &'a Scan) -> Self {
        let wide = |value: f32| rounded(f64::from(value));
        Self {
            frame: &scan.frame,
            time: seconds(scan.stamp),
            angle_min: wide(scan.angle_min_rad),
            // Summed up over a whole turn, a rounded increment would miss the last ray.
            angle_increment: f64::from(scan.angle_increment_rad),
            range_min: wide(scan.range_min_m),
            range_max: wide(scan.range_max_m),
            ranges: scan.ranges_m.iter().map(|range| scan.is_valid(*range).then(|| wide(*range))).collect(),
        }
    }
}
