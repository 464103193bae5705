//! The ROS face of the engine: the `apply` service, the services of the ROS standard, the simulator's topics, pacing, and the
//! reservation of clock and epoch.
//!
//! One thread owns the world (`simulation`); everything here carries messages to and from it.

mod camera;
pub mod catalogue;
mod display;
pub mod ledger;
pub mod pacing;
pub mod sensing;
pub mod simulation;
mod standard;
mod wire;

use std::path::PathBuf;
use std::pin::pin;
use std::time::{Duration, Instant};

use futures::StreamExt;
use thiserror::Error;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::backend::ledger::{Ledger, LedgerError};
use crate::backend::simulation::{Simulation, SimulationHandle, SimulationOptions, StartError};
use crate::ros::msg::rosgraph_msgs::Clock;
use crate::ros::{Node, Responder, RosError, services, topics};

/// The simulator says that it is alive at this rate of wall time.
const STATUS_PERIOD: Duration = Duration::from_millis(100);

#[derive(Debug, Error)]
pub enum BackendError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Ros(#[from] RosError),
    #[error("the simulation ended by itself")]
    Ended,
}

#[derive(Debug, Clone)]
pub struct BackendOptions {
    pub data: PathBuf,
    pub simulation: SimulationOptions,
}

/// Runs the simulator until the token is cancelled.
pub async fn run(options: BackendOptions, node: Node, shutdown: CancellationToken) -> Result<(), BackendError> {
    let started = Instant::now();
    let (ledger, time, epoch) = Ledger::open(&options.data)?;
    let vehicle = options.simulation.vehicle.model_name.clone();
    let (worlds, seed) = (options.simulation.worlds.clone(), options.simulation.seed);
    let mut simulation = Simulation::start(options.simulation, ledger, time, epoch)?;
    let handle = simulation.handle();

    let epoch_publisher = node.publisher(&topics::EPOCH)?;
    let states_publisher = node.publisher(&topics::ENTITY_STATES)?;
    let clock_publisher = node.publisher(&topics::CLOCK)?;
    let status_publisher = node.publisher(&topics::STATUS)?;
    let mut drives = node.subscriber(&topics::DRIVE)?;
    let mut requests = node.server(&services::APPLY)?;
    let mut questions = node.server(&services::DRIVES)?;
    let observations = simulation.take_observations().expect("nobody else takes them");
    let mut camera = pin!(camera::publish(&node, &observations)?);
    let mut display = pin!(display::follow(&node, handle.clone())?);
    let mut sensing = pin!(sensing::publish(&node, observations)?);
    let mut standard = pin!(standard::serve(&node, handle.clone(), worlds, seed)?);
    let world = handle.vitals().world.map(|world| world.to_string()).unwrap_or_default();
    info!(world, epoch = epoch.0, time = time.as_secs(), "simulating");

    let mut epochs = simulation.take_epochs().expect("nobody else takes them");
    let mut states = handle.states();
    let mut clock = handle.clock();
    let mut status_tick = interval(STATUS_PERIOD);
    status_tick.set_missed_tick_behavior(MissedTickBehavior::Delay);

    // Publishing never blocks and answers are made in tasks of their own, so one loop serves all.
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            Some((request, responder)) = requests.next() => {
                tokio::spawn(answer(handle.clone(), request, responder));
            }
            Some((question, responder)) = questions.next() => {
                responder.respond(wire::taken_drives(handle.drives().since(question.known)));
            }
            Some(epoch) = epochs.recv() => epoch_publisher.publish(wire::epoch(epoch)),
            changed = states.changed() => {
                if changed.is_err() {
                    return Err(BackendError::Ended);
                }
                let state = states.borrow_and_update().clone();
                states_publisher.publish(wire::entity_states(&state));
            }
            Ok(()) = clock.changed() => {
                let now = *clock.borrow_and_update();
                clock_publisher.publish(Clock { clock: now.into() });
            }
            _ = status_tick.tick() => {
                status_publisher.publish(wire::status(handle.vitals(), started.elapsed(), &vehicle));
            }
            () = &mut camera => return Err(BackendError::Ended),
            () = &mut display => return Err(BackendError::Ended),
            () = &mut sensing => return Err(BackendError::Ended),
            () = &mut standard => return Err(BackendError::Ended),
            Some(drive) = drives.next() => handle.drive(wire::drive(drive)),
        }
    }
}

async fn answer(
    simulation: SimulationHandle,
    request: crate::ros::msg::sim_api_msgs::ApplyRequest,
    responder: Responder<crate::ros::msg::sim_api_msgs::Apply>,
) {
    let answer = match wire::request(request) {
        Ok(request) => simulation.apply(request).await,
        Err(refusal) => Err(refusal),
    };
    responder.respond(wire::response(answer, &simulation.vitals()));
}
