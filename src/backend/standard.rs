//! The services of the ROS standard `simulation_interfaces`, beside `sim_backend/apply` and on the same terms: a change takes hold
//! between two steps, and the answer says that it has.
//!
//! What this simulator does not do is answered with `RESULT_FEATURE_UNSUPPORTED`, and `get_simulator_features` does not list it.
//! One file per group of services; each turns a request into a question to the simulation and its answer into the standard's codes.

mod entities;
mod features;
mod filter;
mod simulation;
mod state;
mod worlds;

use std::future::Future;
use std::sync::{Arc, Mutex};

use futures::future::{BoxFuture, join_all};
use futures::{FutureExt, StreamExt};

use crate::backend::catalogue::WorldSource;
use crate::backend::simulation::{LoadedWorld, Refusal, Request, SimulationHandle};
use crate::domain::{Command, Epoch, WorldState};
use crate::ros::msg::simulation_interfaces as si;
use crate::ros::services::ServiceName;
use crate::ros::{Node, RosError, Service};

/// Where the services are found.
const PREFIX: &str = "sim_backend";
/// Requests to one service that are answered at the same time; others wait in the middleware.
const AT_ONCE: usize = 16;

/// What the answers are made of; cheap to clone.
#[derive(Clone)]
struct Face {
    simulation: SimulationHandle,
    worlds: Arc<dyn WorldSource>,
    /// For worlds that are loaded here: the standard knows no seeds.
    seed: u64,
    /// The step at which the simulation was stopped; it counts as stopped until the next step or until it is paused instead.
    stopped_at: Arc<Mutex<Option<u64>>>,
}

/// Opens the services; the future answers them until the node is gone.
pub(super) fn serve(
    node: &Node,
    simulation: SimulationHandle,
    worlds: Arc<dyn WorldSource>,
    seed: u64,
) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let face = Face { simulation, worlds, seed, stopped_at: Arc::default() };
    let all = [
        offer::<si::GetSimulatorFeatures, _, _>(node, "get_simulator_features", &face, features::get)?,
        offer::<si::GetEntities, _, _>(node, "get_entities", &face, entities::list)?,
        offer::<si::GetEntityInfo, _, _>(node, "get_entity_info", &face, entities::info)?,
        offer::<si::GetEntityBounds, _, _>(node, "get_entity_bounds", &face, entities::bounds)?,
        offer::<si::SpawnEntity, _, _>(node, "spawn_entity", &face, entities::spawn)?,
        offer::<si::DeleteEntity, _, _>(node, "delete_entity", &face, entities::delete)?,
        offer::<si::GetNamedPoses, _, _>(node, "get_named_poses", &face, entities::named_poses)?,
        offer::<si::GetEntityState, _, _>(node, "get_entity_state", &face, state::get)?,
        offer::<si::GetEntitiesStates, _, _>(node, "get_entities_states", &face, state::get_many)?,
        offer::<si::SetEntityState, _, _>(node, "set_entity_state", &face, state::set)?,
        offer::<si::ResetSimulation, _, _>(node, "reset_simulation", &face, simulation::reset)?,
        offer::<si::GetSimulationState, _, _>(node, "get_simulation_state", &face, simulation::get_state)?,
        offer::<si::SetSimulationState, _, _>(node, "set_simulation_state", &face, simulation::set_state)?,
        offer::<si::StepSimulation, _, _>(node, "step_simulation", &face, simulation::step)?,
        offer::<si::LoadWorld, _, _>(node, "load_world", &face, worlds::load)?,
        offer::<si::UnloadWorld, _, _>(node, "unload_world", &face, worlds::unload)?,
        offer::<si::GetCurrentWorld, _, _>(node, "get_current_world", &face, worlds::current)?,
        offer::<si::GetAvailableWorlds, _, _>(node, "get_available_worlds", &face, worlds::available)?,
    ];
    Ok(join_all(all).map(|_| ()))
}

fn offer<S, F, A>(node: &Node, name: &str, face: &Face, answer: F) -> Result<BoxFuture<'static, ()>, RosError>
where
    S: Service,
    F: Fn(Face, S::Request) -> A + Copy + Send + Sync + 'static,
    A: Future<Output = S::Response> + Send + 'static,
{
    let requests = node.server(&ServiceName::<S>::under(PREFIX, name))?;
    let face = face.clone();
    let answered = requests.for_each_concurrent(AT_ONCE, move |(request, responder)| {
        let answer = answer(face.clone(), request);
        async move { responder.respond(answer.await) }
    });
    Ok(answered.boxed())
}

impl Face {
    async fn apply(&self, commands: Vec<Command>, advance_steps: u32) -> Result<WorldState, Refusal> {
        let request = Request { expected_epoch: Epoch::default(), deadline: None, commands, advance_steps };
        self.simulation.apply(request).await
    }

    /// What is loaded, or the answer that nothing is.
    fn world(&self) -> Result<Arc<LoadedWorld>, si::Result> {
        self.simulation.loaded().ok_or_else(|| failed(si::Result::RESULT_INCORRECT_STATE, "no world is loaded"))
    }
}

fn ok() -> si::Result {
    si::Result { result: si::Result::RESULT_OK, error_message: String::new() }
}

fn failed(result: u8, message: impl Into<String>) -> si::Result {
    si::Result { result, error_message: message.into() }
}

fn unsupported(message: &str) -> si::Result {
    failed(si::Result::RESULT_FEATURE_UNSUPPORTED, message)
}

fn refused(refusal: &Refusal) -> si::Result {
    let code = match refusal {
        Refusal::NotFound(_) => si::Result::RESULT_NOT_FOUND,
        Refusal::NotReady(_) | Refusal::WrongEpoch { .. } => si::Result::RESULT_INCORRECT_STATE,
        Refusal::Refused(_) | Refusal::TooLate | Refusal::Busy | Refusal::Ended => si::Result::RESULT_OPERATION_FAILED,
    };
    failed(code, refusal.to_string())
}
