//! From a description to bodies and colliders.

use rapier3d::prelude::*;

use crate::domain::STEPS_PER_SECOND;
use crate::engine::convert::body_pose;
use crate::engine::description::{Ground, Mobility, ModelDescription};
use crate::engine::solid::Solid;

/// Downwards.
pub(super) const GRAVITY_M_S2: f32 = 9.81;
/// Typical size of what is simulated; rapier's tolerances scale with it.
const LENGTH_UNIT_M: f32 = 0.1;
/// Faster than a fall from the highest place that a command can name.
const MAX_SPEED_M_S: f32 = 100.0;

pub(super) fn empty_physics() -> PhysicsWorld {
    PhysicsWorld {
        gravity: Vector::new(0.0, 0.0, -GRAVITY_M_S2),
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

/// `tag` is how the body is recognised later (`RigidBody::user_data`).
pub(super) fn insert_model(
    physics: &mut PhysicsWorld,
    model: &ModelDescription,
    solids: &[Solid],
    tag: u128,
) -> RigidBodyHandle {
    let builder = RigidBodyBuilder::new(resting_type(model.mobility)).pose(body_pose(&model.pose)).user_data(tag);
    let body = physics.insert_body(builder);
    let volume: f64 = solids.iter().map(|solid| solid.volume).sum();
    let density = if model.mobility == Mobility::Dynamic { model.mass_kg / volume } else { 0.0 };
    for solid in solids {
        let collider = ColliderBuilder::new(solid.shape.clone())
            .position(solid.pose)
            .friction(model.friction as f32)
            .density(density as f32);
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
