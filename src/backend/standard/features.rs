//! What this simulator can do, as the standard counts it.

use super::Face;
use crate::ros::msg::simulation_interfaces::{
    GetSimulatorFeaturesRequest, GetSimulatorFeaturesResponse, SimulatorFeatures as Feature,
};

/// Not here: spawning and deleting (a world is what its file says), setting the time back (it never runs backwards), tags of worlds
/// and worlds as text.
const FEATURES: &[u16] = &[
    Feature::NAMED_POSES,
    Feature::ENTITY_TAGS,
    Feature::ENTITY_BOUNDS,
    Feature::ENTITY_BOUNDS_BOX,
    Feature::ENTITY_CATEGORIES,
    Feature::ENTITY_STATE_GETTING,
    Feature::ENTITY_STATE_SETTING,
    Feature::ENTITY_INFO_GETTING,
    Feature::SIMULATION_RESET,
    Feature::SIMULATION_RESET_STATE,
    Feature::SIMULATION_STATE_GETTING,
    Feature::SIMULATION_STATE_SETTING,
    Feature::SIMULATION_STATE_PAUSE,
    Feature::STEP_SIMULATION_SINGLE,
    Feature::STEP_SIMULATION_MULTIPLE,
    Feature::WORLD_LOADING,
    Feature::WORLD_UNLOADING,
    Feature::WORLD_INFO_GETTING,
    Feature::AVAILABLE_WORLDS,
];

pub(super) async fn get(_: Face, _: GetSimulatorFeaturesRequest) -> GetSimulatorFeaturesResponse {
    let features = Feature {
        features: FEATURES.to_vec(),
        spawn_formats: Vec::new(),
        custom_info: "sim_backend of sim_api; `sim_backend/apply` does several of these atomically".to_owned(),
    };
    GetSimulatorFeaturesResponse { features }
}
