//! What happens during a session, for everybody who wants to follow it live.

use serde_json::Value;

use crate::domain::{Outcome, Phase};
use crate::judge::output::Line;
use crate::judge::view::SessionView;

/// How far somebody who follows may be behind before the oldest are lost: a second of both streams of a student's program and of the
/// script, each at its full allowance.
pub const NEWS_QUEUE: usize = 4096;

/// One thing that happened.
#[derive(Debug, Clone)]
pub enum News {
    Run(RunNews),
    Evaluation {
        session_id: String,
        /// Simulated seconds since the first observation.
        t: f64,
        news: EvaluationNews,
    },
}

/// About the student's program.
#[derive(Debug, Clone)]
pub enum RunNews {
    Start { command: String },
    Log { stream: Stream, line: Line },
    Exit { exit_code: i32 },
}

/// About the session.
#[derive(Debug, Clone)]
pub enum EvaluationNews {
    Start(Box<SessionView>),
    Phase(Phase),
    Record(Value),
    Log(String),
    End { outcome: Outcome, record: Value, reason: Option<String> },
}

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Script,
    Stdout,
    Stderr,
}

impl Stream {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}
