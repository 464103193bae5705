//! What the vehicle looks like: the simulator knows it as a chassis on four wheels, and so it is drawn.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::rounded;
use crate::domain::VehicleSpec;

/// Seen from `base_footprint`: on the ground, midway between the axles; x forward, y left, z up.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VehicleLookBody {
    pub model_name: String,
    pub chassis: ChassisBody,
    pub wheels: Vec<WheelBody>,
    pub wheelbase: f64,
    /// At the joint.
    pub max_steer: f64,
    /// The point about which the camera turns; it looks forward.
    pub camera: [f64; 3],
    /// Horizontal field of view of the camera.
    pub camera_hfov: f64,
    pub lidar: [f64; 3],
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ChassisBody {
    /// Length, width, height.
    pub size: [f64; 3],
    pub centre: [f64; 3],
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WheelBody {
    /// Such as `front_left`.
    pub name: &'static str,
    /// Of the hub; the axle is y.
    pub position: [f64; 3],
    pub radius: f64,
    pub width: f64,
    pub steerable: bool,
}

impl VehicleLookBody {
    pub fn of(spec: &VehicleSpec) -> Self {
        let (x, y, radius) = (spec.wheelbase_m / 2.0, spec.track_m / 2.0, spec.wheel_radius_m);
        let wheel = |name, along: f64, across: f64| WheelBody {
            name,
            position: [along * x, across * y, radius].map(rounded),
            radius: rounded(radius),
            width: rounded(radius * VehicleSpec::WHEEL_WIDTH_OF_RADIUS),
            steerable: along > 0.0,
        };
        Self {
            model_name: spec.model_name.clone(),
            chassis: ChassisBody {
                size: spec.chassis_m.map(rounded),
                centre: [0.0, 0.0, rounded(radius * VehicleSpec::CLEARANCE_OF_WHEEL_RADIUS + spec.chassis_m[2] / 2.0)],
            },
            wheels: vec![
                wheel("front_left", 1.0, 1.0),
                wheel("front_right", 1.0, -1.0),
                wheel("rear_left", -1.0, 1.0),
                wheel("rear_right", -1.0, -1.0),
            ],
            wheelbase: rounded(spec.wheelbase_m),
            max_steer: rounded(spec.max_steer_rad),
            camera: spec.camera_m.map(rounded),
            camera_hfov: super::sensing::CAMERA.hfov,
            lidar: spec.lidar_m.map(rounded),
        }
    }
}
