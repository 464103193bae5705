//! The services of the ROS standard, each over ROS.

use std::sync::Arc;

use sim_api::backend::catalogue::{BuiltIn, SourceError, SourcedWorld, WorldSource};
use sim_api::domain::WorldName;
use sim_api::engine::Mobility;
use sim_api::ros::Service;
use sim_api::ros::msg::geometry_msgs::Vector3;
use sim_api::ros::msg::simulation_interfaces as si;
use sim_api::ros::services::ServiceName;

use super::rig::{Rig, pause, position};
use crate::support::wait::LIMIT;

/// The plain world with its box nailed to the ground.
#[derive(Debug)]
struct Nailed;

impl WorldSource for Nailed {
    fn names(&self) -> Vec<WorldName> {
        BuiltIn.names()
    }

    fn load(&self, world: &WorldName) -> Result<SourcedWorld, SourceError> {
        let mut sourced = BuiltIn.load(world)?;
        sourced.description.models[0].mobility = Mobility::Placeable;
        Ok(sourced)
    }
}

const OK: u8 = si::Result::RESULT_OK;

/// Calls a service of the simulator.
async fn call<S: Service>(rig: &Rig, name: &str, request: S::Request) -> S::Response {
    let client = rig.node.client(&ServiceName::<S>::under("sim_backend", name)).unwrap();
    client.call_idempotent(request, LIMIT).await.unwrap_or_else(|err| panic!("{name}: {err}"))
}

fn filter(raw: &str) -> si::EntityFilters {
    si::EntityFilters { filter: raw.into(), ..Default::default() }
}

async fn entities(rig: &Rig, filters: si::EntityFilters) -> si::GetEntitiesResponse {
    call::<si::GetEntities>(rig, "get_entities", si::GetEntitiesRequest { filters }).await
}

async fn state_of(rig: &Rig, entity: &str) -> si::GetEntityStateResponse {
    let request = si::GetEntityStateRequest { entity: entity.into() };
    call::<si::GetEntityState>(rig, "get_entity_state", request).await
}

async fn simulation_state(rig: &Rig) -> u8 {
    call::<si::GetSimulationState>(rig, "get_simulation_state", Default::default()).await.state.state
}

async fn set_simulation_state(rig: &Rig, state: u8) -> u8 {
    let request = |state| si::SetSimulationStateRequest { state: si::SimulationState { state } };
    let service = ServiceName::<si::SetSimulationState>::under("sim_backend", "set_simulation_state");
    let client = rig.node.client(&service).unwrap();
    // Who has just been discovered may miss a request or an answer: the first one asks for what is so already and may be repeated.
    client.call_idempotent(request(simulation_state(rig).await), LIMIT).await.unwrap();
    client.call(request(state), LIMIT).await.unwrap().result.result
}

#[tokio::test(flavor = "multi_thread")]
async fn features_tell_the_truth() {
    let rig = Rig::start(1.0);
    let features = call::<si::GetSimulatorFeatures>(&rig, "get_simulator_features", Default::default()).await.features;
    let has = |feature| features.features.contains(&feature);
    assert!(has(si::SimulatorFeatures::ENTITY_STATE_SETTING) && has(si::SimulatorFeatures::WORLD_LOADING));
    assert!(!has(si::SimulatorFeatures::SPAWNING) && !has(si::SimulatorFeatures::DELETING));
    let spawned = call::<si::SpawnEntity>(&rig, "spawn_entity", Default::default()).await;
    assert_eq!(spawned.result.result, si::Result::RESULT_FEATURE_UNSUPPORTED);
    let deleted = call::<si::DeleteEntity>(&rig, "delete_entity", Default::default()).await;
    assert_eq!(deleted.result.result, si::Result::RESULT_FEATURE_UNSUPPORTED);
    let time = si::ResetSimulationRequest { scope: si::ResetSimulationRequest::SCOPE_TIME };
    let reset = call::<si::ResetSimulation>(&rig, "reset_simulation", time).await;
    assert_eq!(reset.result.result, si::Result::RESULT_FEATURE_UNSUPPORTED);
}

