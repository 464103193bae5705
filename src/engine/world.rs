//! The world itself: building it, one step, and what can be read from it.
//!
//! What changes it between steps is in `commands`.

use rapier3d::prelude::{PhysicsWorld, RigidBodyHandle, RigidBodyType};

use crate::domain::{DriveTarget, EntityState, ModelName, VehicleSpec, WorldName};
use crate::engine::build::{empty_physics, insert_ground, insert_model, resting_type};
use crate::engine::convert::{body_pose, pose_of, twist_of};
use crate::engine::description::{Mobility, WorldDescription};
use crate::engine::motion::{Motion, Upright};
use crate::engine::vehicle::{Vehicle, check_spec};
use crate::engine::{EngineError, commands};

/// A loaded world. Poses are those of a model's origin; the vehicle's is `base_footprint`, on the ground midway between its
/// axles.
pub struct World {
    pub(super) description: WorldDescription,
    spec: VehicleSpec,
    vehicle_name: ModelName,
    seed: u64,
    pub(super) scene: Scene,
}

/// What a reset makes anew.
pub(super) struct Scene {
    pub(super) physics: PhysicsWorld,
    /// The models that can move, in the order of the description, then the vehicle.
    pub(super) entities: Vec<Entity>,
    vehicle: Vehicle,
    pub(super) drive: DriveTarget,
}

pub(super) struct Entity {
    pub(super) name: ModelName,
    pub(super) body: RigidBodyHandle,
    /// What the body is while no motion carries it.
    pub(super) resting: RigidBodyType,
    pub(super) motion: Option<Motion>,
}

impl World {
    /// Builds a world with everything at its start pose, at rest.
    pub fn build(description: &WorldDescription, vehicle: &VehicleSpec, seed: u64) -> Result<Self, EngineError> {
        description.check()?;
        check_spec(vehicle)?;
        let vehicle_name = ModelName::parse(&vehicle.model_name).map_err(EngineError::VehicleName)?;
        if description.models.iter().any(|model| model.name == vehicle_name) {
            return Err(EngineError::DuplicateName(vehicle_name));
        }
        let scene = Scene::build(description, vehicle, &vehicle_name);
        Ok(Self { description: description.clone(), spec: vehicle.clone(), vehicle_name, seed, scene })
    }

    /// Advances by one step of 5 ms: carries on motions, lets the vehicle drive, then physics.
    pub fn step(&mut self) {
        self.scene.carry_motions();
        self.scene.vehicle.drive(&mut self.scene.physics, &self.scene.drive);
        self.scene.physics.step();
    }

    /// Everything back to its start pose at rest, motions ended, nothing driven. From here on the world behaves exactly like a
    /// newly built one.
    pub fn reset(&mut self) {
        self.scene = Scene::build(&self.description, &self.spec, &self.vehicle_name);
    }

    pub fn name(&self) -> &WorldName {
        &self.description.name
    }

    pub fn description(&self) -> &WorldDescription {
        &self.description
    }

    pub fn vehicle_spec(&self) -> &VehicleSpec {
        &self.spec
    }

    /// What noise is to be drawn from; physics itself draws none.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What the actuators are asked for at present.
    pub fn drive(&self) -> DriveTarget {
        self.scene.drive
    }

    /// Everything that can move: the models in the order of the description, then the vehicle at `vehicle_index`.
    pub fn entities(&self) -> Vec<EntityState> {
        self.scene.entities.iter().map(|entity| self.scene.state(entity)).collect()
    }

    /// The vehicle's place in `entities`.
    pub fn vehicle_index(&self) -> usize {
        self.scene.entities.len() - 1
    }

    /// The vehicle alone.
    pub fn vehicle(&self) -> EntityState {
        self.scene.state(&self.scene.entities[self.vehicle_index()])
    }

    /// One entity, or nothing when no movable model has this name.
    pub fn entity(&self, name: &ModelName) -> Option<EntityState> {
        self.scene.entities.iter().find(|entity| entity.name == *name).map(|entity| self.scene.state(entity))
    }

    /// A motion carries this entity at present.
    pub fn is_carried(&self, name: &ModelName) -> bool {
        self.scene.entities.iter().any(|entity| entity.name == *name && entity.motion.is_some())
    }
}

impl Scene {
    fn build(description: &WorldDescription, spec: &VehicleSpec, vehicle_name: &ModelName) -> Self {
        let mut physics = empty_physics();
        insert_ground(&mut physics, &description.ground);
        let mut entities = Vec::new();
        for model in &description.models {
            let body = insert_model(&mut physics, model);
            if model.mobility != Mobility::Fixed {
                let (name, resting) = (model.name.clone(), resting_type(model.mobility));
                entities.push(Entity { name, body, resting, motion: None });
            }
        }
        let start = Upright { z: description.ground.height_m, ..Upright::of(&description.start) };
        let vehicle = Vehicle::insert(&mut physics, spec, &start.pose());
        entities.push(Entity {
            name: vehicle_name.clone(),
            body: vehicle.body(),
            resting: RigidBodyType::Dynamic,
            motion: None,
        });
        commands::refresh(&mut physics);
        Self { physics, entities, vehicle, drive: DriveTarget::default() }
    }

    /// Tells every carried body where it is to be after this step, and sets those free that have arrived.
    fn carry_motions(&mut self) {
        for entity in &mut self.entities {
            let Some(motion) = &mut entity.motion else { continue };
            let Some(body) = self.physics.bodies.get_mut(entity.body) else { continue };
            if let Some(pose) = motion.advance() {
                body.set_next_kinematic_position(body_pose(&pose));
            } else {
                entity.motion = None;
                commands::rest(body, entity.resting);
            }
        }
    }

    fn state(&self, entity: &Entity) -> EntityState {
        let body = &self.physics.bodies[entity.body];
        EntityState { name: entity.name.clone(), pose: pose_of(body), twist: twist_of(body) }
    }
}
