//! A small simulator of somebody else's: it serves services of the ROS standard and nothing of ours.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::StreamExt;
use sim_api::ros::msg::builtin_interfaces::Time;
use sim_api::ros::msg::simulation_interfaces::{self as si, SimulatorFeatures as Feature};
use sim_api::ros::services::ServiceName;
use sim_api::ros::{Node, Service};
use tokio::task::JoinSet;

pub const PREFIX: &str = "/other_sim";
const TICK: Duration = Duration::from_millis(5);

/// All that the node can make use of.
pub const EVERYTHING: &[u16] = &[
    Feature::ENTITY_STATE_GETTING,
    Feature::ENTITY_STATE_SETTING,
    Feature::SIMULATION_RESET,
    Feature::SIMULATION_STATE_GETTING,
    Feature::SIMULATION_STATE_SETTING,
    Feature::SIMULATION_STATE_PAUSE,
    Feature::STEP_SIMULATION_SINGLE,
    Feature::WORLD_LOADING,
    Feature::WORLD_INFO_GETTING,
    Feature::AVAILABLE_WORLDS,
];

/// What is served and simulated; tests reach in.
#[derive(Debug, Clone)]
pub struct Inside {
    pub features: Vec<u16>,
    pub ticks: i64,
    pub state: u8,
    pub world: String,
    pub entities: Vec<(String, si::EntityState)>,
    /// Placed entities go there only after so many questions for states.
    pub delay: usize,
    waiting: Vec<(usize, String, si::EntityState)>,
    /// Counted.
    pub steps_asked: Vec<u64>,
}

/// Serves until it is dropped.
pub struct StandIn {
    inside: Arc<Mutex<Inside>>,
    _serving: JoinSet<()>,
}

fn start() -> Vec<(String, si::EntityState)> {
    let at = |name: &str, x: f64| {
        let mut state = si::EntityState::default();
        state.pose.position.x = x;
        state.pose.orientation.w = 1.0;
        (name.to_owned(), state)
    };
    vec![at("ground_plane", 0.0), at("box1", 1.5), at("vehicle", 0.0), at("no::name", 3.0)]
}

impl StandIn {
    pub fn start(node: &Node, features: &[u16]) -> Self {
        let inside = Arc::new(Mutex::new(Inside {
            features: features.to_vec(),
            ticks: 1000,
            state: si::SimulationState::STATE_PLAYING,
            world: "meadow".into(),
            entities: start(),
            delay: 0,
            waiting: Vec::new(),
            steps_asked: Vec::new(),
        }));
        let mut serving = JoinSet::new();
        offer::<si::GetSimulatorFeatures>(node, &mut serving, &inside, "get_simulator_features", features_of);
        offer::<si::GetEntitiesStates>(node, &mut serving, &inside, "get_entities_states", states);
        if features.contains(&Feature::ENTITY_STATE_SETTING) {
            offer::<si::SetEntityState>(node, &mut serving, &inside, "set_entity_state", set_entity);
        }
        if features.contains(&Feature::SIMULATION_RESET) {
            offer::<si::ResetSimulation>(node, &mut serving, &inside, "reset_simulation", reset);
        }
        if features.contains(&Feature::SIMULATION_STATE_SETTING) {
            offer::<si::GetSimulationState>(node, &mut serving, &inside, "get_simulation_state", get_state);
            offer::<si::SetSimulationState>(node, &mut serving, &inside, "set_simulation_state", set_state);
            offer::<si::StepSimulation>(node, &mut serving, &inside, "step_simulation", step);
        }
        if features.contains(&Feature::WORLD_LOADING) {
            offer::<si::GetCurrentWorld>(node, &mut serving, &inside, "get_current_world", current_world);
            offer::<si::GetAvailableWorlds>(node, &mut serving, &inside, "get_available_worlds", worlds);
            offer::<si::LoadWorld>(node, &mut serving, &inside, "load_world", load_world);
        }
        let ticking = inside.clone();
        serving.spawn(async move {
            let mut ticks = tokio::time::interval(TICK);
            loop {
                ticks.tick().await;
                let mut inside = ticking.lock().unwrap();
                inside.ticks += i64::from(inside.state == si::SimulationState::STATE_PLAYING);
            }
        });
        Self { inside, _serving: serving }
    }

    pub fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap()
    }
}

fn offer<S: Service>(
    node: &Node,
    serving: &mut JoinSet<()>,
    inside: &Arc<Mutex<Inside>>,
    name: &str,
    answer: fn(&mut Inside, S::Request) -> S::Response,
) {
    let mut requests = node.server(&ServiceName::<S>::under(PREFIX, name)).unwrap();
    let inside = inside.clone();
    serving.spawn(async move {
        while let Some((request, responder)) = requests.next().await {
            let response = answer(&mut inside.lock().unwrap(), request);
            responder.respond(response);
        }
    });
}

