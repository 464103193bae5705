//! The task that owns the live state.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::bridge::change::{Applied, Change, Done, Write};
use crate::bridge::error::BridgeError;
use crate::bridge::handle::OwnerEnd;
use crate::bridge::live::Live;
use crate::bridge::outbox::Outbox;
use crate::bridge::saved::{Keeper, Saved};
use crate::bridge::simulator::{self, News, Order, Simulator, TakenDrives};
use crate::bridge::{BridgeOptions, policy, wire};
use crate::domain::{AudioEvent, Command, SimTime, TakenDrive, Transition, WorldState};
use crate::ros::{Node, RosError, topics};

/// How often silence is looked for.
const LOOK_AROUND: Duration = Duration::from_millis(50);
/// Looks that are further apart than this mean that the node itself was held up, by the machine or by whoever stopped it.
const ATTENTION: Duration = Duration::from_millis(150);
const REPORT_PERIOD: Duration = Duration::from_secs(1);
/// A robot publishes its odometry 30 times a second; one that has been silent for this long is not there.
const ROBOT_SILENCE: Duration = Duration::from_secs(1);
/// One that does not start its odometry anew is not waited for.
const ODOM_PATIENCE: Duration = Duration::from_millis(200);

type Reply = oneshot::Sender<Result<Done, BridgeError>>;
/// What goes on beside the owner's own work. What ends with nothing needs nothing more.
type Call<'a> = Pin<Box<dyn Future<Output = Option<Ended>> + Send + 'a>>;

enum Ended {
    Order(Answered),
    Drives { answer: Result<TakenDrives, BridgeError>, reply: Reply },
}

/// What an order is for.
enum Purpose {
    /// Somebody has asked for it.
    Write(Reply),
    /// To learn where everything is.
    Refresh,
    /// To give a restarted simulator back what it has lost.
    GiveBack,
}

/// An order that has come to its end, well or not.
struct Answered {
    answer: Result<WorldState, BridgeError>,
    order: Order,
    purpose: Purpose,
}

/// A loaded world whose client is told as soon as odometry has started in it.
struct Loaded {
    reply: Reply,
    state: WorldState,
    until: Instant,
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
    let (simulator, mut news) = simulator::open(node, options.way_in)?;
    let mut odometry = node.subscriber(&topics::ODOM)?;
    let mut joints = node.subscriber(&topics::JOINT_STATES)?;
    let mut audio = node.subscriber(&topics::AUDIO)?;
    let mut owner = Owner {
        simulator: &*simulator,
        live: Live::new(options.catalogue, saved).patient(simulator.patience()),
        end,
        outbox: Outbox::open(node)?,
        keeper,
        seed: options.seed,
        silence: CancellationToken::new(),
        refreshing: false,
        odom_heard: None,
        loaded: Vec::new(),
        drives_known: 0,
        giving_back: false,
        looked: Instant::now(),
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
                match ended {
                    Some(Ended::Order(answered)) => owner.finish(answered),
                    Some(Ended::Drives { answer, reply }) => owner.note_drives(answer, reply),
                    None => {}
                }
                false
            }
            Some(news) = news.next() => {
                let changed = owner.note(news);
                calls.extend(owner.give_back());
                calls.extend(owner.refresh());
                changed
            }
            Some(odom) = odometry.next() => {
                owner.odom_heard = Some(Instant::now());
                wire::odometry(&odom).is_some_and(|odom| owner.live.note_odom(odom))
            }
            Some(joints) = joints.next() => {
                wire::joints(&joints).into_iter().for_each(|joints| owner.live.note_joints(joints));
                false
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
        owner.tell_loaded();
    }
}

struct Owner<'a> {
    simulator: &'a dyn Simulator,
    live: Live,
    end: OwnerEnd,
    outbox: Outbox,
    keeper: Keeper,
    seed: u64,
    /// Cancelled when the simulator falls silent.
    silence: CancellationToken,
    refreshing: bool,
    /// When the robot last told where it believes to be.
    odom_heard: Option<Instant>,
    /// The next load may come while an earlier one still waits to be told of.
    loaded: Vec<Loaded>,
    /// How many drives that the simulator has taken were told.
    drives_known: u64,
    giving_back: bool,
    /// When silence was last looked for.
    looked: Instant,
}

