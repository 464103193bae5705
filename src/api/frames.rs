//! State frames: a snapshot becomes bytes once, and everybody who asks for it shares them.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use crate::api::wire::StateResponse;
use crate::bridge::BridgeHandle;
use crate::domain::Snapshot;

const EVENT_START: &[u8] = b"event: state\ndata: ";
const EVENT_END: &[u8] = b"\n\n";

/// One state in its wire forms, which are the same bytes in memory.
#[derive(Debug)]
pub struct Frame {
    /// Kept so that its address cannot be reused for another snapshot while this frame is the cached one.
    snapshot: Arc<Snapshot>,
    /// Grows with every frame whose bytes differ from the one before.
    number: u64,
    event: Bytes,
}

impl Frame {
    fn of(snapshot: Arc<Snapshot>, previous: Option<&Self>) -> Self {
        let mut bytes = EVENT_START.to_vec();
        bytes.reserve(previous.map_or(1024, |frame| frame.event.len()));
        serde_json::to_writer(&mut bytes, &StateResponse::of(&snapshot))
            .expect("wire structs have text keys, and memory takes every write");
        bytes.extend_from_slice(EVENT_END);
        match previous {
            Some(frame) if frame.event == bytes => Self { snapshot, number: frame.number, event: frame.event.clone() },
            _ => Self { snapshot, number: previous.map_or(1, |frame| frame.number + 1), event: bytes.into() },
        }
    }

    /// Two frames with the same number say the same; of two others the larger one is newer.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The body of `GET /state`.
    pub fn json(&self) -> Bytes {
        self.event.slice(EVENT_START.len()..self.event.len() - EVENT_END.len())
    }

    /// The `state` event, ready to send.
    pub fn event(&self) -> Bytes {
        self.event.clone()
    }
}

/// The newest frame, made when somebody asks for it.
#[derive(Debug)]
pub struct Frames {
    bridge: BridgeHandle,
    cached: Mutex<Option<Arc<Frame>>>,
}

impl Frames {
    pub fn new(bridge: BridgeHandle) -> Self {
        Self { bridge, cached: Mutex::new(None) }
    }

    /// The frame of the snapshot that is newest now.
    ///
    /// The snapshot is looked up under the lock, so that frames are made in the order of their snapshots, and it is
    /// serialised under the lock, so that callers who come at the same time wait for one frame instead of making many.
    pub fn newest(&self) -> Arc<Frame> {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = self.bridge.snapshot();
        match &*cached {
            Some(frame) if Arc::ptr_eq(&frame.snapshot, &snapshot) => frame.clone(),
            previous => {
                let frame = Arc::new(Frame::of(snapshot, previous.as_deref()));
                *cached = Some(frame.clone());
                frame
            }
        }
    }
}
