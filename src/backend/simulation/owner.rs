//! What runs on the simulation's thread.

mod commands;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::{mpsc as queue, oneshot, watch};
use tracing::warn;

use crate::backend::catalogue::WorldSource;
use crate::backend::ledger::Ledger;
use crate::backend::pacing::{Pacing, RtfMeter};
use crate::backend::simulation::display::{Display, Shown};
use crate::backend::simulation::drives::DriveLog;
use crate::backend::simulation::loading::{self, Loading};
use crate::backend::simulation::observe::{Moment, Observer};
use crate::backend::simulation::{EpochStart, LoadedWorld, Refusal, Request, SimulationOptions, StartError, Vitals};
use crate::domain::{
    DriveTarget, Epoch, EpochCause, STEP_NANOS, STEPS_PER_SECOND, SimTime, TakenDrive, VehicleSpec, WorldState,
};
use crate::engine::World;

/// The thread looks around at least this often, also while paused.
const IDLE: Duration = Duration::from_millis(20);
/// And this often while a world is being built, so that it is swapped in soon.
const IDLE_LOADING: Duration = Duration::from_millis(2);
/// Entity states are handed out at 50 Hz of simulation time.
const STATE_STEPS: u64 = STEPS_PER_SECOND / 50;
/// The most that one request may advance: 100 simulated seconds.
const MAX_ADVANCE_STEPS: u32 = 20_000;
/// A drive from the topic is forgotten after a simulated second, so that a dead robot stack stops the car.
const DRIVE_STEPS: u64 = STEPS_PER_SECOND;

/// Where the answer to a request goes.
pub(super) type Reply = oneshot::Sender<Result<WorldState, Refusal>>;

pub(super) enum Work {
    Request(Request, Reply),
    Drive(DriveTarget),
    Show(Shown),
    Stop,
}

pub(super) struct Outputs {
    pub(super) states: watch::Sender<Arc<WorldState>>,
    pub(super) clock: watch::Sender<SimTime>,
    pub(super) loaded: watch::Sender<Option<Arc<LoadedWorld>>>,
    pub(super) epochs: queue::Sender<EpochStart>,
    pub(super) observer: Observer,
    pub(super) drives: DriveLog,
}

pub(super) struct Owner {
    work: Receiver<Work>,
    outputs: Outputs,
    vitals: Arc<Mutex<Vitals>>,
    ledger: Ledger,
    vehicle: VehicleSpec,
    worlds: Arc<dyn WorldSource>,
    /// Without one, time stands still.
    world: Option<World>,
    loading: Option<Loading>,
    display: Display,
    time: SimTime,
    step: u64,
    revision: u64,
    epoch: Epoch,
    paused: bool,
    pacing: Pacing,
    meter: RtfMeter,
    /// Until which step the drive from the topic holds; nothing for one that a request set.
    drive_until: Option<u64>,
    /// A request has set the drive while time stood: whoever steps drives, and the topic is not listened to.
    drive_held: bool,
}

impl Owner {
    pub(super) fn new(
        options: SimulationOptions,
        work: Receiver<Work>,
        outputs: Outputs,
        ledger: Ledger,
        time: SimTime,
        epoch: Epoch,
    ) -> Result<(Self, Arc<Mutex<Vitals>>), StartError> {
        let (name, world) = loading::first(&options)?;
        let step = (time.nanos() / STEP_NANOS).unsigned_abs();
        let now = Instant::now();
        let vitals = Arc::new(Mutex::new(Vitals {
            world: Some(name),
            loading: false,
            sim_time: time,
            rtf: 0.0,
            paused: false,
            step,
            revision: step,
            epoch,
        }));
        let owner = Self {
            work,
            outputs,
            vitals: vitals.clone(),
            ledger,
            vehicle: options.vehicle,
            worlds: options.worlds,
            world: Some(world),
            loading: None,
            display: Display::default(),
            time,
            step,
            revision: step,
            epoch,
            paused: false,
            pacing: Pacing::new(options.real_time_factor, now),
            meter: RtfMeter::new(now),
            drive_until: None,
            drive_held: false,
        };
        Ok((owner, vitals))
    }