impl<'a> Owner<'a> {
    /// Everybody is to see the live state as it is now.
    fn publish(&mut self) {
        self.outbox.follow(self.live.snapshot());
        self.keeper.keep(self.live.saved());
        self.end.publish(self.live.snapshot().clone());
    }

    fn note(&mut self, news: News) -> bool {
        let now = Instant::now();
        self.live.note_sign_of_life(now);
        match news {
            News::Status(status) => {
                let is_another = self.live.is_from_another(&status, now);
                if is_another {
                    // Nobody answers what the one before was asked, even if it was never missed.
                    self.silence.cancel();
                }
                if is_another || !self.live.snapshot().simulator_alive {
                    self.silence = CancellationToken::new();
                    let world = status.world.as_ref().map(ToString::to_string);
                    info!(world, epoch = status.epoch.0, "the simulator is there");
                }
                self.live.note_status(status, now)
            }
            News::States(state) => self.live.note_states(&state),
            News::Epoch(epoch, cause) => self.live.note_epoch(epoch, cause),
            News::Contacts(epoch, names) => self.live.note_contacts(epoch, names),
        }
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
        let apart = now.saturating_duration_since(self.looked);
        self.looked = now;
        if apart > ATTENTION {
            self.live.note_deafness(apart - LOOK_AROUND, now);
        }
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
        Some(self.send(Order { commands: Vec::new(), advance_steps: 0 }, Purpose::Refresh))
    }

