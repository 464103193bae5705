//! The world itself: building it, one step, and what can be read from it.
//!
//! What changes it between steps is in `commands`.

use std::sync::Arc;

use nalgebra::Vector3;
use rapier3d::prelude::{PhysicsWorld, RigidBodyHandle, RigidBodyType};

use crate::domain::{DriveTarget, EntityState, ModelName, VehicleSpec, WorldName};
use crate::engine::build::{empty_physics, insert_ground, insert_model, resting_type};
use crate::engine::convert::{body_pose, pose_of, twist_of};
use crate::engine::description::{Marker, Mobility, WorldDescription};
use crate::engine::load::Look;
use crate::engine::model::{ModelInfo, model_infos};
use crate::engine::motion::{Motion, Upright};
use crate::engine::solid::{Solid, solids};
use crate::engine::vehicle::{Vehicle, check_spec};
use crate::engine::{EngineError, commands, contacts};

/// A loaded world. Poses are those of a model's origin; the vehicle's is `base_footprint`, on the ground midway between its
/// axles.
pub struct World {
    pub(super) description: WorldDescription,
    /// The pieces of each model of the description.
    solids: Vec<Vec<Solid>>,
    spec: VehicleSpec,
    vehicle_name: ModelName,
    seed: u64,
    look: Option<Arc<Look>>,
    pub(super) scene: Scene,
}

/// What a reset makes anew.
pub(super) struct Scene {
    pub(super) physics: PhysicsWorld,
    /// The models that can move, in the order of the description, then the vehicle.
    pub(super) entities: Vec<Entity>,
    pub(super) vehicle: Vehicle,
    pub(super) drive: DriveTarget,
    /// Since the world was built or reset.
    steps: u64,
    /// Of the IMU in the world before the last step.
    pub(super) imu_velocity_before: Vector3<f32>,
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
        let solids = description.models.iter().map(solids).collect::<Result<Vec<_>, _>>()?;
        let scene = Scene::build(description, &solids, vehicle, &vehicle_name);
        let (description, spec) = (description.clone(), vehicle.clone());
        Ok(Self { description, solids, spec, vehicle_name, seed, look: None, scene })
    }

    /// With what the camera sees of it.
    pub fn with_look(mut self, look: Option<Look>) -> Self {
        self.look = look.map(Arc::new);
        self
    }

    /// What the camera sees of it; physics never looks.
    pub fn look(&self) -> Option<&Arc<Look>> {
        self.look.as_ref()
    }

    /// Advances by one step of 5 ms: carries on motions, lets the vehicle drive, then physics.
    pub fn step(&mut self) {
        let scene = &mut self.scene;
        scene.imu_velocity_before = scene.imu_velocity();
        scene.carry_motions();
        scene.vehicle.drive(&mut scene.physics, &scene.drive);
        scene.physics.step();
        scene.steps += 1;
    }

    /// Everything back to its start pose at rest, motions ended, nothing driven. From here on the world behaves exactly like a
    /// newly built one.
    pub fn reset(&mut self) {
        self.scene = Scene::build(&self.description, &self.solids, &self.spec, &self.vehicle_name);
    }

    pub fn name(&self) -> &WorldName {
        &self.description.name
    }

    pub fn description(&self) -> &WorldDescription {
        &self.description
    }

    /// How many steps were made since the world was built or reset; what samples of sensors are counted by.
    pub fn steps(&self) -> u64 {
        self.scene.steps
    }

    /// What is in the world, the vehicle last; it does not change until another world is built.
    pub fn models(&self) -> Vec<ModelInfo> {
        model_infos(&self.description, &self.solids, &self.spec, &self.vehicle_name)
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

    /// Whether the world has a traffic light of this name.
    pub fn has_light(&self, name: &ModelName) -> bool {
        let solid =
            self.description.models.iter().any(|model| model.name == *name && model.marker == Some(Marker::Light));
        // One that nothing can bump into is only seen.
        solid || self.look.as_ref().is_some_and(|look| look.lights.iter().any(|light| light.name == *name))
    }

    /// A motion carries this entity at present.
    pub fn is_carried(&self, name: &ModelName) -> bool {
        self.scene.entities.iter().any(|entity| entity.name == *name && entity.motion.is_some())
    }
}

impl Scene {
    fn build(
        description: &WorldDescription,
        solids: &[Vec<Solid>],
        spec: &VehicleSpec,
        vehicle_name: &ModelName,
    ) -> Self {
        let mut physics = empty_physics();
        insert_ground(&mut physics, &description.ground);
        let mut entities = Vec::new();
        for (index, (model, solids)) in description.models.iter().zip(solids).enumerate() {
            let body = insert_model(&mut physics, model, solids, contacts::tag(index, model));
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
        let drive = DriveTarget::default();
        Self { physics, entities, vehicle, drive, steps: 0, imu_velocity_before: Vector3::zeros() }
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

    /// Of the IMU in the world, now.
    pub(super) fn imu_velocity(&self) -> Vector3<f32> {
        let Some(body) = self.physics.bodies.get(self.vehicle.body()) else { return Vector3::zeros() };
        let at = body.position().transform_point(self.vehicle.mounting().imu);
        let velocity = body.velocity_at_point(at);
        Vector3::new(velocity.x, velocity.y, velocity.z)
    }

    fn state(&self, entity: &Entity) -> EntityState {
        let body = &self.physics.bodies[entity.body];
        EntityState { name: entity.name.clone(), pose: pose_of(body), twist: twist_of(body) }
    }
}
