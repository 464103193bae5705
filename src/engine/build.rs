//! From a description to bodies and colliders.

use rapier3d::prelude::*;

use crate::domain::STEPS_PER_SECOND;
use crate::engine::convert::body_pose;
use crate::engine::description::{Ground, Mobility, ModelDescription, Shape};

/// Typical size of what is simulated; rapier's tolerances scale with it.
const LENGTH_UNIT_M: f32 = 0.1;
/// Faster than a fall from the highest place that a command can name.
const MAX_SPEED_M_S: f32 = 100.0;

pub(super) fn empty_physics() -> PhysicsWorld {
    PhysicsWorld {
        gravity: Vector::new(0.0, 0.0, -9.81),
        integration_parameters: IntegrationParameters {
            dt: 1.0 / STEPS_PER_SECOND as f32,
            length_unit: LENGTH_UNIT_M,
            normalized_max_linear_velocity: MAX_SPEED_M_S / LENGTH_UNIT_M,
            ..Default::default()
        },
        ..Default::default()
    }
}

pub(super) fn insert_ground(physics: &mut PhysicsWorld, ground: &Ground) {
    let body = RigidBodyBuilder::fixed().translation(Vector::new(0.0, 0.0, ground.height_m as f32));
    let plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Z)).friction(ground.friction as f32);
    physics.insert(body, plane);
}

pub(super) fn insert_model(physics: &mut PhysicsWorld, model: &ModelDescription) -> RigidBodyHandle {
    let builder = RigidBodyBuilder::new(resting_type(model.mobility)).pose(body_pose(&model.pose));
    let body = physics.insert_body(builder);
    let volume: f64 = model.parts.iter().map(|part| volume(&part.shape)).sum();
    for part in &model.parts {
        let (shape, turn) = solid(&part.shape);
        let collider = ColliderBuilder::new(shape)
            .position(body_pose(&part.pose) * turn)
            .friction(model.friction as f32)
            .density((model.mass_kg / volume) as f32);
        physics.insert_collider(collider, Some(body));
    }
    body
}

/// What a body is while no motion carries it.
pub(super) fn resting_type(mobility: Mobility) -> RigidBodyType {
    match mobility {
        Mobility::Fixed | Mobility::Placeable => RigidBodyType::Fixed,
        Mobility::Dynamic => RigidBodyType::Dynamic,
    }
}

fn volume(shape: &Shape) -> f64 {
    use std::f64::consts::PI;
    match *shape {
        Shape::Box { size_m: [x, y, z] } => x * y * z,
        Shape::Cylinder { radius_m, length_m } => PI * radius_m * radius_m * length_m,
        Shape::Sphere { radius_m } => 4.0 / 3.0 * PI * radius_m * radius_m * radius_m,
    }
}

/// The shape, and how to turn it: rapier's cylinders stand along y.
fn solid(shape: &Shape) -> (SharedShape, Pose) {
    match *shape {
        Shape::Box { size_m } => {
            let [x, y, z] = size_m.map(|edge| edge as f32 / 2.0);
            (SharedShape::cuboid(x, y, z), Pose::IDENTITY)
        }
        Shape::Cylinder { radius_m, length_m } => {
            let half = std::f32::consts::FRAC_1_SQRT_2;
            let y_to_z = Rotation::from_xyzw(half, 0.0, 0.0, half);
            (SharedShape::cylinder(length_m as f32 / 2.0, radius_m as f32), Pose::from_rotation(y_to_z))
        }
        Shape::Sphere { radius_m } => (SharedShape::ball(radius_m as f32), Pose::IDENTITY),
    }
}