    /// Gives a simulator that was restarted back what it has lost.
    fn give_back(&mut self) -> Option<Call<'a>> {
        if self.giving_back || !self.live.snapshot().simulator_alive {
            return None;
        }
        let commands = self.live.giving_back(self.seed)?;
        self.giving_back = true;
        Some(self.send(Order { commands, advance_steps: 0 }, Purpose::GiveBack))
    }

    /// Carries the change out, or sends it on its way, or refuses it at once.
    fn take_up(&mut self, Write { change, reply }: Write) -> Option<Call<'a>> {
        if let Err(err) = policy::check(self.live.snapshot(), &change) {
            // Here and below: the client may have gone.
            let _ = reply.send(Err(err));
            return None;
        }
        // What the camera shows is the node's own, but the client is told when the simulator has it.
        let mut shown = Order { commands: Vec::new(), advance_steps: 0 };
        let done = match change {
            Change::Apply { commands, advance_steps } => {
                return Some(self.send(Order { commands, advance_steps }, Purpose::Write(reply)));
            }
            Change::Load { world } => {
                let transition = if world.is_some() { Transition::Switching } else { Transition::Respawning };
                let present = self.live.snapshot().world.clone();
                let world = world.or(present).expect("the policy asks for a world to load");
                self.live.set_transition(Some(transition));
                self.publish();
                let commands = vec![Command::LoadWorld { world, seed: self.seed }];
                return Some(self.send(Order { commands, advance_steps: 0 }, Purpose::Write(reply)));
            }
            Change::Drives => {
                let (simulator, known) = (self.simulator, self.drives_known);
                return Some(Box::pin(
                    async move { Some(Ended::Drives { answer: simulator.drives(known).await, reply }) },
                ));
            }
            Change::Drive { speed_m_s, steering_rad } => {
                if self.outbox.drive(speed_m_s, steering_rad) {
                    Ok(false)
                } else {
                    Err(BridgeError::RobotNotRunning)
                }
            }
            Change::Light { name, command } => {
                let done = self.live.command_light(&name, command).map_err(BridgeError::from);
                let light = self.live.snapshot().lights.iter().find(|light| light.name.as_str() == name);
                let set = light.map(|light| Command::SetLight { light: light.name.clone(), state: light.state });
                shown.commands.extend(set);
                done
            }
            Change::Brightness(brightness) => {
                shown.commands.push(Command::SetBrightness(brightness));
                Ok(self.live.set_brightness(brightness))
            }
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
                let (simulator, silence) = (self.simulator, self.silence.clone());
                Some(Box::pin(async move {
                    let confirmed = async {
                        if !shown.commands.is_empty()
                            && let Err(err) = simulator.carry_out(&shown, silence).await
                        {
                            // The topics say the same; a simulator that confirms nothing may follow them.
                            debug!(%err, "the simulator does not confirm what its camera shows");
                        }
                    };
                    // Both at once, so that nobody waits for the sum of two limits.
                    futures::join!(kept, confirmed);
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

    fn send(&self, order: Order, purpose: Purpose) -> Call<'a> {
        let (simulator, silence) = (self.simulator, self.silence.clone());
        Box::pin(async move {
            let answer = simulator.carry_out(&order, silence).await;
            Some(Ended::Order(Answered { answer, order, purpose }))
        })
    }

    /// Tells those who follow which drives were taken.
    fn note_drives(&mut self, answer: Result<TakenDrives, BridgeError>, reply: Reply) {
        let told = answer.and_then(|TakenDrives { count, drives }| {
            // A simulator that was restarted counts anew; an answer to somebody else may have overtaken this one.
            let unknown = count.checked_sub(self.drives_known).unwrap_or(count);
            let kept = drives.len() as u64;
            self.drives_known = count;
            for TakenDrive { step, revision, epoch, target, .. } in
                drives.into_iter().skip(usize::try_from(kept.saturating_sub(unknown)).unwrap_or(usize::MAX))
            {
                let commands = vec![Command::Drive(target)];
                self.end.note_applied(Applied { commands, step, revision, epoch, by_topic: true });
            }
            match unknown.saturating_sub(kept) {
                0 => Ok(()),
                lost => Err(BridgeError::Refused(format!("{lost} drives of the robot are not known any more"))),
            }
        });
        let snapshot = self.end.published();
        let _ = reply.send(told.map(|()| Done { snapshot, state: WorldState::default() }));
    }

    /// Takes the simulator's answer into the live state; the snapshot is out before the client is told.
    fn finish(&mut self, Answered { answer, order, purpose }: Answered) {
        let mut changed = false;
        if let Ok(state) = &answer {
            self.live.note_sign_of_life(Instant::now());
            changed |= match purpose {
                Purpose::GiveBack => self.live.note_given_back(state),
                Purpose::Write(_) | Purpose::Refresh => self.live.note_applied(&order.commands, state),
            };
        }
        if let Ok(state) = &answer
            && !order.commands.is_empty()
        {
            let back = u64::from(order.advance_steps);
            self.end.note_applied(Applied {
                commands: order.commands.clone(),
                step: state.step.saturating_sub(back),
                // Itself it has raised the number by one.
                revision: state.revision.saturating_sub(back + 1),
                epoch: state.epoch,
                by_topic: false,
            });
        }
        if order.loads() && matches!(purpose, Purpose::Write(_)) {
            changed |= self.live.set_transition(None);
        }
        if changed {
            self.publish();
        }
        let is_robot_there = self.odom_heard.is_some_and(|heard| heard.elapsed() < ROBOT_SILENCE);
        let has_new_odom_soon = is_robot_there && self.live.snapshot().clock.is_some_and(|clock| !clock.paused);
        match (purpose, answer) {
            (Purpose::Write(reply), Ok(state)) if order.loads() && has_new_odom_soon => {
                self.loaded.push(Loaded { reply, state, until: Instant::now() + ODOM_PATIENCE });
            }
            (Purpose::Write(reply), answer) => {
                let snapshot: Arc<_> = self.end.published();
                let _ = reply.send(answer.map(|state| Done { snapshot, state }));
            }
            (Purpose::Refresh, _) => self.refreshing = false,
            (Purpose::GiveBack, answer) => {
                self.giving_back = false;
                match answer {
                    Ok(_) => info!("the restarted simulator has its world back"),
                    // The next status shows whether it is there and still needs it.
                    Err(BridgeError::NoAnswer | BridgeError::SimulatorNotRunning | BridgeError::NotReady) => {}
                    Err(err) => {
                        warn!(%err, "the restarted simulator does not take the world back that ran before");
                        self.live.give_up_lost();
                    }
                }
            }
        }
    }

    fn tell_loaded(&mut self) {
        let has_odom = self.live.snapshot().odom.is_some();
        for Loaded { reply, state, .. } in
            self.loaded.extract_if(.., |loaded| has_odom || loaded.until <= Instant::now())
        {
            let _ = reply.send(Ok(Done { snapshot: self.end.published(), state }));
        }
    }
}
