//! Where something stands in the world frame and how it moves there.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// A pose in the world frame, metres and a unit quaternion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
}

impl Pose {
    /// Upright at (x, y, z), turned by `yaw` about the vertical.
    pub fn upright(x: f64, y: f64, z: f64, yaw: f64) -> Self {
        Self { position: Vector3::new(x, y, z), orientation: UnitQuaternion::from_euler_angles(0.0, 0.0, yaw) }
    }

    /// From a position and a quaternion in ROS order; a quaternion without length counts as no rotation.
    pub fn from_xyz_xyzw(position: [f64; 3], q: [f64; 4]) -> Self {
        let raw = Quaternion::new(q[3], q[0], q[1], q[2]);
        let orientation = UnitQuaternion::try_new(raw, 1e-9).unwrap_or_else(UnitQuaternion::identity);
        Self { position: Vector3::from(position), orientation }
    }

    /// The pose of something that stands at `inner` in the frame that this pose places.
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            position: self.position + self.orientation * inner.position,
            orientation: self.orientation * inner.orientation,
        }
    }

    /// The quaternion in ROS order.
    pub fn xyzw(&self) -> [f64; 4] {
        let q = self.orientation.quaternion();
        [q.i, q.j, q.k, q.w]
    }

    /// (roll, pitch, yaw), each in -pi..=pi.
    pub fn roll_pitch_yaw(&self) -> (f64, f64, f64) {
        self.orientation.euler_angles()
    }

    pub fn yaw(&self) -> f64 {
        self.roll_pitch_yaw().2
    }

    pub fn is_finite(&self) -> bool {
        self.position.iter().all(|v| v.is_finite()) && self.orientation.coords.iter().all(|v| v.is_finite())
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::upright(0.0, 0.0, 0.0, 0.0)
    }
}

/// Velocity in the world frame, m/s and rad/s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    pub linear: Vector3<f64>,
    pub angular: Vector3<f64>,
}

impl Twist {
    pub fn is_finite(&self) -> bool {
        self.linear.iter().chain(self.angular.iter()).all(|v| v.is_finite())
    }
}
