//! Where things are on the vehicle, as frames: right-handed, x forward, y left, z up; optical frames z forward, x right.
//!
//! A frame is either fixed or it moves, never both: all but the camera are fixed, and the camera turns with pan and tilt.

use nalgebra::{UnitQuaternion, Vector3};

use crate::domain::{Pose, VehicleSpec};
use crate::robot::planar::Planar;

pub const ODOM: &str = "odom";
pub const BASE_FOOTPRINT: &str = "base_footprint";
pub const BASE_LINK: &str = "base_link";
pub const LIDAR: &str = "lidar_link";
pub const IMU: &str = "imu_link";
pub const CAMERA: &str = "camera_link";
pub const CAMERA_OPTICAL: &str = "camera_optical_frame";

/// Where the sensors are, seen from `base_footprint`: on the ground, midway between the axles.
#[derive(Debug, Clone, PartialEq)]
pub struct Mounting {
    /// At the height of the axles.
    pub base_link: Pose,
    pub lidar: Pose,
    pub imu: Pose,
    /// The point about which the camera pans and tilts, and how it looks when both are zero.
    pub camera: Pose,
}

/// One frame seen from another.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub parent: &'static str,
    pub child: &'static str,
    pub pose: Pose,
}

impl Mounting {
    pub fn new(vehicle: &VehicleSpec) -> Self {
        Self {
            base_link: Pose::upright(0.0, 0.0, vehicle.wheel_radius_m, 0.0),
            lidar: facing_forward(vehicle.lidar_m),
            imu: facing_forward(vehicle.imu_m),
            camera: facing_forward(vehicle.camera_m),
        }
    }

    /// The lidar as seen from above.
    pub fn base_from_lidar(&self) -> Planar {
        Planar::new(self.lidar.position.x, self.lidar.position.y, self.lidar.yaw())
    }

    /// The frames that never move.
    pub fn fixed(&self) -> Vec<Frame> {
        let on_base = |child, pose| Frame { parent: BASE_FOOTPRINT, child, pose };
        let optical =
            UnitQuaternion::from_euler_angles(-std::f64::consts::FRAC_PI_2, 0.0, -std::f64::consts::FRAC_PI_2);
        vec![
            on_base(BASE_LINK, self.base_link),
            on_base(LIDAR, self.lidar),
            on_base(IMU, self.imu),
            Frame {
                parent: CAMERA,
                child: CAMERA_OPTICAL,
                pose: Pose { position: Vector3::zeros(), orientation: optical },
            },
        ]
    }

    /// The camera, panned to the left and tilted upwards by these angles.
    pub fn camera_at(&self, pan_rad: f64, tilt_rad: f64) -> Frame {
        let turn = UnitQuaternion::from_euler_angles(0.0, -tilt_rad, pan_rad);
        let pose = Pose { position: self.camera.position, orientation: self.camera.orientation * turn };
        Frame { parent: BASE_FOOTPRINT, child: CAMERA, pose }
    }
}

fn facing_forward([x, y, z]: [f64; 3]) -> Pose {
    Pose::upright(x, y, z, 0.0)
}
