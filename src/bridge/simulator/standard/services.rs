//! The standard services of one simulator, and which of them it offers.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bridge::error::BridgeError;
use crate::domain::WorldName;
use crate::ros::msg::simulation_interfaces as si;
use crate::ros::services::ServiceName;
use crate::ros::{CallError, Client, Node, RosError, Service};

/// For a question that changes nothing.
const ASK_LIMIT: Duration = Duration::from_secs(1);

pub(super) struct Services {
    features: Client<si::GetSimulatorFeatures>,
    states: Client<si::GetEntitiesStates>,
    get_state: Client<si::GetSimulationState>,
    get_world: Client<si::GetCurrentWorld>,
    get_worlds: Client<si::GetAvailableWorlds>,
    pub(super) set_entity: Client<si::SetEntityState>,
    pub(super) reset: Client<si::ResetSimulation>,
    pub(super) set_state: Client<si::SetSimulationState>,
    pub(super) step: Client<si::StepSimulation>,
    pub(super) load: Client<si::LoadWorld>,
    /// None until it has told them.
    offered: Mutex<Option<Vec<u16>>>,
}

impl Services {
    pub(super) fn open(node: &Node, prefix: &str) -> Result<Self, RosError> {
        fn client<S: Service>(node: &Node, prefix: &str, name: &str) -> Result<Client<S>, RosError> {
            node.client(&ServiceName::under(prefix, name))
        }
        Ok(Self {
            features: client(node, prefix, "get_simulator_features")?,
            states: client(node, prefix, "get_entities_states")?,
            get_state: client(node, prefix, "get_simulation_state")?,
            get_world: client(node, prefix, "get_current_world")?,
            get_worlds: client(node, prefix, "get_available_worlds")?,
            set_entity: client(node, prefix, "set_entity_state")?,
            reset: client(node, prefix, "reset_simulation")?,
            set_state: client(node, prefix, "set_simulation_state")?,
            step: client(node, prefix, "step_simulation")?,
            load: client(node, prefix, "load_world")?,
            offered: Mutex::default(),
        })
    }

    /// False also while it has not told.
    pub(super) fn offers(&self, feature: u16) -> bool {
        self.offered().as_ref().is_some_and(|offered| offered.contains(&feature))
    }

    /// Refuses what is not offered.
    pub(super) fn need(&self, feature: u16, what: &str) -> Result<(), BridgeError> {
        if self.offers(feature) {
            return Ok(());
        }
        Err(BridgeError::Unsupported(if self.offered().is_some() {
            format!("this simulator cannot {what}")
        } else {
            format!("this simulator has not told yet whether it can {what} (get_simulator_features)")
        }))
    }

    /// Asks what it offers, once, or again because another one may have taken its place.
    pub(super) async fn ask_features(&self, again: bool) {
        if self.offered().is_some() && !again || !self.features.is_matched() {
            return;
        }
        if let Ok(answer) = self.features.call_idempotent(si::GetSimulatorFeaturesRequest::default(), ASK_LIMIT).await {
            *self.offered() = Some(answer.features.features);
        }
    }

    pub(super) async fn states(&self, limit: Duration) -> Result<si::GetEntitiesStatesResponse, BridgeError> {
        answered(self.states.call_idempotent(si::GetEntitiesStatesRequest::default(), limit).await)
    }

    /// None when it does not say.
    pub(super) async fn simulation_state(&self) -> Option<si::SimulationState> {
        if !self.offers(si::SimulatorFeatures::SIMULATION_STATE_GETTING) || !self.get_state.is_matched() {
            return None;
        }
        let answer = self.get_state.call_idempotent(si::GetSimulationStateRequest::default(), ASK_LIMIT).await.ok()?;
        understand(&answer.result).ok().map(|()| answer.state)
    }

    /// None when it does not say.
    pub(super) async fn current_world(&self) -> Option<si::WorldResource> {
        if !self.offers(si::SimulatorFeatures::WORLD_INFO_GETTING) || !self.get_world.is_matched() {
            return None;
        }
        let answer = self.get_world.call_idempotent(si::GetCurrentWorldRequest::default(), ASK_LIMIT).await.ok()?;
        understand(&answer.result).ok().map(|()| answer.world)
    }

    /// The world of this name among those that it can load.
    pub(super) async fn find_world(&self, world: &WorldName) -> Result<si::Resource, BridgeError> {
        self.need(si::SimulatorFeatures::AVAILABLE_WORLDS, "list the worlds that it can load")?;
        let request = si::GetAvailableWorldsRequest { continue_on_error: true, ..Default::default() };
        let answer = answered(self.get_worlds.call_idempotent(request, ASK_LIMIT).await)?;
        understand(&answer.result)?;
        let mut worlds = answer.worlds.into_iter();
        let found = worlds.find(|resource| world_name(resource).as_ref() == Some(world));
        found.map(|found| found.world_resource).ok_or(BridgeError::NoSuchWorld)
    }

    fn offered(&self) -> MutexGuard<'_, Option<Vec<u16>>> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn answered<T>(answer: Result<T, CallError>) -> Result<T, BridgeError> {
    answer.map_err(|err| {
        tracing::debug!(%err, "the simulator was asked in vain");
        BridgeError::NoAnswer
    })
}

/// What the standard's codes mean to our clients.
pub(super) fn understand(result: &si::Result) -> Result<(), BridgeError> {
    let message = |fallback: &str| match result.error_message.trim() {
        "" => fallback.to_owned(),
        message => message.to_owned(),
    };
    match result.result {
        si::Result::RESULT_OK => Ok(()),
        si::Result::RESULT_FEATURE_UNSUPPORTED => {
            Err(BridgeError::Unsupported(message("this simulator does not support that")))
        }
        si::Result::RESULT_INCORRECT_STATE => Err(BridgeError::NotReady),
        code => Err(BridgeError::Refused(message(&format!("the simulator refused it (result {code})")))),
    }
}

/// The name of a world as we would write it: its own, or else that of its file.
pub(super) fn world_name(world: &si::WorldResource) -> Option<WorldName> {
    let stem = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        let stem = last.strip_suffix(".world").or_else(|| last.strip_suffix(".sdf")).unwrap_or(last);
        WorldName::parse(stem).ok()
    };
    stem(&world.name).or_else(|| stem(&world.world_resource.uri))
}
