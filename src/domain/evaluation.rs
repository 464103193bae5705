//! How an evaluation is going, in the few words that everybody is shown.

use std::sync::Arc;

/// How far a session has come; it only ever goes forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Phase {
    #[default]
    Starting,
    Initializing,
    Running,
    Ended,
}

impl Phase {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Initializing => "initializing",
            Self::Running => "running",
            Self::Ended => "ended",
        }
    }
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The script said so.
    Finished,
    /// Disqualified: it is never ranked.
    Timeout,
    ScriptError,
    Stopped,
    /// For another vehicle or another version of this program; nothing was launched.
    Unsupported,
}

impl Outcome {
    pub const ALL: [Self; 5] = [Self::Finished, Self::Timeout, Self::ScriptError, Self::Stopped, Self::Unsupported];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Timeout => "timeout",
            Self::ScriptError => "script_error",
            Self::Stopped => "stopped",
            Self::Unsupported => "unsupported",
        }
    }

    /// The outcome of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == name)
    }
}

/// The student's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StudentRun {
    pub running: bool,
    /// Of the last one that ended; negative is the signal that killed it.
    pub exit_code: Option<i32>,
}

/// The session that runs, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvaluationSummary {
    pub session_id: String,
    pub phase: Phase,
    pub outcome: Option<Outcome>,
    /// What was recorded last, as the text of a JSON value.
    pub record: Option<Arc<str>>,
}

impl EvaluationSummary {
    pub fn is_active(&self) -> bool {
        self.phase != Phase::Ended
    }
}
