//! One call of a function of the script, and whether it takes too long.
//!
//! The harness watches its own calls and can say where they hang. This is the second watch, for a harness that cannot speak
//! because the script keeps the interpreter to itself.

use std::time::{Duration, Instant};

/// How long `evaluate` may take.
pub const EVALUATE: Duration = Duration::from_secs(2);
/// How long loading the script and `initialize` may take.
const INITIALIZE: Duration = Duration::from_secs(30);
/// The harness gets this much longer to say by itself what happened.
const GRACE: Duration = Duration::from_millis(1500);
/// Time in which the script waits for the simulator is not its own, but not for ever.
const MOST_WAITED: Duration = Duration::from_secs(8);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Initialize,
    Evaluate,
}

impl Function {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Evaluate => "evaluate",
        }
    }

    pub const fn limit(self) -> Duration {
        match self {
            Self::Initialize => INITIALIZE,
            Self::Evaluate => EVALUATE,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Call {
    pub function: Function,
    began: Instant,
    waited: Duration,
    waiting_since: Option<Instant>,
}

impl Call {
    pub fn begin(function: Function, now: Instant) -> Self {
        Self { function, began: now, waited: Duration::ZERO, waiting_since: None }
    }

    /// The script has asked for something and waits.
    pub fn wait(&mut self, now: Instant) {
        self.waiting_since = Some(now);
    }

    /// It has its answer.
    pub fn go_on(&mut self, now: Instant) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += now.saturating_duration_since(since);
        }
    }

    pub fn is_overdue(&self, now: Instant) -> bool {
        let waiting = self.waiting_since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        let spared = (self.waited + waiting).min(MOST_WAITED);
        now.saturating_duration_since(self.began) > self.function.limit() + spared + GRACE
    }
}
