//! The camera: where it looks from and how it projects. Drawing what it sees is not done here.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::Schedule;
use crate::domain::Pose;
use crate::engine::World;

/// What the camera is like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    pub schedule: Schedule,
    pub width: u32,
    pub height: u32,
    /// Between the left and the right edge of the picture.
    pub horizontal_fov_rad: f64,
    /// How far it pans and tilts to either side.
    pub max_turn_rad: f64,
}

pub const CAMERA: Camera = Camera {
    schedule: Schedule::at(15),
    width: 480,
    height: 360,
    horizontal_fov_rad: 100.0 * std::f64::consts::PI / 180.0,
    max_turn_rad: std::f64::consts::FRAC_PI_6,
};

/// A pinhole without distortion, in pixels; pixels are square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intrinsics {
    pub focal: f64,
    pub centre: [f64; 2],
}

impl Camera {
    pub fn intrinsics(&self) -> Intrinsics {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        let focal = width / 2.0 / libm::tan(self.horizontal_fov_rad / 2.0);
        Intrinsics { focal, centre: [width / 2.0, height / 2.0] }
    }
}

impl World {
    /// `camera_optical_frame` in the world: z forward, x right, y down, panned to the left and tilted upwards as it is now.
    pub fn camera_pose(&self) -> Pose {
        let body = self.vehicle().pose;
        let [pan, tilt] = self.scene.vehicle.camera_turn();
        let turn = about(Vector3::z(), pan) * about(Vector3::y(), -tilt);
        // A third of a turn about the diagonal of the frame carries (forward, left, up) to (right, down, forward).
        let optical = UnitQuaternion::new_normalize(Quaternion::new(0.5, -0.5, 0.5, -0.5));
        let mounted = Vector3::from(self.vehicle_spec().camera_m);
        Pose { position: body.position + body.orientation * mounted, orientation: body.orientation * turn * optical }
    }
}

/// Turned by this angle; the axis has length 1.
fn about(axis: Vector3<f64>, angle_rad: f64) -> UnitQuaternion<f64> {
    let (sin, cos) = libm::sincos(angle_rad / 2.0);
    UnitQuaternion::new_normalize(Quaternion::from_parts(cos, axis * sin))
}
