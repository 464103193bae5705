//! How far each joint of the vehicle has turned: bookkeeping over counted steps, without influence on the motion.

use rapier3d::prelude::*;

use crate::domain::{DriveTarget, STEPS_PER_SECOND};
use crate::engine::sensors::JointReading;
use crate::engine::sensors::camera::CAMERA;

use super::Vehicle;

const WHEELS: usize = 4;
const STEERED: usize = 2;

/// What the vehicle's underside does in a step.
pub(super) enum Rolling {
    /// The motor turns the wheels as for this speed of the middle of the rear axle.
    Driven { speed: f32 },
    /// Something else moves the body, with this velocity in its own frame, and the wheels roll along.
    Carried { linear: Vector, angular: Vector },
}

/// The joints one step later.
pub(super) fn advance(vehicle: &Vehicle, curvature: f32, rolling: &Rolling, target: &DriveTarget) -> JointReading {
    let before = vehicle.joints.position_rad;
    let mut next = JointReading::default();
    for (index, wheel) in vehicle.wheels.iter().enumerate() {
        let way = vehicle.way_of(wheel, curvature);
        let along = match rolling {
            Rolling::Driven { speed } => speed * way.length(),
            Rolling::Carried { linear, angular } => {
                let heading = if wheel.steered { way.try_normalize().unwrap_or(Vector::X) } else { Vector::X };
                (linear + angular.cross(wheel.hub)).dot(heading)
            }
        };
        let rate = f64::from(along / vehicle.radius);
        next.velocity_rad_s[index] = rate;
        next.position_rad[index] = before[index] + rate / STEPS_PER_SECOND as f64;
        if wheel.steered {
            next.position_rad[WHEELS + index] = libm::atan2(way.y.into(), way.x.into());
        }
    }
    let turn = |asked: f64| asked.clamp(-CAMERA.max_turn_rad, CAMERA.max_turn_rad);
    let camera = WHEELS + STEERED;
    next.position_rad[camera] = turn(target.camera_pan_rad);
    next.position_rad[camera + 1] = turn(target.camera_tilt_rad);
    let turned = next.position_rad.iter().zip(before).skip(WHEELS);
    for (rate, (now, before)) in next.velocity_rad_s.iter_mut().skip(WHEELS).zip(turned) {
        *rate = (now - before) * STEPS_PER_SECOND as f64;
    }
    next
}
