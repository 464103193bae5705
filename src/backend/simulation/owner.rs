//! What runs on the simulation's thread.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::{mpsc as queue, oneshot, watch};
use tracing::warn;

use crate::backend::catalogue;
use crate::backend::ledger::Ledger;
use crate::backend::pacing::{Pacing, RtfMeter};
use crate::backend::simulation::{EpochStart, Refusal, Request, SimulationOptions, StartError, Vitals};
use crate::domain::{
    Command, DriveTarget, Epoch, EpochCause, STEP_NANOS, STEPS_PER_SECOND, SimTime, VehicleSpec, WorldName, WorldState,
};
use crate::engine::{EngineError, World};

/// The thread looks around at least this often, also while paused.
const IDLE: Duration = Duration::from_millis(20);
/// Entity states are handed out at 50 Hz of simulation time.
const STATE_STEPS: u64 = STEPS_PER_SECOND / 50;
/// The most that one request may advance: 100 simulated seconds.
const MAX_ADVANCE_STEPS: u32 = 20_000;
/// A drive from the topic is forgotten after a simulated second, so that a dead robot stack stops the car.
const DRIVE_STEPS: u64 = STEPS_PER_SECOND;
/// Slower would look like standing still, faster is what 0 is for.
const REAL_TIME_FACTORS: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

pub(super) enum Work {
    Request(Request, oneshot::Sender<Result<WorldState, Refusal>>),
    Drive(DriveTarget),
    Stop,
}

pub(super) struct Outputs {
    pub(super) states: watch::Sender<Arc<WorldState>>,
    pub(super) clock: watch::Sender<SimTime>,
    pub(super) epochs: queue::Sender<EpochStart>,
}

