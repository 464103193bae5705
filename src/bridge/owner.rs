//! The task that owns the live state.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::bridge::handle::{BridgeError, OwnerEnd, VehiclePlaced, Write};
use crate::bridge::live::Live;
use crate::bridge::wire;
use crate::domain::{Epoch, ModelName, PoseChange};
use crate::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse};
use crate::ros::{CallError, Client, Node, RosError, services, topics};

/// A write is answered within 3 s, whatever the simulator does; this leaves room for everything around the call.
const WRITE_LIMIT: Duration = Duration::from_millis(2400);
/// How often silence is looked for.
const LOOK_AROUND: Duration = Duration::from_millis(50);

type Answered = (Result<ApplyResponse, CallError>, ModelName, oneshot::Sender<Result<VehiclePlaced, BridgeError>>);
type Calls<'a> = FuturesUnordered<Pin<Box<dyn Future<Output = Answered> + Send + 'a>>>;

/// Follows the simulator and carries out writes until the token is cancelled.
pub async fn run(node: &Node, mut end: OwnerEnd, shutdown: CancellationToken) -> Result<(), RosError> {
    let mut statuses = node.subscriber(&topics::STATUS)?;
    let mut states = node.subscriber(&topics::ENTITY_STATES)?;
    let mut epochs = node.subscriber(&topics::EPOCH)?;
    let apply = node.client(&services::APPLY)?;
    let mut live = Live::default();
    let mut calls = Calls::new();
    let mut look_around = interval(LOOK_AROUND);
    look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);

    loop {
        let changed = tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            Some(write) = end.next_write() => {
                if let Some(call) = begin(&live, &apply, write) {
                    calls.push(call);
                }
                false
            }
            Some((answer, vehicle, reply)) = calls.next() => {
                let (changed, result) = fold(&mut live, answer, &vehicle);
                // The snapshot must be out before the client is told.
                if changed {
                    end.publish(live.snapshot().clone());
                }
                // The client may have gone.
                let _ = reply.send(result);
                false
            }
            Some(status) = statuses.next() => {
                let was_alive = live.snapshot().simulator_alive;
                let changed = live.note_status(wire::status(&status), Instant::now());
                if !was_alive {
                    info!(world = status.world, epoch = status.epoch, "the simulator is there");
                }
                changed
            }
            Some(message) = states.next() => live.note_states(&wire::world_state(&message)),
            Some(epoch) = epochs.next() => live.note_epoch(Epoch(epoch.number)),
            _ = look_around.tick() => {
                let changed = live.note_time(Instant::now());
                if changed {
                    warn!("the simulator has gone silent");
                }
                changed
            }
        };
        if changed {
            end.publish(live.snapshot().clone());
        }
    }
}

/// Sends the write on its way, or answers it at once when it cannot be carried out now.
fn begin<'a>(
    live: &Live,
    apply: &'a Client<Apply>,
    Write::PlaceVehicle { change, reply }: Write,
) -> Option<Pin<Box<dyn Future<Output = Answered> + Send + 'a>>> {
    let snapshot = live.snapshot();
    let refusal = if !snapshot.simulator_alive {
        Some(BridgeError::SimulatorNotRunning)
    } else if !snapshot.ready() {
        Some(BridgeError::NotReady)
    } else {
        None
    };
    match (refusal, live.vehicle()) {
        (None, Some(vehicle)) => Some(Box::pin(place(apply, vehicle.clone(), change, reply))),
        (refusal, _) => {
            let _ = reply.send(Err(refusal.unwrap_or(BridgeError::NotReady)));
            None
        }
    }
}

async fn place(
    apply: &Client<Apply>,
    vehicle: ModelName,
    change: PoseChange,
    reply: oneshot::Sender<Result<VehiclePlaced, BridgeError>>,
) -> Answered {
    let request = ApplyRequest {
        expected_epoch: 0,
        // What the client was told has failed must not happen later, when a stopped simulator goes on.
        deadline: unix_secs(SystemTime::now() + WRITE_LIMIT),
        commands: vec![wire::set_pose(&vehicle, change)],
        advance_steps: 0,
    };
    (apply.call_idempotent(request, WRITE_LIMIT).await, vehicle, reply)
}

/// Takes the answer into the live state; says what the client is told.
fn fold(
    live: &mut Live,
    answer: Result<ApplyResponse, CallError>,
    vehicle: &ModelName,
) -> (bool, Result<VehiclePlaced, BridgeError>) {
    let response = match answer {
        Ok(response) => response,
        Err(err) => {
            warn!(%err, "a write was not answered");
            return (false, Err(BridgeError::NoAnswer));
        }
    };
    match response.result {
        ApplyResponse::OK => {}
        ApplyResponse::NOT_FOUND => return (false, Err(BridgeError::NoSuchModel(response.message))),
        ApplyResponse::NOT_READY | ApplyResponse::WRONG_EPOCH => return (false, Err(BridgeError::NotReady)),
        ApplyResponse::FAILED | ApplyResponse::TOO_LATE => return (false, Err(BridgeError::SimulatorNotRunning)),
        _ => return (false, Err(BridgeError::Refused(response.message))),
    }
    let state = wire::world_state(&response.states);
    let changed = live.note_states(&state);
    let placed = state.entities.iter().find(|entity| entity.name == *vehicle);
    let result = placed.map(|entity| VehiclePlaced {
        pose: entity.pose,
        stamp: state.stamp,
        seq: live.snapshot().seq,
        epoch: state.epoch,
    });
    (changed, result.ok_or_else(|| BridgeError::NoSuchModel(vehicle.to_string())))
}

fn unix_secs(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
