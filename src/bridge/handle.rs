//! What the rest of the node holds of the bridge: the newest snapshot, and a way to ask for changes.

use std::sync::Arc;

use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

use crate::domain::{Epoch, Pose, PoseChange, SimTime, Snapshot};

/// How many changes may wait for the owner. It takes them up every few milliseconds, so more than this means that it is
/// stuck, and the next caller is better told so than kept waiting.
const WRITE_QUEUE: usize = 64;

/// Both ends of the bridge: what everybody holds, and what the one task that owns the live state holds.
pub fn channel(initial: Snapshot) -> (BridgeHandle, OwnerEnd) {
    let (snapshots, newest) = watch::channel(Arc::new(initial));
    let (sender, writes) = mpsc::channel(WRITE_QUEUE);
    (BridgeHandle::new(newest, sender), OwnerEnd { snapshots, writes })
}

/// Why a change was not made. Nothing has changed then, unless the variant says otherwise.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BridgeError {
    #[error("world not ready")]
    NotReady,
    #[error("simulator not running")]
    SimulatorNotRunning,
    /// The simulator took too long; the change may or may not be in effect.
    #[error("simulator not running: no answer in time")]
    NoAnswer,
    #[error("too many changes are waiting for the simulator")]
    Busy,
    #[error("{0}")]
    Refused(String),
    #[error("no such model: {0}")]
    NoSuchModel(String),
}

/// The vehicle stands where it was asked to stand.
#[derive(Debug, Clone, PartialEq)]
pub struct VehiclePlaced {
    pub pose: Pose,
    pub stamp: SimTime,
    pub seq: u64,
    pub epoch: Epoch,
}

/// A change on its way to the task that owns the live state.
#[derive(Debug)]
pub enum Write {
    PlaceVehicle { change: PoseChange, reply: oneshot::Sender<Result<VehiclePlaced, BridgeError>> },
}

/// Refers to the bridge; cheap to clone.
#[derive(Debug, Clone)]
pub struct BridgeHandle {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    writes: mpsc::Sender<Write>,
}

impl BridgeHandle {
    fn new(snapshots: watch::Receiver<Arc<Snapshot>>, writes: mpsc::Sender<Write>) -> Self {
        Self { snapshots, writes }
    }

    /// The newest state, at once.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// To be told of newer ones.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// Teleports the vehicle and stands it upright; answers when the served snapshot shows it.
    pub async fn place_vehicle(&self, change: PoseChange) -> Result<VehiclePlaced, BridgeError> {
        let (reply, answer) = oneshot::channel();
        self.writes.try_send(Write::PlaceVehicle { change, reply }).map_err(|err| match err {
            mpsc::error::TrySendError::Full(_) => BridgeError::Busy,
            mpsc::error::TrySendError::Closed(_) => BridgeError::SimulatorNotRunning,
        })?;
        answer.await.unwrap_or(Err(BridgeError::SimulatorNotRunning))
    }
}

/// The owner's end: it alone publishes snapshots and takes up changes.
#[derive(Debug)]
pub struct OwnerEnd {
    snapshots: watch::Sender<Arc<Snapshot>>,
    writes: mpsc::Receiver<Write>,
}

impl OwnerEnd {
    /// Replaces the served state as a whole.
    pub fn publish(&self, snapshot: Snapshot) {
        self.snapshots.send_replace(Arc::new(snapshot));
    }

    /// The next change that somebody asks for, in the order of asking; None when no handle is left.
    pub async fn next_write(&mut self) -> Option<Write> {
        self.writes.recv().await
    }
}
