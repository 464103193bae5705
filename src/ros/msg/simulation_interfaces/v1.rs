//! The services whose requests version 2 of the standard lays out differently.
//!
//! There, `SetEntityState` ends with three more flags (`set_pose`, `set_twist`, `set_acceleration`), and `SpawnEntity` and
//! `LoadWorld` hold a `Resource` (`entity_resource`, `world_resource`) where version 1 has the two strings `uri` and
//! `resource_string`. The answers are the same.

use serde::{Deserialize, Serialize};

use super::{EntityState, Result, WorldResource};
use crate::ros::{msg::geometry_msgs::PoseStamped, service};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetEntityStateRequest {
    pub entity: String,
    /// The stamp in the header means nothing.
    pub state: EntityState,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetEntityStateResponse {
    pub result: Result,
}

impl SetEntityStateResponse {
    pub const INVALID_POSE: u8 = 101;
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

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SpawnEntityResponse {
    pub result: Result,
    pub entity_name: String,
}

impl SpawnEntityResponse {
    pub const NAME_NOT_UNIQUE: u8 = 101;
    pub const NAME_INVALID: u8 = 102;
    pub const UNSUPPORTED_FORMAT: u8 = 103;
    pub const NO_RESOURCE: u8 = 104;
    pub const NAMESPACE_INVALID: u8 = 105;
    pub const RESOURCE_PARSE_ERROR: u8 = 106;
    pub const MISSING_ASSETS: u8 = 107;
    pub const UNSUPPORTED_ASSETS: u8 = 108;
    pub const INVALID_POSE: u8 = 109;
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LoadWorldRequest {
    pub uri: String,
    /// Used when `uri` is empty.
    pub resource_string: String,
    pub fail_on_unsupported_element: bool,
    pub ignore_missing_or_unsupported_assets: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LoadWorldResponse {
    pub result: Result,
    pub world: WorldResource,
}

impl LoadWorldResponse {
    pub const UNSUPPORTED_FORMAT: u8 = 101;
    pub const NO_RESOURCE: u8 = 102;
    pub const RESOURCE_PARSE_ERROR: u8 = 103;
    pub const MISSING_ASSETS: u8 = 104;
    pub const UNSUPPORTED_ASSETS: u8 = 105;
    pub const UNSUPPORTED_ELEMENTS: u8 = 106;
}

service!(
    "simulation_interfaces",
    /// Puts an entity somewhere at once.
    SetEntityState(SetEntityStateRequest) -> SetEntityStateResponse,
    /// Adds an entity to the world.
    SpawnEntity(SpawnEntityRequest) -> SpawnEntityResponse,
    /// Replaces the world; the simulation is stopped afterwards.
    LoadWorld(LoadWorldRequest) -> LoadWorldResponse,
);
