//! The requests of version 1 (ROS 2 Jazzy) that version 2 lays out differently.
//!
//! `v2` has the same functions, so that who reads and makes requests need not know which version was built.

use serde::{Deserialize, Serialize};

use super::{EntityState, Resource};
use crate::ros::msg::geometry_msgs::PoseStamped;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetEntityStateRequest {
    pub entity: String,
    /// The stamp in the header means nothing.
    pub state: EntityState,
}

impl SetEntityStateRequest {
    /// Sets pose and twist; most simulators ignore the acceleration.
    pub fn new(entity: String, state: EntityState) -> Self {
        Self { entity, state }
    }

    pub fn sets_pose(&self) -> bool {
        true
    }

    pub fn sets_twist(&self) -> bool {
        true
    }

    pub fn sets_acceleration(&self) -> bool {
        true
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SpawnEntityRequest {
    pub name: String,
    /// Whether another name may be given when this one is taken or empty.
    pub allow_renaming: bool,
    pub uri: String,
    /// Used when `uri` is empty.
    pub resource_string: String,
    pub entity_namespace: String,
    pub initial_pose: PoseStamped,
}

impl SpawnEntityRequest {
    pub fn resource(&self) -> Resource {
        Resource { uri: self.uri.clone(), resource_string: self.resource_string.clone() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LoadWorldRequest {
    pub uri: String,
    /// Used when `uri` is empty.
    pub resource_string: String,
    pub fail_on_unsupported_element: bool,
    pub ignore_missing_or_unsupported_assets: bool,
}

impl LoadWorldRequest {
    pub fn of(resource: Resource) -> Self {
        Self { uri: resource.uri, resource_string: resource.resource_string, ..Self::default() }
    }

    pub fn resource(&self) -> Resource {
        Resource { uri: self.uri.clone(), resource_string: self.resource_string.clone() }
    }
}
