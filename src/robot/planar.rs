//! Poses in the plane and how their uncertainty travels. Knows no sensor and no ROS.

use nalgebra::Matrix3;

/// A pose, or a motion, in the plane: metres and radians, yaw counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Planar {
    pub x: f64,
    pub y: f64,
    pub yaw: f64,
}

impl Planar {
    pub const ZERO: Self = Self { x: 0.0, y: 0.0, yaw: 0.0 };

    pub const fn new(x: f64, y: f64, yaw: f64) -> Self {
        Self { x, y, yaw }
    }

    /// This pose, then `next` as seen from there.
    pub fn then(self, next: Self) -> Self {
        let [x, y] = self.apply([next.x, next.y]);
        Self { x, y, yaw: wrap(self.yaw + next.yaw) }
    }

    /// `other` as seen from this pose.
    pub fn to(self, other: Self) -> Self {
        let (sin, cos) = self.yaw.sin_cos();
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        Self { x: cos * dx + sin * dy, y: cos * dy - sin * dx, yaw: wrap(other.yaw - self.yaw) }
    }

    /// A point seen from this pose, in the frame of the pose.
    pub fn apply(self, point: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.yaw.sin_cos();
        [self.x + cos * point[0] - sin * point[1], self.y + sin * point[0] + cos * point[1]]
    }

    /// How far the position is from the origin.
    pub fn distance(self) -> f64 {
        self.x.hypot(self.y)
    }

    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.yaw.is_finite()
    }
}

/// The covariance of `pose.then(motion)`, where the two are independent. Each is over x, y, yaw in the frame of its pose.
pub fn covariance_then(pose: Planar, of_pose: &Matrix3<f64>, motion: Planar, of_motion: &Matrix3<f64>) -> Matrix3<f64> {
    let (sin, cos) = pose.yaw.sin_cos();
    let by_pose = Matrix3::new(
        1.0,
        0.0,
        -sin * motion.x - cos * motion.y,
        0.0,
        1.0,
        cos * motion.x - sin * motion.y,
        0.0,
        0.0,
        1.0,
    );
    let by_motion = Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0);
    by_pose * of_pose * by_pose.transpose() + by_motion * of_motion * by_motion.transpose()
}

/// The same angle in -pi..=pi.
pub fn wrap(angle: f64) -> f64 {
    let turned = angle.rem_euclid(std::f64::consts::TAU);
    if turned > std::f64::consts::PI { turned - std::f64::consts::TAU } else { turned }
}
