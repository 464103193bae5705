//! Between the f64 poses of the domain and the f32 ones of rapier.

use nalgebra::Vector3;
use rapier3d::math::{Pose as BodyPose, Rotation, Vector};
use rapier3d::prelude::RigidBody;

use crate::domain::{Pose, Twist};

pub(super) fn vector(value: &Vector3<f64>) -> Vector {
    Vector::new(value.x as f32, value.y as f32, value.z as f32)
}

pub(super) fn body_pose(pose: &Pose) -> BodyPose {
    let [x, y, z, w] = pose.xyzw().map(|value| value as f32);
    BodyPose::from_parts(vector(&pose.position), Rotation::from_xyzw(x, y, z, w).normalize())
}

/// Of the body's origin, not of its centre of mass.
pub(super) fn pose_of(body: &RigidBody) -> Pose {
    let position = body.translation();
    let q = body.rotation();
    Pose::from_xyz_xyzw([position.x, position.y, position.z].map(f64::from), [q.x, q.y, q.z, q.w].map(f64::from))
}

/// Of the body's origin, not of its centre of mass.
pub(super) fn twist_of(body: &RigidBody) -> Twist {
    let widen = |v: Vector| Vector3::new(v.x, v.y, v.z).cast::<f64>();
    Twist { linear: widen(body.velocity_at_point(body.translation())), angular: widen(body.angvel()) }
}
