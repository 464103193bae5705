//! What an install tells those who watch it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use super::InstallError;
use crate::worlds::id::WorldId;

/// More often than this nobody can read it.
const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallPhase {
    Download,
    Check,
    Done,
    Failed,
}

impl InstallPhase {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Download => "download",
            Self::Check => "check",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallProgress {
    pub world_id: WorldId,
    pub phase: InstallPhase,
    /// Downloaded so far.
    pub bytes: u64,
    /// None when the server did not say.
    pub total: Option<u64>,
    pub error: Option<String>,
}

/// Counts one install's bytes and passes them on.
#[derive(Debug)]
pub(super) struct Reporter {
    world_id: WorldId,
    sender: broadcast::Sender<InstallProgress>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    bytes: u64,
    total: Option<u64>,
    last_sent: Option<Instant>,
}

impl Reporter {
    pub fn new(world_id: WorldId, sender: broadcast::Sender<InstallProgress>) -> Self {
        Self { world_id, sender, state: Mutex::default() }
    }

    pub fn start(&self, total: Option<u64>) {
        self.send(InstallPhase::Download, None, |state| state.total = total);
    }

    pub fn received(&self, count: u64) {
        let is_due = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.bytes += count;
            state.last_sent.is_none_or(|last| last.elapsed() >= INTERVAL)
        };
        if is_due {
            self.send(InstallPhase::Download, None, |_| ());
        }
    }

    pub fn check(&self) {
        self.send(InstallPhase::Check, None, |_| ());
    }

    pub fn end<T>(&self, result: &Result<T, InstallError>) {
        match result {
            Ok(_) => self.send(InstallPhase::Done, None, |_| ()),
            Err(err) => self.send(InstallPhase::Failed, Some(err.to_string()), |_| ()),
        }
    }

    fn send(&self, phase: InstallPhase, error: Option<String>, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        state.last_sent = Some(Instant::now());
        // A hint may be wrong; more than all would look absurd.
        let total = state.total.map(|total| total.max(state.bytes));
        let progress = InstallProgress { world_id: self.world_id.clone(), phase, bytes: state.bytes, total, error };
        // Nobody has to listen.
        let _ = self.sender.send(progress);
    }
}