    pub(super) fn run(mut self) {
        self.announce_epoch(EpochCause::Restart);
        self.announce_world();
        self.hand_out_state();
        loop {
            let idle = if self.loading.is_some() { IDLE_LOADING } else { IDLE };
            let wait = if self.steps_by_itself() { self.pacing.wait(Instant::now()).min(idle) } else { idle };
            let work = if wait.is_zero() {
                self.work.try_recv().map_err(|err| err == TryRecvError::Disconnected)
            } else {
                self.work.recv_timeout(wait).map_err(|err| err == RecvTimeoutError::Disconnected)
            };
            match work {
                Ok(Work::Request(request, reply)) => self.receive(request, reply),
                Ok(Work::Drive(target)) => self.drive_from_topic(target),
                Ok(Work::Show(shown)) => self.display.show(shown),
                Ok(Work::Stop) | Err(true) => break,
                Err(false) => {}
            }
            if let Some(loading) = self.loading.take_if(|loading| loading.is_finished()) {
                self.swap_in(loading);
            }
            let now = Instant::now();
            if self.steps_by_itself() && self.pacing.wait(now).is_zero() {
                self.advance(false);
                self.pacing.stepped(now);
            }
            self.renew_vitals();
        }
        if let Some(loading) = self.loading.take() {
            // Whoever waits for it learns of the end when the reply is dropped.
            let _ = loading.finish();
        }
    }

    fn steps_by_itself(&self) -> bool {
        !self.paused && self.world.is_some()
    }

    /// Answers a request, or lets it wait for the worlds that it loads.
    fn receive(&mut self, request: Request, reply: Reply) {
        let loads = request.commands.iter().any(|command| loading::wanted(command).is_some());
        let answer = match self.admit(&request) {
            Ok(()) if loads && self.loading.is_some() => {
                Err(Refusal::NotReady("another world is being loaded".to_owned()))
            }
            Ok(()) if loads => match Loading::start(&self.worlds, &self.vehicle, request, reply) {
                Ok(loading) => {
                    self.loading = Some(loading);
                    return;
                }
                Err((reply, refusal)) => {
                    let _ = reply.send(Err(refusal));
                    return;
                }
            },
            Ok(()) => self.carry_out(&request, VecDeque::new()),
            Err(refusal) => Err(refusal),
        };
        self.answer(reply, answer);
    }

    /// The worlds of a request are ready, or cannot be built.
    fn swap_in(&mut self, loading: Loading) {
        let (request, reply, worlds) = loading.finish();
        // Time has passed since it was admitted first.
        let answer = worlds
            .and_then(|worlds| self.admit(&request).map(|()| worlds))
            .and_then(|worlds| self.carry_out(&request, worlds));
        self.answer(reply, answer);
    }

    fn answer(&mut self, reply: Reply, answer: Result<WorldState, Refusal>) {
        // Whoever is told of a change may look at the vitals next.
        self.renew_vitals();
        // The caller may have given up; the change stands.
        let _ = reply.send(answer);
    }

    /// One step, and what is due after it; in lockstep because a request asks for it.
    fn advance(&mut self, lockstep: bool) {
        let time = self.time.plus_steps(1);
        self.ledger.cover(time, self.epoch, self.meter.read(Instant::now()));
        if self.drive_until.is_some_and(|until| self.step >= until) {
            self.drive_until = None;
            let present = self.world.as_ref().map(World::drive).unwrap_or_default();
            self.set_drive(DriveTarget { speed_m_s: 0.0, ..present });
        }
        let Some(world) = &mut self.world else { return };
        world.step();
        self.time = time;
        self.step += 1;
        self.revision += 1;
        self.meter.stepped();
        self.outputs.clock.send_replace(time);
        let moment = Moment { stamp: time, epoch: self.epoch, lockstep };
        self.outputs.observer.after_step(world, &self.display, moment);
        if self.step.is_multiple_of(STATE_STEPS) {
            self.hand_out_state();
        }
    }

