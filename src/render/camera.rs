//! From where and how a picture is taken.

use super::Transform;
use crate::domain::Pose;

/// No side of a picture, supersampled, is longer: the rasteriser's integers are dimensioned for it.
pub const MAX_IMAGE_SIDE: u32 = 8192;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// A pinhole with square pixels and the principal point in the middle.
    Perspective { horizontal_fov_rad: f64 },
    /// Parallel rays; the picture is `width_m` wide.
    Orthographic { width_m: f64 },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The optical frame: x to the right of the picture, y down, z into the scene.
    pub world_from_optical: Transform,
    pub projection: Projection,
    pub width: u32,
    pub height: u32,
    /// What is nearer is cut off.
    pub near_m: f64,
    /// Whole parts of the scene beyond it are left out.
    pub far_m: f64,
}

/// Focal length and principal point in pixels; the centre of the top left pixel is (0, 0), as in `sensor_msgs/CameraInfo`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intrinsics {
    pub fx: f64,
    pub fy: f64,
    pub cx: f64,
    pub cy: f64,
}

impl Camera {
    /// A pinhole camera at a body frame (x forward, y left, z up).
    pub fn forward_from(pose: &Pose, horizontal_fov_rad: f64, width: u32, height: u32) -> Self {
        Self {
            world_from_optical: Transform::from_pose(pose).after(&Transform::BODY_FROM_OPTICAL),
            projection: Projection::Perspective { horizontal_fov_rad },
            width,
            height,
            near_m: 0.01,
            far_m: 1000.0,
        }
    }

    /// Straight down on (x, y), north (+y) at the top and east (+x) at the right, the 200 m below `top_m` in sight.
    pub fn top_down(centre: [f64; 2], top_m: f64, width_m: f64, width: u32, height: u32) -> Self {
        let linear = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        Self {
            world_from_optical: Transform { linear, translation: [centre[0], centre[1], top_m] },
            projection: Projection::Orthographic { width_m },
            width,
            height,
            near_m: 0.0,
            far_m: 200.0,
        }
    }

    /// The intrinsics of a pinhole camera; for parallel rays `fx` and `fy` are pixels per metre.
    pub fn intrinsics(&self) -> Intrinsics {
        let (w, h) = (f64::from(self.width), f64::from(self.height));
        let f = match self.projection {
            Projection::Perspective { horizontal_fov_rad } => w / 2.0 / libm::tan(horizontal_fov_rad / 2.0),
            Projection::Orthographic { width_m } => w / width_m,
        };
        Intrinsics { fx: f, fy: f, cx: w / 2.0 - 0.5, cy: h / 2.0 - 0.5 }
    }
}
