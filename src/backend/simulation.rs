//! The one thread that owns the world: it carries out requests between steps, steps on time, and hands out what it sees.
//!
//! It never publishes, renders or does IO; only in lockstep it waits for the camera. What it hands out replaces what was not fetched yet, except answers, epochs and contacts,
//! which wait in bounded queues. Worlds are built by a thread beside it and swapped in between two steps; until then the old one goes
//! on.

mod display;
mod drives;
mod frames;
mod loading;
mod observe;
mod owner;

pub use display::Shown;
pub use drives::DriveLog;
pub use frames::Frames;
pub use observe::{Newest, Observations, Shot, Stamped, Touch};

use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use thiserror::Error;
use tokio::sync::{mpsc as queue, oneshot, watch};

use crate::backend::catalogue::{SourceError, WorldSource};
use crate::backend::ledger::Ledger;
use crate::backend::simulation::observe::Observer;
use crate::backend::simulation::owner::{Outputs, Owner, Work};
use crate::domain::{Command, DriveTarget, Epoch, EpochCause, Pose, SimTime, VehicleSpec, WorldName, WorldState};
use crate::engine::{EngineError, ModelInfo};

/// Requests that may wait for the thread; more than all clients together send in the time of a step.
const INBOX: usize = 256;
/// The inbox is emptied at least once per step.
const INBOX_PAUSE: Duration = Duration::from_millis(5);
/// Epochs that may wait to be published; each is the answer to a request, so there cannot be many.
const EPOCHS: usize = 64;

/// How the simulation starts.
#[derive(Debug, Clone)]
pub struct SimulationOptions {
    /// Loaded at the start.
    pub world: WorldName,
    /// Loaded in its place when that cannot be.
    pub otherwise: Option<WorldName>,
    /// What can be loaded.
    pub worlds: Arc<dyn WorldSource>,
    pub vehicle: VehicleSpec,
    pub seed: u64,
    pub real_time_factor: f64,
}

/// What is asked of the thread.
#[derive(Debug)]
pub struct Request {
    /// 0 = any.
    pub expected_epoch: Epoch,
    /// Not to be carried out after this.
    pub deadline: Option<SystemTime>,
    pub commands: Vec<Command>,
    pub advance_steps: u32,
}

/// Why a request changed nothing.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Refusal {
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    NotFound(String),
    #[error("the epoch is {present:?}, not the expected one")]
    WrongEpoch { present: Epoch },
    #[error("the request is past its deadline")]
    TooLate,
    #[error("{0}")]
    NotReady(String),
    #[error("too many requests are waiting for the simulator")]
    Busy,
    #[error("the simulation has ended")]
    Ended,
}

/// An epoch that has begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochStart {
    pub epoch: Epoch,
    pub cause: EpochCause,
    pub first_stamp: SimTime,
}

/// How the simulation is doing; renewed on every turn of the thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Vitals {
    /// Nothing after it was unloaded.
    pub world: Option<WorldName>,
    /// A world is being built; an old one goes on meanwhile.
    pub loading: bool,
    pub sim_time: SimTime,
    pub rtf: f64,
    pub paused: bool,
    pub step: u64,
    pub revision: u64,
    pub epoch: Epoch,
}

/// What does not change about a loaded world.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedWorld {
    pub name: WorldName,
    /// In the order of the world file, the vehicle last.
    pub models: Vec<ModelInfo>,
    /// Where the vehicle starts.
    pub start: Pose,
}

/// Refers to the running simulation; cheap to clone.
#[derive(Clone)]
pub struct SimulationHandle {
    inbox: SyncSender<Work>,
    vitals: Arc<Mutex<Vitals>>,
    states: watch::Receiver<Arc<WorldState>>,
    clock: watch::Receiver<SimTime>,
    loaded: watch::Receiver<Option<Arc<LoadedWorld>>>,
    drives: DriveLog,
}

/// Owns the thread and joins it.
pub struct Simulation {
    handle: SimulationHandle,
    epochs: Option<queue::Receiver<EpochStart>>,
    observations: Option<Observations>,
    thread: Option<JoinHandle<()>>,
}

