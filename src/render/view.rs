//! A camera made ready for drawing: one place for all that depends on the projection.

use super::mesh::Sphere;
use super::{Camera, MAX_IMAGE_SIDE, Projection, Transform};

/// Pixels from the top left corner to where triangles are cut, so that their corners fit the rasteriser's integers.
pub(super) const GUARD: f32 = 11_000.0;

#[derive(Debug, Clone)]
pub(super) struct View {
    pub optical_from_world: Transform,
    /// Vertical part of the line of sight: (per optical x, per optical y, constant).
    pub up: [f32; 3],
    /// Above the origin of the world, in metres.
    pub eye_height: f64,
    pub parallel: bool,
    pub focal: f32,
    pub centre: [f32; 2],
    pub width: u32,
    pub height: u32,
    pub near: f32,
    pub far: f32,
}

impl View {
    /// Nothing for a camera that can see nothing: without size, not finite, or flat.
    pub fn new(camera: &Camera, supersample: u32) -> Option<Self> {
        let width = camera.width.checked_mul(supersample)?;
        let height = camera.height.checked_mul(supersample)?;
        if width == 0 || height == 0 || width.max(height) > MAX_IMAGE_SIDE {
            return None;
        }
        let parallel = matches!(camera.projection, Projection::Orthographic { .. });
        let focal = (camera.intrinsics().fx * f64::from(supersample)) as f32;
        let smallest_near = if parallel { f64::NEG_INFINITY } else { 1e-4 };
        let (near, far) = (camera.near_m.max(smallest_near) as f32, camera.far_m as f32);
        if !(focal.is_normal() && focal > 0.0 && focal < 1e7 && near.is_finite() && far.is_finite() && far > near) {
            return None;
        }
        Some(Self {
            optical_from_world: camera.world_from_optical.inverse()?,
            up: camera.world_from_optical.linear[2].map(|v| v as f32),
            eye_height: camera.world_from_optical.translation[2],
            parallel,
            focal,
            centre: [width as f32 / 2.0, height as f32 / 2.0],
            width,
            height,
            near,
            far,
        })
    }

    /// Whether some of a sphere in the optical frame may be in the picture.
    pub fn may_see(&self, sphere: &Sphere) -> bool {
        let [x, y, z] = sphere.centre;
        let r = sphere.radius;
        let (near, far) = (f64::from(self.near), f64::from(self.far));
        if !(z + r >= near && z - r <= far) {
            return false;
        }
        let focal = f64::from(self.focal);
        [(x, self.centre[0]), (y, self.centre[1])].iter().all(|(offset, half)| {
            let half = f64::from(*half);
            if self.parallel {
                offset.abs() * focal <= half + r * focal
            } else {
                // The two side planes are mirror images, so the nearer one decides.
                offset.abs() * focal - z * half <= r * (focal * focal + half * half).sqrt()
            }
        })
    }

    /// What x and y are divided by on the way to the picture.
    #[inline(always)]
    pub fn divisor(&self, z: f32) -> f32 {
        if self.parallel { 1.0 } else { z }
    }

    /// Pixel coordinates of a point and its closeness: positive, larger is nearer, linear over the picture.
    #[inline(always)]
    pub fn project(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        if self.parallel {
            let closeness = 1.0 + (self.far - z) / (self.far - self.near);
            [self.centre[0] + self.focal * x, self.centre[1] + self.focal * y, closeness]
        } else {
            let inverse = 1.0 / z;
            let scale = self.focal * inverse;
            [self.centre[0] + scale * x, self.centre[1] + scale * y, inverse]
        }
    }
}
