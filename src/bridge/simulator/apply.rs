//! Our own simulator: it publishes what happens and takes an order as a whole.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::StreamExt;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::select_all;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::{News, Opened, Order, STEP_LIMIT, Simulator, TakenDrives, WRITE_LIMIT};
use crate::bridge::error::BridgeError;
use crate::bridge::wire;
use crate::domain::{Command, Epoch, EpochCause, WorldState};
use crate::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse, Drives, DrivesRequest};
use crate::ros::{CallError, Client, Node, RosError, services, topics};

/// It speaks every 100 ms.
const PATIENCE: Duration = Duration::from_millis(500);
/// Its services become known one after the other, but not further apart than this.
const DISCOVERY: Duration = Duration::from_millis(200);
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// The longest that it may take to load a world.
const LOAD_LIMIT: Duration = Duration::from_secs(60);

struct OwnSimulator {
    apply: Client<Apply>,
    drives: Client<Drives>,
}

pub(super) fn open(node: &Node) -> Result<Opened, RosError> {
    let statuses = node.subscriber(&topics::STATUS)?.map(|status| News::Status(wire::status(&status)));
    let states = node.subscriber(&topics::ENTITY_STATES)?.map(|states| News::States(wire::world_state(&states)));
    let epochs =
        node.subscriber(&topics::EPOCH)?.map(|epoch| News::Epoch(Epoch(epoch.number), EpochCause::parse(&epoch.cause)));
    let contacts = node.subscriber(&topics::CONTACTS)?.map(|contacts| {
        let (epoch, names) = wire::contacts(&contacts);
        News::Contacts(epoch, names)
    });
    let news = select_all([statuses.boxed(), states.boxed(), epochs.boxed(), contacts.boxed()]);
    let simulator = OwnSimulator { apply: node.client(&services::APPLY)?, drives: node.client(&services::DRIVES)? };
    Ok((Box::new(simulator), news.boxed()))
}

impl Simulator for OwnSimulator {
    fn patience(&self) -> Duration {
        PATIENCE
    }

    fn carry_out<'a>(
        &'a self,
        order: &'a Order,
        silence: CancellationToken,
    ) -> BoxFuture<'a, Result<WorldState, BridgeError>> {
        async move { understand(self.call(order, silence).await, &order.commands) }.boxed()
    }

    fn drives(&self, known: u64) -> BoxFuture<'_, Result<TakenDrives, BridgeError>> {
        async move {
            if !self.tells_drives().await {
                let refusal = "this simulator does not say which drives it takes".to_owned();
                return Err(BridgeError::Unsupported(refusal));
            }
            let answer = self.drives.call_idempotent(DrivesRequest { known }, WRITE_LIMIT).await;
            let answer = answer.map_err(|err| {
                warn!(%err, "the simulator does not say which drives it has taken");
                BridgeError::NoAnswer
            })?;
            Ok(TakenDrives { count: answer.count, drives: answer.drives.iter().map(wire::taken_drive).collect() })
        }
        .boxed()
    }
}

impl OwnSimulator {
    /// One that takes orders but does not offer this service is another's, or an older one of ours: nobody waits for it.
    async fn tells_drives(&self) -> bool {
        let until = Instant::now() + DISCOVERY;
        while !self.drives.is_matched() && self.apply.is_matched() && Instant::now() < until {
            sleep(LOOK_AGAIN).await;
        }
        self.drives.is_matched() || !self.apply.is_matched()
    }

    async fn call(&self, order: &Order, silence: CancellationToken) -> Result<ApplyResponse, CallError> {
        let message = ApplyRequest {
            expected_epoch: 0,
            // What the client was told has failed must not happen later, when a stopped simulator goes on.
            deadline: unix_secs(SystemTime::now() + WRITE_LIMIT),
            commands: order.commands.iter().map(wire::command).collect(),
            advance_steps: order.advance_steps,
        };
        if !order.loads() && order.advance_steps == 0 {
            // Placing, pausing or resetting twice is the same as once.
            return self.apply.call_idempotent(message, WRITE_LIMIT).await;
        }
        let work = if order.loads() { LOAD_LIMIT } else { STEP_LIMIT * order.advance_steps };
        let given_up = async {
            sleep(WRITE_LIMIT).await;
            silence.cancelled().await;
        };
        tokio::select! {
            answer = self.apply.call(message, WRITE_LIMIT + work) => answer,
            () = given_up => Err(CallError::NoAnswer(services::APPLY.name.to_string())),
        }
    }
}

/// What the simulator's answer says.
fn understand(answer: Result<ApplyResponse, CallError>, commands: &[Command]) -> Result<WorldState, BridgeError> {
    let response = answer.map_err(|err| {
        warn!(%err, "a request to the simulator was not answered");
        BridgeError::NoAnswer
    })?;
    match response.result {
        ApplyResponse::OK => Ok(wire::world_state(&response.states)),
        ApplyResponse::NOT_FOUND => Err(match commands.first() {
            Some(Command::SetPose { entity, .. }) => BridgeError::NoSuchModel(entity.to_string()),
            Some(Command::LoadWorld { .. }) => BridgeError::NoSuchWorld,
            _ => BridgeError::Refused(response.message),
        }),
        ApplyResponse::NOT_READY | ApplyResponse::WRONG_EPOCH => Err(BridgeError::NotReady),
        ApplyResponse::FAILED | ApplyResponse::TOO_LATE => Err(BridgeError::SimulatorNotRunning),
        _ => Err(BridgeError::Refused(response.message)),
    }
}

fn unix_secs(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
