//! The task that owns the live state.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::bridge::change::{Applied, Change, Done, Write};
use crate::bridge::error::BridgeError;
use crate::bridge::handle::OwnerEnd;
use crate::bridge::live::Live;
use crate::bridge::outbox::Outbox;
use crate::bridge::saved::{Keeper, Saved};
use crate::bridge::{BridgeOptions, policy, wire};
use crate::domain::{AudioEvent, Command, Epoch, EpochCause, STEP_NANOS, SimTime, Transition, WorldState};
use crate::ros::msg::sim_api_msgs::{Apply, ApplyRequest, ApplyResponse};
use crate::ros::{CallError, Client, Node, RosError, services, topics};

/// A change is begun within this time or never, and a simulator that is silent then is not waited for any longer: every
/// request is answered within 3 s of its own work.
const WRITE_LIMIT: Duration = Duration::from_millis(2400);
/// The longest that a living simulator may take for one step when it is asked for many.
const STEP_LIMIT: Duration = Duration::from_millis(5);
/// The longest that it may take to load a world.
const LOAD_LIMIT: Duration = Duration::from_secs(60);
/// How often silence is looked for.
const LOOK_AROUND: Duration = Duration::from_millis(50);
const REPORT_PERIOD: Duration = Duration::from_secs(1);

type Reply = oneshot::Sender<Result<Done, BridgeError>>;
/// What goes on beside the owner's own work. What ends with nothing needs nothing more.
type Call<'a> = Pin<Box<dyn Future<Output = Option<Answered>> + Send + 'a>>;

/// A request that has come to its end, well or not.
struct Answered {
    answer: Result<ApplyResponse, CallError>,
    request: Request,
}

/// A request to the simulator.
struct Request {
    commands: Vec<Command>,
    advance_steps: u32,
    /// None for one that only asks where everything is.
    reply: Option<Reply>,
}

/// Follows the simulator and carries out changes until the token is cancelled.
pub(super) async fn run(
    node: &Node,
    end: OwnerEnd,
    options: BridgeOptions,
    saved: Saved,
    keeper: Keeper,
    shutdown: CancellationToken,
) -> Result<(), RosError> {
    let mut statuses = node.subscriber(&topics::STATUS)?;
    let mut states = node.subscriber(&topics::ENTITY_STATES)?;
    let mut epochs = node.subscriber(&topics::EPOCH)?;
    let mut odometry = node.subscriber(&topics::ODOM)?;
    let mut contacts = node.subscriber(&topics::CONTACTS)?;
    let mut audio = node.subscriber(&topics::AUDIO)?;
    let apply = node.client(&services::APPLY)?;
    let mut owner = Owner {
        apply: &apply,
        live: Live::new(options.catalogue, saved),
        end,
        outbox: Outbox::open(node)?,
        keeper,
        seed: options.seed,
        silence: CancellationToken::new(),
        refreshing: false,
    };
    owner.publish();
    let mut calls = FuturesUnordered::<Call<'_>>::new();
    let mut look_around = interval(LOOK_AROUND);
    look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut report = interval(REPORT_PERIOD);
    report.set_missed_tick_behavior(MissedTickBehavior::Delay);

    loop {
        let changed = tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            Some(write) = owner.end.next_write() => {
                calls.extend(owner.take_up(write));
                false
            }
            Some(ended) = calls.next() => {
                if let Some(Answered { answer, request }) = ended {
                    owner.finish(answer, request);
                }
                false
            }
            Some(status) = statuses.next() => {
                let was_alive = owner.live.snapshot().simulator_alive;
                let changed = owner.live.note_status(wire::status(&status), Instant::now());
                if !was_alive {
                    owner.silence = CancellationToken::new();
                    info!(world = status.world, epoch = status.epoch, "the simulator is there");
                }
                calls.extend(owner.refresh());
                changed
            }
            Some(message) = states.next() => owner.live.note_states(&wire::world_state(&message)),
            Some(epoch) = epochs.next() => {
                owner.live.note_epoch(Epoch(epoch.number), EpochCause::parse(&epoch.cause))
            }
            Some(odom) = odometry.next() => wire::odometry(&odom).is_some_and(|odom| owner.live.note_odom(odom)),
            Some(message) = contacts.next() => {
                let (epoch, names) = wire::contacts(&message);
                owner.live.note_contacts(epoch, names)
            }
            Some(message) = audio.next() => wire::audio(message, owner.now()).is_some_and(|event| owner.hear(event)),
            _ = look_around.tick() => owner.look_around(),
            _ = report.tick() => {
                owner.outbox.report(owner.live.snapshot(), owner.end.listeners());
                false
            }
        };
        if changed {
            owner.publish();
        }
    }
}

struct Owner<'a> {
    apply: &'a Client<Apply>,
    live: Live,
    end: OwnerEnd,
    outbox: Outbox,
    keeper: Keeper,
    seed: u64,
    /// Cancelled when the simulator falls silent.
    silence: CancellationToken,
    refreshing: bool,
}

impl<'a> Owner<'a> {
    /// Everybody is to see the live state as it is now.
    fn publish(&mut self) {
        self.outbox.follow(self.live.snapshot());
        self.keeper.keep(self.live.saved());
        self.end.publish(self.live.snapshot().clone());
    }

    /// Simulation time as it is known.
    fn now(&self) -> SimTime {
        self.live.snapshot().clock.map_or(SimTime::ZERO, |clock| clock.sim_time)
    }

