//! Which marked models the vehicle touches: a pure read of what the last step found.

use rapier3d::prelude::*;

use crate::domain::ModelName;
use crate::engine::World;
use crate::engine::description::ModelDescription;

/// Marks a body for the search below: 0 for what is never reported, otherwise the place of the model, counted from 1.
pub(super) fn tag(index: usize, model: &ModelDescription) -> u128 {
    if model.marker.is_some() { index as u128 + 1 } else { 0 }
}

impl World {
    /// The marked models that the vehicle touches or stands on with a wheel, sorted by name; walls included, the ground not.
    pub fn contacts(&self) -> Vec<ModelName> {
        let physics = &self.scene.physics;
        let vehicle = self.scene.vehicle.body();
        let shell = physics.bodies.get(vehicle).map(|body| body.colliders()).unwrap_or_default();
        let mut tags: Vec<u128> = Vec::new();
        for &own in shell {
            for pair in physics.contact_pairs_with(own).filter(|pair| pair.has_any_active_contact()) {
                let other = if pair.collider1 == own { pair.collider2 } else { pair.collider1 };
                let body = physics.colliders.get(other).and_then(Collider::parent);
                tags.extend(body.and_then(|body| physics.bodies.get(body)).map(|body| body.user_data));
            }
        }
        let footing = self.scene.vehicle.footing().iter().flatten();
        tags.extend(footing.filter_map(|body| physics.bodies.get(*body)).map(|body| body.user_data));
        tags.retain(|&tag| tag != 0);
        tags.sort_unstable();
        tags.dedup();
        let models = &self.description.models;
        let mut names: Vec<ModelName> =
            tags.into_iter().filter_map(|tag| models.get(tag as usize - 1)).map(|model| model.name.clone()).collect();
        names.sort_unstable();
        names
    }
}