impl Simulation {
    /// Builds the world and starts to step it.
    pub fn start(options: SimulationOptions, ledger: Ledger, time: SimTime, epoch: Epoch) -> Result<Self, StartError> {
        let (inbox, work) = mpsc::sync_channel(INBOX);
        let (epoch_sender, epochs) = queue::channel(EPOCHS);
        let states = watch::Sender::new(Arc::new(WorldState::default()));
        let clock = watch::Sender::new(time);
        let (states_receiver, clock_receiver) = (states.subscribe(), clock.subscribe());
        let loaded = watch::Sender::new(None);
        let loaded_receiver = loaded.subscribe();
        let (observer, observations) = Observer::new();
        let drives = DriveLog::default();
        let outputs = Outputs { states, clock, loaded, epochs: epoch_sender, observer, drives: drives.clone() };
        let (owner, vitals) = Owner::new(options, work, outputs, ledger, time, epoch)?;
        let thread = std::thread::Builder::new().name("physics".into()).spawn(move || owner.run())?;
        let (states, clock, loaded) = (states_receiver, clock_receiver, loaded_receiver);
        let handle = SimulationHandle { inbox, vitals, states, clock, loaded, drives };
        Ok(Self { handle, epochs: Some(epochs), observations: Some(observations), thread: Some(thread) })
    }

    pub fn handle(&self) -> SimulationHandle {
        self.handle.clone()
    }

    /// The epochs as they begin, the first one included; to be taken once.
    pub fn take_epochs(&mut self) -> Option<queue::Receiver<EpochStart>> {
        self.epochs.take()
    }

    /// What the sensors see and what the vehicle touches; to be taken once.
    pub fn take_observations(&mut self) -> Option<Observations> {
        self.observations.take()
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // A full inbox is emptied within a step, so this waits no longer than that.
        let _ = self.handle.inbox.send(Work::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic was reported where it happened.
            let _ = thread.join();
        }
    }
}

#[derive(Debug, Error)]
pub enum StartError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the world cannot be built: {0}")]
    World(#[from] EngineError),
    #[error("no thread for the simulation: {0}")]
    Thread(#[from] std::io::Error),
}

impl SimulationHandle {
    /// Carries a request out between two steps; answers after the last step it advanced.
    pub async fn apply(&self, request: Request) -> Result<WorldState, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.inbox.try_send(Work::Request(request, reply)).map_err(|err| match err {
            TrySendError::Full(_) => Refusal::Busy,
            TrySendError::Disconnected(_) => Refusal::Ended,
        })?;
        answer.await.unwrap_or(Err(Refusal::Ended))
    }

    /// A drive from the topic: forgotten after a second of simulation time, unless it is renewed.
    pub fn drive(&self, target: DriveTarget) {
        // When the inbox is full, the next drive comes in 20 ms.
        let _ = self.inbox.try_send(Work::Drive(target));
    }

    /// The drives that were taken from the topic.
    pub fn drives(&self) -> &DriveLog {
        &self.drives
    }

    /// What the node's topics say about lights or brightness; in effect from one of the next steps on.
    pub async fn show(&self, shown: Shown) {
        let mut work = Work::Show(shown);
        // Unlike a drive it is said only once, so a full inbox is waited for.
        while let Err(TrySendError::Full(same)) = self.inbox.try_send(work) {
            work = same;
            tokio::time::sleep(INBOX_PAUSE).await;
        }
    }

    pub fn vitals(&self) -> Vitals {
        self.vitals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The newest state; ends when the simulation does.
    pub fn states(&self) -> watch::Receiver<Arc<WorldState>> {
        self.states.clone()
    }

    /// The newest step's time.
    pub fn clock(&self) -> watch::Receiver<SimTime> {
        self.clock.clone()
    }

    /// The world that is loaded, if one is.
    pub fn loaded(&self) -> Option<Arc<LoadedWorld>> {
        self.loaded.borrow().clone()
    }
}
