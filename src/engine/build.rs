//! From a description to bodies and colliders.

use nalgebra::{Rotation3, UnitQuaternion};
use rapier3d::prelude::*;

use crate::domain::STEPS_PER_SECOND;
use crate::engine::Spread;
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
    let dynamic = model.mobility == Mobility::Dynamic;
    let (builder, density) = match &model.spread {
        Some(spread) if dynamic => (builder.additional_mass_properties(mass_properties(model.mass_kg, spread)), 0.0),
        None if dynamic => {
            let volume: f64 = solids.iter().map(|solid| solid.volume).sum();
            (builder, model.mass_kg / volume)
        }
        _ => (builder, 0.0),
    };
    let body = physics.insert_body(builder);
    for solid in solids {
        let collider = ColliderBuilder::new(solid.shape.clone())
            .position(solid.pose)
            .friction(model.friction as f32)
            .density(density as f32);
        physics.insert_collider(collider, Some(body));
    }
    body
}

fn mass_properties(mass_kg: f64, spread: &Spread) -> MassProperties {
    let [x, y, z] = spread.centre_m.map(|value| value as f32);
    let (moments, axes) = spread.principal();
    let axes = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    let [i, j, k, w] = [axes.i, axes.j, axes.k, axes.w].map(|value| value as f32);
    let [a, b, c] = moments.map(|value| value as f32);
    let frame = Rotation::from_xyzw(i, j, k, w).normalize();
    MassProperties::with_principal_inertia_frame(Vector::new(x, y, z), mass_kg as f32, Vector::new(a, b, c), frame)
}

/// What a body is while no motion carries it.
pub(super) fn resting_type(mobility: Mobility) -> RigidBodyType {
    match mobility {
        Mobility::Fixed | Mobility::Placeable => RigidBodyType::Fixed,
        Mobility::Dynamic => RigidBodyType::Dynamic,
    }
}