#[tokio::test(flavor = "multi_thread")]
async fn entities_are_found_by_name_category_tag_and_place() {
    let rig = Rig::start(1.0);
    assert_eq!(entities(&rig, filter("")).await.entities, ["box1", "vehicle"]);
    assert_eq!(entities(&rig, filter("^box[0-9]+$")).await.entities, ["box1"]);
    assert!(entities(&rig, filter("nothing")).await.entities.is_empty());
    assert_eq!(entities(&rig, filter("(")).await.result.result, si::Result::RESULT_OPERATION_FAILED);
    let robots = vec![si::EntityCategory { category: si::EntityCategory::CATEGORY_ROBOT }];
    let robots = si::EntityFilters { categories: robots, ..Default::default() };
    assert_eq!(entities(&rig, robots).await.entities, ["vehicle"]);
    let tags = si::TagsFilter { tags: vec!["object".into()], ..Default::default() };
    assert_eq!(entities(&rig, si::EntityFilters { tags, ..Default::default() }).await.entities, ["box1"]);
    let corner = |x, y, z| Vector3 { x, y, z };
    let around = |r#type, points| si::EntityFilters { bounds: si::Bounds { r#type, points }, ..Default::default() };
    let box_around = around(si::Bounds::TYPE_BOX, vec![corner(2.0, 1.0, 1.0), corner(1.0, 0.0, 0.0)]);
    assert_eq!(entities(&rig, box_around).await.entities, ["box1"]);
    let sphere = around(si::Bounds::TYPE_SPHERE, vec![corner(0.0, 0.0, 0.0), corner(0.5, 0.0, 0.0)]);
    assert_eq!(entities(&rig, sphere).await.entities, ["vehicle"]);
    let hull = around(si::Bounds::TYPE_CONVEX_HULL, vec![corner(0.0, 0.0, 0.0); 4]);
    assert_eq!(entities(&rig, hull).await.result.result, si::Result::RESULT_FEATURE_UNSUPPORTED);

    let request = si::GetEntityInfoRequest { entity: "box1".into() };
    let info = call::<si::GetEntityInfo>(&rig, "get_entity_info", request).await;
    assert_eq!(info.info.category.category, si::EntityCategory::CATEGORY_DYNAMIC_OBJECT);
    assert_eq!(info.info.tags, ["object"]);
    let request = si::GetEntityBoundsRequest { entity: "box1".into() };
    let bounds = call::<si::GetEntityBounds>(&rig, "get_entity_bounds", request).await.bounds;
    assert_eq!(bounds.r#type, si::Bounds::TYPE_BOX);
    assert!((bounds.points[0].z - 0.2).abs() < 1e-6 && (bounds.points[1].x + 0.1).abs() < 1e-6, "{bounds:?}");
    let poses = call::<si::GetNamedPoses>(&rig, "get_named_poses", Default::default()).await;
    assert_eq!((poses.result.result, poses.poses[0].name.as_str()), (OK, "start"));
}

#[tokio::test(flavor = "multi_thread")]
async fn states_are_read_and_set_also_in_the_air_and_moving() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true)], 0).await;
    let mut state = state_of(&rig, "box1").await.state;
    assert!((state.pose.position.x - 1.5).abs() < 1e-3);
    state.pose.position.z = 5.0;
    state.twist.linear.x = 2.0;
    let set = |entity: &str, state: &si::EntityState| si::SetEntityStateRequest::new(entity.into(), state.clone());
    let answer = call::<si::SetEntityState>(&rig, "set_entity_state", set("box1", &state)).await;
    assert_eq!(answer.result.result, OK, "{}", answer.result.error_message);
    let placed = state_of(&rig, "box1").await.state;
    assert!((placed.pose.position.z - 5.0).abs() < 1e-6 && (placed.twist.linear.x - 2.0).abs() < 1e-6);
    let later = rig.expect(vec![], 100).await;
    assert!((position(&later, "box1")[0] - 2.5).abs() < 0.01, "half a second at 2 m/s");

    let nobody = call::<si::SetEntityState>(&rig, "set_entity_state", set("nobody", &state)).await;
    assert_eq!(nobody.result.result, si::Result::RESULT_NOT_FOUND);
    assert_eq!(state_of(&rig, "nobody").await.result.result, si::Result::RESULT_NOT_FOUND);
    state.pose.position.x = f64::NAN;
    let nowhere = call::<si::SetEntityState>(&rig, "set_entity_state", set("box1", &state)).await;
    assert_eq!(nowhere.result.result, si::SetEntityStateResponse::INVALID_POSE);

    let request = si::GetEntitiesStatesRequest { filters: filter("") };
    let many = call::<si::GetEntitiesStates>(&rig, "get_entities_states", request).await;
    assert_eq!((many.entities.len(), many.states.len()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn simulation_is_paused_stepped_stopped_and_played() {
    use si::SimulationState as State;
    let rig = Rig::start(1.0);
    assert_eq!(simulation_state(&rig).await, State::STATE_PLAYING);
    let stepper = rig.node.client(&ServiceName::<si::StepSimulation>::under("sim_backend", "step_simulation")).unwrap();
    let running = stepper.call_idempotent(si::StepSimulationRequest { steps: 1 }, LIMIT).await.unwrap();
    assert_eq!(running.result.result, si::Result::RESULT_INCORRECT_STATE);
    assert_eq!(set_simulation_state(&rig, State::STATE_PAUSED).await, OK);
    assert_eq!(simulation_state(&rig).await, State::STATE_PAUSED);
    let already = set_simulation_state(&rig, State::STATE_PAUSED).await;
    assert_eq!(already, si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE);
    let before = rig.expect(vec![], 0).await;
    // Called once: a repeated call would step twice.
    assert_eq!(stepper.call(si::StepSimulationRequest { steps: 25 }, LIMIT).await.unwrap().result.result, OK);
    assert_eq!(rig.expect(vec![], 0).await.step, before.step + 25);
    assert_eq!(set_simulation_state(&rig, State::STATE_STOPPED).await, OK);
    assert_eq!(simulation_state(&rig).await, State::STATE_STOPPED);
    assert_eq!(rig.expect(vec![], 0).await.epoch, before.epoch + 1, "stopping resets");
    assert_eq!(set_simulation_state(&rig, State::STATE_PLAYING).await, OK);
    assert_eq!(simulation_state(&rig).await, State::STATE_PLAYING);
    let quit = set_simulation_state(&rig, State::STATE_QUITTING).await;
    assert_eq!(quit, si::Result::RESULT_FEATURE_UNSUPPORTED);
    let reset = call::<si::ResetSimulation>(&rig, "reset_simulation", Default::default()).await;
    assert_eq!(reset.result.result, OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_move_by_itself_takes_a_place_and_no_velocity() {
    let rig = Rig::start_with(1.0, Arc::new(Nailed));
    let mut state = state_of(&rig, "box1").await.state;
    state.pose.position.x = 2.0;
    let set = |state: &si::EntityState| {
        let request = si::SetEntityStateRequest::new("box1".into(), state.clone());
        call::<si::SetEntityState>(&rig, "set_entity_state", request)
    };
    assert_eq!(set(&state).await.result.result, OK);
    assert!((state_of(&rig, "box1").await.state.pose.position.x - 2.0).abs() < 1e-6);
    state.pose.position.x = 3.0;
    state.twist.linear.x = 0.1;
    assert_eq!(set(&state).await.result.result, si::Result::RESULT_OPERATION_FAILED);
    assert!((state_of(&rig, "box1").await.state.pose.position.x - 2.0).abs() < 1e-6, "it stayed");
}

#[tokio::test(flavor = "multi_thread")]
async fn worlds_are_listed_loaded_and_unloaded() {
    use si::SimulationState as State;
    let rig = Rig::start(1.0);
    let current = || call::<si::GetCurrentWorld>(&rig, "get_current_world", Default::default());
    let load = |uri: &str| {
        let request = si::LoadWorldRequest::of(si::Resource { uri: uri.into(), ..Default::default() });
        call::<si::LoadWorld>(&rig, "load_world", request)
    };
    assert_eq!(current().await.world.name, "plain");
    let listed = call::<si::GetAvailableWorlds>(&rig, "get_available_worlds", Default::default()).await;
    assert_eq!(listed.worlds[0].world_resource.uri, "plain.world");
    assert_eq!(load("nowhere").await.result.result, si::Result::RESULT_NOT_FOUND);
    assert_eq!(load("").await.result.result, si::LoadWorldResponse::NO_RESOURCE);

    let unload = || call::<si::UnloadWorld>(&rig, "unload_world", Default::default());
    let first = unload().await.result.result;
    assert!([OK, si::UnloadWorldResponse::NO_WORLD_LOADED].contains(&first));
    assert_eq!(simulation_state(&rig).await, State::STATE_NO_WORLD);
    assert_eq!(unload().await.result.result, si::UnloadWorldResponse::NO_WORLD_LOADED);
    assert_eq!(current().await.result.result, si::GetCurrentWorldResponse::NO_WORLD_LOADED);
    assert_eq!(entities(&rig, filter("")).await.result.result, si::Result::RESULT_INCORRECT_STATE);

    let loaded = load("file:///somewhere/plain.world").await;
    assert_eq!((loaded.result.result, loaded.world.name.as_str()), (OK, "plain"), "{}", loaded.result.error_message);
    assert_eq!(simulation_state(&rig).await, State::STATE_STOPPED);
    assert_eq!(entities(&rig, filter("")).await.entities, ["box1", "vehicle"]);
}
