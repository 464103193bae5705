//! The services, with everything that versions 1 and 2 of the standard have in common: all answers and most requests.

use serde::{Deserialize, Serialize};

use super::{
    Bounds, EntityFilters, EntityInfo, EntityState, LoadWorldRequest, NamedPose, Result, SetEntityStateRequest,
    SimulationState, SimulatorFeatures, SpawnEntityRequest, TagsFilter, WorldResource,
};
use crate::ros::service;

/// Asks nothing; the one byte is what the wire needs.
macro_rules! empty_request {
    ($($name:ident),+ $(,)?) => {
        $(
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
            pub struct $name {
                pub structure_needs_at_least_one_member: u8,
            }
        )+
    };
}

empty_request!(GetSimulatorFeaturesRequest, GetSimulationStateRequest, UnloadWorldRequest, GetCurrentWorldRequest);

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetSimulatorFeaturesResponse {
    pub features: SimulatorFeatures,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetEntitiesRequest {
    pub filters: EntityFilters,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetEntitiesResponse {
    pub result: Result,
    pub entities: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetEntityStateRequest {
    pub entity: String,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetEntityStateResponse {
    pub result: Result,
    pub state: EntityState,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetEntitiesStatesRequest {
    pub filters: EntityFilters,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetEntitiesStatesResponse {
    pub result: Result,
    pub entities: Vec<String>,
    pub states: Vec<EntityState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetEntityInfoRequest {
    pub entity: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetEntityInfoResponse {
    pub result: Result,
    pub info: EntityInfo,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetEntityBoundsRequest {
    pub entity: String,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetEntityBoundsResponse {
    pub result: Result,
    pub bounds: Bounds,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DeleteEntityRequest {
    pub entity: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DeleteEntityResponse {
    pub result: Result,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResetSimulationRequest {
    /// Any of the scopes below, added up.
    pub scope: u8,
}

impl ResetSimulationRequest {
    /// The same as everything.
    pub const SCOPE_DEFAULT: u8 = 0;
    pub const SCOPE_TIME: u8 = 1;
    pub const SCOPE_STATE: u8 = 2;
    pub const SCOPE_SPAWNED: u8 = 4;
    pub const SCOPE_ALL: u8 = 255;
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ResetSimulationResponse {
    pub result: Result,
}

/// The one answer that has its result last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetSimulationStateResponse {
    pub state: SimulationState,
    pub result: Result,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetSimulationStateRequest {
    pub state: SimulationState,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetSimulationStateResponse {
    pub result: Result,
}

impl SetSimulationStateResponse {
    pub const ALREADY_IN_TARGET_STATE: u8 = 101;
    pub const STATE_TRANSITION_ERROR: u8 = 102;
    pub const INCORRECT_TRANSITION: u8 = 103;
}

/// One step unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSimulationRequest {
    pub steps: u64,
}

impl Default for StepSimulationRequest {
    fn default() -> Self {
        Self { steps: 1 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StepSimulationResponse {
    pub result: Result,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct UnloadWorldResponse {
    pub result: Result,
}

impl UnloadWorldResponse {
    pub const NO_WORLD_LOADED: u8 = 101;
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetCurrentWorldResponse {
    pub result: Result,
    pub world: WorldResource,
}

impl GetCurrentWorldResponse {
    pub const NO_WORLD_LOADED: u8 = 101;
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetAvailableWorldsRequest {
    pub additional_sources: Vec<String>,
    pub filter: TagsFilter,
    pub offline_only: bool,
    pub continue_on_error: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetAvailableWorldsResponse {
    pub result: Result,
    pub worlds: Vec<WorldResource>,
}

impl GetAvailableWorldsResponse {
    pub const DEFAULT_SOURCES_FAILED: u8 = 101;
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GetNamedPosesRequest {
    pub tags: TagsFilter,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct GetNamedPosesResponse {
    pub result: Result,
    pub poses: Vec<NamedPose>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetEntityStateResponse {
    pub result: Result,
}

impl SetEntityStateResponse {
    pub const INVALID_POSE: u8 = 101;
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
    /// What can this simulator do?
    GetSimulatorFeatures(GetSimulatorFeaturesRequest) -> GetSimulatorFeaturesResponse,
    /// Which entities are there?
    GetEntities(GetEntitiesRequest) -> GetEntitiesResponse,
    /// Where is this entity?
    GetEntityState(GetEntityStateRequest) -> GetEntityStateResponse,
    /// Where are these entities?
    GetEntitiesStates(GetEntitiesStatesRequest) -> GetEntitiesStatesResponse,
    /// What is this entity?
    GetEntityInfo(GetEntityInfoRequest) -> GetEntityInfoResponse,
    /// How much room does this entity take?
    GetEntityBounds(GetEntityBoundsRequest) -> GetEntityBoundsResponse,
    /// Takes an entity out of the world.
    DeleteEntity(DeleteEntityRequest) -> DeleteEntityResponse,
    /// Takes the simulation back to its start, wholly or in part.
    ResetSimulation(ResetSimulationRequest) -> ResetSimulationResponse,
    /// Does the simulation run?
    GetSimulationState(GetSimulationStateRequest) -> GetSimulationStateResponse,
    /// Starts, pauses, stops or quits the simulation.
    SetSimulationState(SetSimulationStateRequest) -> SetSimulationStateResponse,
    /// Advances a paused simulation.
    StepSimulation(StepSimulationRequest) -> StepSimulationResponse,
    /// Removes the world.
    UnloadWorld(UnloadWorldRequest) -> UnloadWorldResponse,
    /// Which world is loaded?
    GetCurrentWorld(GetCurrentWorldRequest) -> GetCurrentWorldResponse,
    /// Which worlds could be loaded?
    GetAvailableWorlds(GetAvailableWorldsRequest) -> GetAvailableWorldsResponse,
    /// Which places have a name in this world?
    GetNamedPoses(GetNamedPosesRequest) -> GetNamedPosesResponse,
    /// Puts an entity somewhere at once.
    SetEntityState(SetEntityStateRequest) -> SetEntityStateResponse,
    /// Adds an entity to the world.
    SpawnEntity(SpawnEntityRequest) -> SpawnEntityResponse,
    /// Replaces the world; the simulation is stopped afterwards.
    LoadWorld(LoadWorldRequest) -> LoadWorldResponse,
);