pub(super) struct Owner {
    work: Receiver<Work>,
    outputs: Outputs,
    vitals: Arc<Mutex<Vitals>>,
    ledger: Ledger,
    vehicle: VehicleSpec,
    world: World,
    time: SimTime,
    step: u64,
    revision: u64,
    epoch: Epoch,
    paused: bool,
    pacing: Pacing,
    meter: RtfMeter,
    /// Until which step the drive from the topic holds; nothing for one that a request set.
    drive_until: Option<u64>,
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
        let world = build(&options.world, &options.vehicle, options.seed)?;
        let step = (time.nanos() / STEP_NANOS).unsigned_abs();
        let now = Instant::now();
        let vitals =
            Vitals { world: options.world, sim_time: time, rtf: 0.0, paused: false, step, revision: step, epoch };
        let vitals = Arc::new(Mutex::new(vitals));
        let owner = Self {
            work,
            outputs,
            vitals: vitals.clone(),
            ledger,
            vehicle: options.vehicle,
            world,
            time,
            step,
            revision: step,
            epoch,
            paused: false,
            pacing: Pacing::new(options.real_time_factor, now),
            meter: RtfMeter::new(now),
            drive_until: None,
        };
        Ok((owner, vitals))
    }

    pub(super) fn run(mut self) {
        self.announce_epoch(EpochCause::Restart);
        self.hand_out_state();
        loop {
            let wait = if self.paused { IDLE } else { self.pacing.wait(Instant::now()).min(IDLE) };
            let work = if wait.is_zero() {
                self.work.try_recv().map_err(|err| err == TryRecvError::Disconnected)
            } else {
                self.work.recv_timeout(wait).map_err(|err| err == RecvTimeoutError::Disconnected)
            };
            match work {
                Ok(Work::Request(request, reply)) => {
                    let answer = self.carry_out(request);
                    // The caller may have given up; the change stands.
                    let _ = reply.send(answer);
                }
                Ok(Work::Drive(target)) => self.drive_from_topic(target),
                Ok(Work::Stop) | Err(true) => return,
                Err(false) => {}
            }
            let now = Instant::now();
            if !self.paused && self.pacing.wait(now).is_zero() {
                self.advance();
                self.pacing.stepped(now);
            }
            self.renew_vitals();
        }
    }

    /// One step, and what is due after it.
    fn advance(&mut self) {
        let time = self.time.plus_steps(1);
        self.ledger.cover(time, self.epoch, self.meter.read(Instant::now()));
        if self.drive_until.is_some_and(|until| self.step >= until) {
            self.drive_until = None;
            let kept = DriveTarget { speed_m_s: 0.0, ..self.world.drive() };
            self.set_drive(kept);
        }
        self.world.step();
        self.time = time;
        self.step += 1;
        self.revision += 1;
        self.meter.stepped();
        self.outputs.clock.send_replace(time);
        if self.step.is_multiple_of(STATE_STEPS) {
            self.hand_out_state();
        }
    }

    /// All of the commands, or none and why.
    fn carry_out(&mut self, request: Request) -> Result<WorldState, Refusal> {
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
        let mut loaded = self.check(&request.commands)?;
        for command in &request.commands {
            self.apply(command, &mut loaded)?;
        }
        if !request.commands.is_empty() {
            self.revision += 1;
        }
        for _ in 0..request.advance_steps {
            self.advance();
        }
        if request.advance_steps > 0 {
            self.pacing.restart(Instant::now());
        }
        Ok(self.hand_out_state())
    }

    /// Whether all of the commands can be carried out; answers the worlds that they load, in order.
    fn check(&self, commands: &[Command]) -> Result<VecDeque<World>, Refusal> {
        let mut loaded = VecDeque::new();
        for command in commands {
            match command {
                Command::LoadWorld { world, seed } => {
                    loaded.push_back(build(world, &self.vehicle, *seed).map_err(|err| match err {
                        StartError::NoSuchWorld(_) => Refusal::NotFound(err.to_string()),
                        other => Refusal::Refused(other.to_string()),
                    })?);
                }
                Command::SetPaused(_) => {}
                Command::SetRealTimeFactor(factor) => {
                    if *factor != 0.0 && !REAL_TIME_FACTORS.contains(factor) {
                        let (min, max) = (REAL_TIME_FACTORS.start(), REAL_TIME_FACTORS.end());
                        let message = format!("the real-time factor must be 0 or from {min} to {max}");
                        return Err(Refusal::Refused(message));
                    }
                }
                // Commands behind a change of the world meet the new one.
                other => loaded.back().unwrap_or(&self.world).check(other)?,
            }
        }
        Ok(loaded)
    }

    fn apply(&mut self, command: &Command, loaded: &mut VecDeque<World>) -> Result<(), Refusal> {
        match command {
            Command::LoadWorld { world, .. } => {
                let cause = if world == self.world.name() { EpochCause::Respawn } else { EpochCause::Switch };
                self.world = loaded.pop_front().expect("check loaded a world for each of these commands");
                self.drive_until = None;
                self.begin_epoch(cause);
            }
            Command::SetPaused(paused) => {
                self.paused = *paused;
                self.meter.stop(Instant::now());
                self.pacing.restart(Instant::now());
            }
            Command::SetRealTimeFactor(factor) => self.pacing.set_factor(*factor, Instant::now()),
            Command::Drive(target) => {
                self.world.set_drive(*target)?;
                self.drive_until = None;
            }
            Command::Reset => {
                self.world.reset();
                self.drive_until = None;
                self.begin_epoch(EpochCause::Reset);
            }
            other => self.world.apply(other)?,
        }
        Ok(())
    }

    fn begin_epoch(&mut self, cause: EpochCause) {
        self.epoch = Epoch(self.epoch.0 + 1);
        self.ledger.cover(self.time, self.epoch, self.pacing.factor());
        self.announce_epoch(cause);
    }

    fn announce_epoch(&self, cause: EpochCause) {
        let start = EpochStart { epoch: self.epoch, cause, first_stamp: self.time };
        if self.outputs.epochs.try_send(start).is_err() {
            warn!(epoch = self.epoch.0, "an epoch could not be announced: nobody fetches them");
        }
    }

    fn drive_from_topic(&mut self, target: DriveTarget) {
        self.set_drive(target);
        self.drive_until = Some(self.step + DRIVE_STEPS);
    }

    fn set_drive(&mut self, target: DriveTarget) {
        if let Err(err) = self.world.set_drive(target) {
            warn!(%err, "a drive was refused");
        }
    }

    fn hand_out_state(&self) -> WorldState {
        let state = WorldState {
            step: self.step,
            revision: self.revision,
            stamp: self.time,
            epoch: self.epoch,
            entities: self.world.entities(),
        };
        self.outputs.states.send_replace(Arc::new(state.clone()));
        state
    }

    fn renew_vitals(&mut self) {
        let rtf = if self.paused { 0.0 } else { self.meter.read(Instant::now()) };
        let mut vitals = self.vitals.lock().unwrap_or_else(PoisonError::into_inner);
        if vitals.world != *self.world.name() {
            vitals.world = self.world.name().clone();
        }
        vitals.sim_time = self.time;
        vitals.rtf = rtf;
        vitals.paused = self.paused;
        vitals.step = self.step;
        vitals.revision = self.revision;
        vitals.epoch = self.epoch;
    }
}

fn build(world: &WorldName, vehicle: &VehicleSpec, seed: u64) -> Result<World, StartError> {
    let description = catalogue::describe(world).ok_or_else(|| StartError::NoSuchWorld(world.clone()))?;
    Ok(World::build(&description, vehicle, seed)?)
}

impl From<EngineError> for Refusal {
    fn from(err: EngineError) -> Self {
        match err {
            EngineError::UnknownEntity(_) => Self::NotFound(err.to_string()),
            other => Self::Refused(other.to_string()),
        }
    }
}
