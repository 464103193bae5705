//! Package `simulation_interfaces`: the ROS standard for asking things of a simulator.
//!
//! There are two versions on the road: 1.5 (ROS 2 Jazzy) and 2 (Lyrical). Three requests differ (`SetEntityState`, `SpawnEntity`,
//! `LoadWorld`) and are in [`v1`] and [`v2`]; everything else is alike. The build takes the version of the ROS 2 that is sourced
//! (`build.rs`), and 1.5 where there is none.
//! A service's name in ROS is its type's name in snake case (`GetEntities` is `get_entities`).

use serde::{Deserialize, Serialize};

use super::{
    geometry_msgs::{Accel, Pose, Twist, Vector3},
    std_msgs::Header,
};
use crate::ros::message;

mod services;
pub mod v1;
pub mod v2;

pub use services::*;
#[cfg(simulation_interfaces = "1.5")]
pub use v1::*;
#[cfg(simulation_interfaces = "2")]
pub use v2::*;

/// How a call went. A service may add its own codes above 100.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Result {
    pub result: u8,
    pub error_message: String,
}

impl Result {
    pub const RESULT_FEATURE_UNSUPPORTED: u8 = 0;
    pub const RESULT_OK: u8 = 1;
    pub const RESULT_NOT_FOUND: u8 = 2;
    pub const RESULT_INCORRECT_STATE: u8 = 3;
    pub const RESULT_OPERATION_FAILED: u8 = 4;
}

/// A volume; what the points mean depends on the type.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Bounds {
    pub r#type: u8,
    pub points: Vec<Vector3>,
}

impl Bounds {
    /// No bounds, no points.
    pub const TYPE_EMPTY: u8 = 0;
    /// Two points: the corner with the largest coordinates, then the one with the smallest.
    pub const TYPE_BOX: u8 = 1;
    /// Three points or more.
    pub const TYPE_CONVEX_HULL: u8 = 2;
    /// Two points: the centre, then one whose x is the radius.
    pub const TYPE_SPHERE: u8 = 3;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EntityCategory {
    pub category: u8,
}

impl EntityCategory {
    pub const CATEGORY_OBJECT: u8 = 0;
    pub const CATEGORY_ROBOT: u8 = 1;
    pub const CATEGORY_HUMAN: u8 = 2;
    pub const CATEGORY_DYNAMIC_OBJECT: u8 = 4;
    pub const CATEGORY_STATIC_OBJECT: u8 = 5;
}

/// No tags match everything.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TagsFilter {
    pub tags: Vec<String>,
    pub filter_mode: u8,
}

impl TagsFilter {
    pub const FILTER_MODE_ANY: u8 = 0;
    pub const FILTER_MODE_ALL: u8 = 1;
}

/// All parts must match; an empty part matches everything.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EntityFilters {
    /// A POSIX extended regular expression over names.
    pub filter: String,
    pub categories: Vec<EntityCategory>,
    pub tags: TagsFilter,
    pub bounds: Bounds,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EntityInfo {
    pub category: EntityCategory,
    pub description: String,
    pub tags: Vec<String>,
}

/// The true state, in the frame of the header (empty: the world).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EntityState {
    pub header: Header,
    pub pose: Pose,
    pub twist: Twist,
    pub acceleration: Accel,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NamedPose {
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    pub pose: Pose,
}

/// A file by address, or its text if the address is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resource {
    pub uri: String,
    pub resource_string: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldResource {
    pub name: String,
    pub world_resource: Resource,
    pub description: String,
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SimulationState {
    pub state: u8,
}

impl SimulationState {
    pub const STATE_STOPPED: u8 = 0;
    pub const STATE_PLAYING: u8 = 1;
    pub const STATE_PAUSED: u8 = 2;
    pub const STATE_QUITTING: u8 = 3;
    pub const STATE_NO_WORLD: u8 = 4;
    pub const STATE_LOADING_WORLD: u8 = 5;
}

/// What the simulator can do. The list is wider (16 bits) than the constants of the definition (8 bits), so the constants are given
/// the width of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SimulatorFeatures {
    pub features: Vec<u16>,
    pub spawn_formats: Vec<String>,
    pub custom_info: String,
}

impl SimulatorFeatures {
    pub const SPAWNING: u16 = 0;
    pub const DELETING: u16 = 1;
    pub const NAMED_POSES: u16 = 2;
    pub const POSE_BOUNDS: u16 = 3;
    pub const ENTITY_TAGS: u16 = 4;
    pub const ENTITY_BOUNDS: u16 = 5;
    pub const ENTITY_BOUNDS_BOX: u16 = 6;
    pub const ENTITY_BOUNDS_CONVEX: u16 = 7;
    pub const ENTITY_CATEGORIES: u16 = 8;
    pub const SPAWNING_RESOURCE_STRING: u16 = 9;
    pub const ENTITY_STATE_GETTING: u16 = 10;
    pub const ENTITY_STATE_SETTING: u16 = 11;
    pub const ENTITY_INFO_GETTING: u16 = 12;
    pub const ENTITY_INFO_SETTING: u16 = 13;
    pub const SPAWNABLES: u16 = 14;
    pub const SIMULATION_RESET: u16 = 20;
    pub const SIMULATION_RESET_TIME: u16 = 21;
    pub const SIMULATION_RESET_STATE: u16 = 22;
    pub const SIMULATION_RESET_SPAWNED: u16 = 23;
    pub const SIMULATION_STATE_GETTING: u16 = 24;
    pub const SIMULATION_STATE_SETTING: u16 = 25;
    pub const SIMULATION_STATE_PAUSE: u16 = 26;
    pub const STEP_SIMULATION_SINGLE: u16 = 31;
    pub const STEP_SIMULATION_MULTIPLE: u16 = 32;
    pub const STEP_SIMULATION_ACTION: u16 = 33;
    pub const WORLD_LOADING: u16 = 40;
    pub const WORLD_RESOURCE_STRING: u16 = 41;
    pub const WORLD_TAGS: u16 = 42;
    pub const WORLD_UNLOADING: u16 = 43;
    pub const WORLD_INFO_GETTING: u16 = 44;
    pub const AVAILABLE_WORLDS: u16 = 45;
    pub const SPAWNING_ENTITIES: u16 = 50;
}

message!(
    "simulation_interfaces",
    Result,
    Bounds,
    EntityCategory,
    TagsFilter,
    EntityFilters,
    EntityInfo,
    EntityState,
    NamedPose,
    Resource,
    WorldResource,
    SimulationState,
    SimulatorFeatures,
);
