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
use crate::domain::{Epoch, ModelName, WorldState};
use crate::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse, Command};
use crate::ros::{CallError, Client, Node, RosError, services, topics};

/// A write is answered within 3 s, whatever the simulator does; this leaves room for everything around the call.
const WRITE_LIMIT: Duration = Duration::from_millis(2400);
/// How often silence is looked for.
const LOOK_AROUND: Duration = Duration::from_millis(50);

type Answered = (Result<ApplyResponse, CallError>, Purpose);
type Call<'a> = Pin<Box<dyn Future<Output = Answered> + Send + 'a>>;

/// What a request was sent for.
enum Purpose {
    /// To learn where everything is.
    Refresh,
    Place {
        vehicle: ModelName,
        reply: oneshot::Sender<Result<VehiclePlaced, BridgeError>>,
    },
}

/// Follows the simulator and carries out writes until the token is cancelled.
pub async fn run(node: &Node, mut end: OwnerEnd, shutdown: CancellationToken) -> Result<(), RosError> {
    let mut statuses = node.subscriber(&topics::STATUS)?;
    let mut states = node.subscriber(&topics::ENTITY_STATES)?;
    let mut epochs = node.subscriber(&topics::EPOCH)?;
    let apply = node.client(&services::APPLY)?;
    let mut live = Live::default();
    let mut calls = FuturesUnordered::<Call<'_>>::new();
    let mut refreshing = false;
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
            Some((answer, purpose)) = calls.next() => {
                let folded = fold(&mut live, answer);
                // The snapshot must be out before the client is told.
                if matches!(folded, Ok((true, _))) {
                    end.publish(live.snapshot().clone());
                }
                match purpose {
                    Purpose::Refresh => refreshing = false,
                    Purpose::Place { vehicle, reply } => {
                        let seq = live.snapshot().seq;
                        // The client may have gone.
                        let _ = reply.send(folded.and_then(|(_, state)| placed(&state, &vehicle, seq)));
                    }
                }
                false
            }
            Some(status) = statuses.next() => {
                let was_alive = live.snapshot().simulator_alive;
                let changed = live.note_status(wire::status(&status), Instant::now());
                if !was_alive {
                    info!(world = status.world, epoch = status.epoch, "the simulator is there");
                }
                if live.lacks_state() && !refreshing {
                    refreshing = true;
                    calls.push(Box::pin(async { (call(&apply, Vec::new()).await, Purpose::Refresh) }));
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
fn begin<'a>(live: &Live, apply: &'a Client<Apply>, Write::PlaceVehicle { change, reply }: Write) -> Option<Call<'a>> {
    let snapshot = live.snapshot();
    let refusal = if !snapshot.simulator_alive {
        Some(BridgeError::SimulatorNotRunning)
    } else if !snapshot.ready() {
        Some(BridgeError::NotReady)
    } else {
        None
    };
    match (refusal, live.vehicle()) {
        (None, Some(vehicle)) => {
            let (vehicle, command) = (vehicle.clone(), wire::set_pose(vehicle, change));
            Some(Box::pin(async move { (call(apply, vec![command]).await, Purpose::Place { vehicle, reply }) }))
        }
        (refusal, _) => {
            let _ = reply.send(Err(refusal.unwrap_or(BridgeError::NotReady)));
            None
        }
    }
}

/// Only for commands that may be carried out twice.
async fn call(apply: &Client<Apply>, commands: Vec<Command>) -> Result<ApplyResponse, CallError> {
    let request = ApplyRequest {
        expected_epoch: 0,
        // What the client was told has failed must not happen later, when a stopped simulator goes on.
        deadline: unix_secs(SystemTime::now() + WRITE_LIMIT),
        commands,
        advance_steps: 0,
    };
    apply.call_idempotent(request, WRITE_LIMIT).await
}

/// Takes an answer into the live state; tells whether that changed it, and what the answer says.
fn fold(live: &mut Live, answer: Result<ApplyResponse, CallError>) -> Result<(bool, WorldState), BridgeError> {
    let response = answer.map_err(|err| {
        warn!(%err, "a request to the simulator was not answered");
        BridgeError::NoAnswer
    })?;
    match response.result {
        ApplyResponse::OK => {
            let state = wire::world_state(&response.states);
            Ok((live.note_states(&state), state))
        }
        ApplyResponse::NOT_FOUND => Err(BridgeError::NoSuchModel(response.message)),
        ApplyResponse::NOT_READY | ApplyResponse::WRONG_EPOCH => Err(BridgeError::NotReady),
        ApplyResponse::FAILED | ApplyResponse::TOO_LATE => Err(BridgeError::SimulatorNotRunning),
        _ => Err(BridgeError::Refused(response.message)),
    }
}

fn placed(state: &WorldState, vehicle: &ModelName, seq: u64) -> Result<VehiclePlaced, BridgeError> {
    let entity = state.entities.iter().find(|entity| entity.name == *vehicle);
    let entity = entity.ok_or_else(|| BridgeError::NoSuchModel(vehicle.to_string()))?;
    Ok(VehiclePlaced { pose: entity.pose, stamp: state.stamp, seq, epoch: state.epoch })
}

fn unix_secs(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
