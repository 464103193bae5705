//! The requests of version 2 (ROS 2 Lyrical) that version 1 lays out differently.
//!
//! `SetEntityState` ends with three flags, and where version 1 has the two strings of a resource, `SpawnEntity` and `LoadWorld` hold
//! a `Resource`. `v1` has the same functions.

use serde::{Deserialize, Serialize};

use super::{EntityState, Resource};
use crate::ros::msg::geometry_msgs::PoseStamped;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetEntityStateRequest {
    pub entity: String,
    /// The stamp in the header means nothing.
    pub state: EntityState,
    /// What is not set stays as it is.
    pub set_pose: bool,
    pub set_twist: bool,
    pub set_acceleration: bool,
}

impl SetEntityStateRequest {
    /// Sets pose and twist; most simulators ignore the acceleration.
    pub fn new(entity: String, state: EntityState) -> Self {
        Self { entity, state, set_pose: true, set_twist: true, set_acceleration: false }
    }

    pub fn sets_pose(&self) -> bool {
        self.set_pose
    }

    pub fn sets_twist(&self) -> bool {
        self.set_twist
    }

    pub fn sets_acceleration(&self) -> bool {
        self.set_acceleration
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SpawnEntityRequest {
    pub name: String,
    /// Whether another name may be given when this one is taken or empty.
    pub allow_renaming: bool,
    pub entity_resource: Resource,
    pub entity_namespace: String,
    pub initial_pose: PoseStamped,
}

impl SpawnEntityRequest {
    pub fn resource(&self) -> Resource {
        self.entity_resource.clone()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LoadWorldRequest {
    pub world_resource: Resource,
    pub fail_on_unsupported_element: bool,
    pub ignore_missing_or_unsupported_assets: bool,
}

impl LoadWorldRequest {
    pub fn of(resource: Resource) -> Self {
        Self { world_resource: resource, ..Self::default() }
    }

    pub fn resource(&self) -> Resource {
        self.world_resource.clone()
    }
}
