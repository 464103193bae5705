//! The session as a page sees it that is opened in the middle of a run.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::domain::{Outcome, Phase, StudentRun};
use crate::record::LogLine;

/// How many of the newest lines are shown.
const TAIL: usize = 200;

/// The running session, or the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionView {
    pub session_id: String,
    pub world: String,
    pub phase: Phase,
    pub command: Option<String>,
    pub time_limit_s: f64,
    pub elapsed_s: f64,
    pub record: Value,
    pub better: String,
    pub student: StudentRun,
    /// The newest lines, oldest first.
    pub log: VecDeque<LogLine>,
    pub outcome: Option<Outcome>,
    pub reason: Option<String>,
    pub started_at: String,
    /// The simulator waits for the script after every observation.
    pub lockstep: bool,
}

impl SessionView {
    pub fn is_active(&self) -> bool {
        self.phase != Phase::Ended
    }

    pub(super) fn add_line(&mut self, line: LogLine) {
        if self.log.len() == TAIL {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }
}

/// Where the session writes and everybody reads; never locked for longer than a copy takes.
#[derive(Debug, Clone, Default)]
pub struct Board(Arc<Mutex<Option<SessionView>>>);

impl Board {
    /// None before the first session.
    pub fn view(&self) -> Option<SessionView> {
        self.lock().clone()
    }

    pub fn is_active(&self) -> bool {
        self.lock().as_ref().is_some_and(SessionView::is_active)
    }

    /// Whether a session runs in which the simulator waits for the script.
    pub fn is_lockstep(&self) -> bool {
        self.lock().as_ref().is_some_and(|view| view.is_active() && view.lockstep)
    }

    pub(super) fn show(&self, view: SessionView) {
        *self.lock() = Some(view);
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut SessionView)) {
        if let Some(view) = &mut *self.lock() {
            change(view);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<SessionView>> {
        // A view is complete at any time, whoever panicked beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