    fn hear(&mut self, event: AudioEvent) -> bool {
        let changed = self.live.note_audio(&event);
        self.end.note_audio(event);
        changed
    }

    fn look_around(&mut self) -> bool {
        let now = Instant::now();
        let silent = self.live.note_time(now);
        if silent {
            warn!("the simulator has gone silent");
            self.silence.cancel();
        }
        self.live.expire_overlay(now) || silent
    }

    /// Asks the simulator where everything is, if that is not known.
    fn refresh(&mut self) -> Option<Call<'a>> {
        if !self.live.lacks_state() || self.refreshing {
            return None;
        }
        self.refreshing = true;
        Some(self.send(Request { commands: Vec::new(), advance_steps: 0, reply: None }))
    }

    /// Carries the change out, or sends it on its way, or refuses it at once.
    fn take_up(&mut self, Write { change, reply }: Write) -> Option<Call<'a>> {
        if let Err(err) = policy::check(self.live.snapshot(), &change) {
            // Here and below: the client may have gone.
            let _ = reply.send(Err(err));
            return None;
        }
        let done = match change {
            Change::Apply { commands, advance_steps } => {
                return Some(self.send(Request { commands, advance_steps, reply: Some(reply) }));
            }
            Change::Load { world } => {
                let transition = if world.is_some() { Transition::Switching } else { Transition::Respawning };
                let present = self.live.snapshot().world.clone();
                let world = world.or(present).expect("the policy asks for a world to load");
                self.live.set_transition(Some(transition));
                self.publish();
                let commands = vec![Command::LoadWorld { world, seed: self.seed }];
                return Some(self.send(Request { commands, advance_steps: 0, reply: Some(reply) }));
            }
            Change::Drive { speed_m_s, steering_rad } => {
                if self.outbox.drive(speed_m_s, steering_rad) {
                    Ok(false)
                } else {
                    Err(BridgeError::RobotNotRunning)
                }
            }
            Change::Light { name, command } => self.live.command_light(&name, command).map_err(BridgeError::from),
            Change::Brightness(brightness) => Ok(self.live.set_brightness(brightness)),
            Change::Caption(caption) => Ok(self.live.show(caption, Instant::now())),
            Change::Evaluation { run, session } => Ok(self.live.set_evaluation(run, session)),
        };
        match done {
            Ok(changed) => {
                if changed {
                    self.publish();
                }
                let done = Done { snapshot: self.end.published(), state: WorldState::default() };
                let kept = self.keeper.kept();
                Some(Box::pin(async move {
                    kept.await;
                    let _ = reply.send(Ok(done));
                    None
                }))
            }
            Err(err) => {
                let _ = reply.send(Err(err));
                None
            }
        }
    }

    fn send(&self, request: Request) -> Call<'a> {
        let (apply, silence) = (self.apply, self.silence.clone());
        Box::pin(async move {
            let answer = call(apply, &request, silence).await;
            Some(Answered { answer, request })
        })
    }

    /// Takes the simulator's answer into the live state; the snapshot is out before the client is told.
    fn finish(
        &mut self,
        answer: Result<ApplyResponse, CallError>,
        Request { commands, advance_steps, reply }: Request,
    ) {
        let loads = commands.iter().any(|command| matches!(command, Command::LoadWorld { .. }));
        let folded = understand(answer, &commands);
        let mut changed = false;
        if let Ok(state) = &folded {
            changed |= self.live.note_applied(&commands, state);
        }
        if let Ok(state) = &folded
            && !commands.is_empty()
        {
            let back = u64::from(advance_steps);
            let stamp = SimTime::from_nanos(state.stamp.nanos() - i64::from(advance_steps) * STEP_NANOS);
            self.end.note_applied(Applied {
                commands,
                step: state.step - back.min(state.step),
                stamp,
                epoch: state.epoch,
            });
        }
        if loads {
            changed |= self.live.set_transition(None);
        }
        if changed {
            self.publish();
        }
        match reply {
            Some(reply) => {
                let snapshot: Arc<_> = self.end.published();
                let _ = reply.send(folded.map(|state| Done { snapshot, state }));
            }
            None => self.refreshing = false,
        }
    }
}

async fn call(
    apply: &Client<Apply>,
    request: &Request,
    silence: CancellationToken,
) -> Result<ApplyResponse, CallError> {
    let message = ApplyRequest {
        expected_epoch: 0,
        // What the client was told has failed must not happen later, when a stopped simulator goes on.
        deadline: unix_secs(SystemTime::now() + WRITE_LIMIT),
        commands: request.commands.iter().map(wire::command).collect(),
        advance_steps: request.advance_steps,
    };
    let loads = request.commands.iter().any(|command| matches!(command, Command::LoadWorld { .. }));
    if !loads && request.advance_steps == 0 {
        // Placing, pausing or resetting twice is the same as once.
        return apply.call_idempotent(message, WRITE_LIMIT).await;
    }
    let work = if loads { LOAD_LIMIT } else { STEP_LIMIT * request.advance_steps };
    let given_up = async {
        sleep(WRITE_LIMIT).await;
        silence.cancelled().await;
    };
    tokio::select! {
        answer = apply.call(message, WRITE_LIMIT + work) => answer,
        () = given_up => Err(CallError::NoAnswer(services::APPLY.name.to_string())),
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