    /// Whether the request may be carried out at all now.
    fn admit(&self, request: &Request) -> Result<(), Refusal> {
        if request.deadline.is_some_and(|deadline| SystemTime::now() > deadline) {
            return Err(Refusal::TooLate);
        }
        if request.expected_epoch != Epoch::default() && request.expected_epoch != self.epoch {
            return Err(Refusal::WrongEpoch { present: self.epoch });
        }
        if request.advance_steps > MAX_ADVANCE_STEPS {
            let message = format!("a request may advance at most {MAX_ADVANCE_STEPS} steps");
            return Err(Refusal::Refused(message));
        }
        Ok(())
    }

    /// All of the commands, or none and why; `loaded` holds a world for each command that loads one.
    fn carry_out(&mut self, request: &Request, mut loaded: VecDeque<World>) -> Result<WorldState, Refusal> {
        self.check(request, &loaded)?;
        for command in &request.commands {
            self.apply(command, &mut loaded)?;
        }
        if !request.commands.is_empty() {
            self.revision += 1;
        }
        for _ in 0..request.advance_steps {
            self.advance(true);
        }
        if request.advance_steps > 0 {
            self.outputs.observer.wait_for_pictures();
            self.pacing.restart(Instant::now());
        }
        self.outputs.observer.note_contacts(self.world.as_ref(), self.time, self.epoch);
        Ok(self.hand_out_state())
    }

    fn begin_epoch(&mut self, cause: EpochCause) {
        self.epoch = Epoch(self.epoch.0 + 1);
        self.display.begin_epoch(cause);
        self.ledger.cover(self.time, self.epoch, self.pacing.factor());
        self.announce_epoch(cause);
    }

    fn announce_epoch(&self, cause: EpochCause) {
        let start = EpochStart { epoch: self.epoch, cause, first_stamp: self.time };
        if self.outputs.epochs.try_send(start).is_err() {
            warn!(epoch = self.epoch.0, "an epoch could not be announced: nobody fetches them");
        }
    }

    fn announce_world(&self) {
        let loaded = self.world.as_ref().map(|world| {
            let (name, start) = (world.name().clone(), world.description().start);
            Arc::new(LoadedWorld { name, models: world.models(), start })
        });
        self.outputs.loaded.send_replace(loaded);
    }

    fn drive_from_topic(&mut self, target: DriveTarget) {
        if self.drive_held {
            return;
        }
        self.set_drive(target);
        self.drive_until = Some(self.step + DRIVE_STEPS);
    }

    fn set_drive(&mut self, target: DriveTarget) {
        let Some(world) = &mut self.world else { return };
        if world.drive() == target {
            return;
        }
        match world.set_drive(target) {
            Ok(()) => {
                let (step, revision, stamp, epoch) = (self.step, self.revision, self.time, self.epoch);
                self.outputs.drives.note(TakenDrive { step, revision, stamp, epoch, target });
            }
            Err(err) => warn!(%err, "a drive was refused"),
        }
    }

    fn hand_out_state(&self) -> WorldState {
        let state = WorldState {
            step: self.step,
            revision: self.revision,
            stamp: self.time,
            epoch: self.epoch,
            entities: self.world.as_ref().map(World::entities).unwrap_or_default(),
        };
        self.outputs.states.send_replace(Arc::new(state.clone()));
        state
    }

    fn renew_vitals(&mut self) {
        let rtf = if self.steps_by_itself() { self.meter.read(Instant::now()) } else { 0.0 };
        let world = self.world.as_ref().map(World::name);
        let mut vitals = self.vitals.lock().unwrap_or_else(PoisonError::into_inner);
        if vitals.world.as_ref() != world {
            vitals.world = world.cloned();
        }
        vitals.loading = self.loading.is_some();
        vitals.sim_time = self.time;
        vitals.rtf = rtf;
        vitals.paused = self.paused;
        vitals.step = self.step;
        vitals.revision = self.revision;
        vitals.epoch = self.epoch;
    }
}