fn result(code: u8) -> si::Result {
    si::Result { result: code, error_message: String::new() }
}

fn ok() -> si::Result {
    result(si::Result::RESULT_OK)
}

fn features_of(inside: &mut Inside, _: si::GetSimulatorFeaturesRequest) -> si::GetSimulatorFeaturesResponse {
    let features = Feature { features: inside.features.clone(), ..Default::default() };
    si::GetSimulatorFeaturesResponse { features }
}

fn states(inside: &mut Inside, _: si::GetEntitiesStatesRequest) -> si::GetEntitiesStatesResponse {
    let mut due = Vec::new();
    inside.waiting.retain_mut(|(left, name, state)| {
        *left = left.saturating_sub(1);
        if *left == 0 {
            due.push((name.clone(), state.clone()));
        }
        *left > 0
    });
    for (name, state) in due {
        put(inside, &name, state);
    }
    let nanos = inside.ticks * 5_000_000;
    let stamp = Time { sec: (nanos / 1_000_000_000) as i32, nanosec: (nanos % 1_000_000_000) as u32 };
    let stamped = inside.entities.iter().map(|(_, state)| {
        let mut state = state.clone();
        state.header.stamp = stamp;
        state
    });
    si::GetEntitiesStatesResponse {
        result: ok(),
        states: stamped.collect(),
        entities: inside.entities.iter().map(|(name, _)| name.clone()).collect(),
    }
}

fn put(inside: &mut Inside, name: &str, state: si::EntityState) -> bool {
    let found = inside.entities.iter_mut().find(|(known, _)| known == name);
    found.map(|(_, place)| *place = state).is_some()
}

fn set_entity(inside: &mut Inside, request: si::SetEntityStateRequest) -> si::SetEntityStateResponse {
    if inside.delay > 0 {
        inside.waiting.push((inside.delay, request.entity, request.state));
        return si::SetEntityStateResponse { result: ok() };
    }
    let found = put(inside, &request.entity, request.state);
    si::SetEntityStateResponse { result: if found { ok() } else { result(si::Result::RESULT_NOT_FOUND) } }
}

/// This one can only begin everything anew, its time included.
fn reset(inside: &mut Inside, _: si::ResetSimulationRequest) -> si::ResetSimulationResponse {
    inside.entities = start();
    inside.ticks = 0;
    si::ResetSimulationResponse { result: ok() }
}

fn get_state(inside: &mut Inside, _: si::GetSimulationStateRequest) -> si::GetSimulationStateResponse {
    si::GetSimulationStateResponse { state: si::SimulationState { state: inside.state }, result: ok() }
}

fn set_state(inside: &mut Inside, request: si::SetSimulationStateRequest) -> si::SetSimulationStateResponse {
    let already = inside.state == request.state.state;
    inside.state = request.state.state;
    let code = si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE;
    si::SetSimulationStateResponse { result: if already { result(code) } else { ok() } }
}

fn step(inside: &mut Inside, request: si::StepSimulationRequest) -> si::StepSimulationResponse {
    inside.ticks += request.steps as i64;
    inside.steps_asked.push(request.steps);
    si::StepSimulationResponse { result: ok() }
}

fn resource(name: &str) -> si::WorldResource {
    let world_resource = si::Resource { uri: format!("file:///worlds/{name}.sdf"), ..Default::default() };
    si::WorldResource { name: name.to_owned(), world_resource, ..Default::default() }
}

fn current_world(inside: &mut Inside, _: si::GetCurrentWorldRequest) -> si::GetCurrentWorldResponse {
    si::GetCurrentWorldResponse { result: ok(), world: resource(&inside.world) }
}

fn worlds(_: &mut Inside, _: si::GetAvailableWorldsRequest) -> si::GetAvailableWorldsResponse {
    si::GetAvailableWorldsResponse { result: ok(), worlds: ["meadow", "harbour", "broken"].map(resource).to_vec() }
}

fn load_world(inside: &mut Inside, request: si::LoadWorldRequest) -> si::LoadWorldResponse {
    let uri = request.resource().uri;
    if uri.contains("broken") {
        let result = si::Result {
            result: si::LoadWorldResponse::RESOURCE_PARSE_ERROR,
            error_message: "line 3 makes no sense".into(),
        };
        return si::LoadWorldResponse { result, world: si::WorldResource::default() };
    }
    inside.world = uri.trim_start_matches("file:///worlds/").trim_end_matches(".sdf").to_owned();
    inside.entities = start();
    inside.ticks = 0;
    inside.state = si::SimulationState::STATE_STOPPED;
    si::LoadWorldResponse { result: ok(), world: resource(&inside.world) }
}
