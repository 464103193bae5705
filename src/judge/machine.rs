//! How a session goes from phase to phase: plain values in, plain values out.
//!
//! Every session ends exactly once, and nothing that happens afterwards changes how. The limit is simulation time since the first
//! observation; a paused session waits. Nothing here reads a clock.

use std::time::Duration;

use crate::domain::{Outcome, Phase, SimTime};

/// An unpaused simulation that stands still for this much wall time, if nothing else is said, has died in a way that nobody noticed.
pub const STANDS_STILL: Duration = Duration::from_secs(60);
/// A simulator that is silent for this much wall time is dead; shorter silences are those of a busy machine.
pub const SILENT: Duration = Duration::from_secs(2);

/// How a session ended, and why, in words for whoever wrote the script or the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub outcome: Outcome,
    pub reason: Option<String>,
}

/// Something that a session has to react to.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Car and world are ready for the script.
    Prepared,
    /// `initialize` has returned.
    Initialized,
    /// The script is about to be shown the state of this time.
    Observed(SimTime),
    /// The script says that the run is over.
    Finish,
    /// The script, its process or the simulator cannot go on.
    Failed(String),
    /// Somebody wants it to end.
    Stop(Option<String>),
    /// What is known of the simulator; `wall` is the time since the session began.
    Clock { sim_time: SimTime, paused: bool, alive: bool, wall: Duration },
}

/// What follows from an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Nothing,
    Enter(Phase),
    End(Ending),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    phase: Phase,
    time_limit_s: f64,
    stands_still: Duration,
    first: Option<SimTime>,
    newest: Option<SimTime>,
    /// Wall time at which simulation time last went on, or was allowed to stand.
    moved: Duration,
    heard: Duration,
}

impl Machine {
    pub fn new(time_limit_s: f64) -> Self {
        Self {
            phase: Phase::Starting,
            time_limit_s,
            stands_still: STANDS_STILL,
            first: None,
            newest: None,
            moved: Duration::ZERO,
            heard: Duration::ZERO,
        }
    }

    /// With so much patience for a simulation that stands still.
    pub fn patient(self, stands_still: Duration) -> Self {
        Self { stands_still, ..self }
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Simulated seconds since the first observation.
    pub fn elapsed_s(&self) -> f64 {
        let since = |first| self.newest.map_or(0.0, |newest| newest.secs_since(first));
        self.first.map_or(0.0, since).max(0.0)
    }

    pub fn on(&mut self, input: Input) -> Verdict {
        match (self.phase, input) {
            (Phase::Ended, _) => Verdict::Nothing,
            (_, Input::Stop(reason)) => self.end(Outcome::Stopped, reason),
            (_, Input::Failed(reason)) => self.end(Outcome::ScriptError, Some(reason)),
            (phase, Input::Clock { sim_time, paused, alive, wall }) => self.clock(phase, sim_time, paused, alive, wall),
            (Phase::Starting, Input::Prepared) => self.enter(Phase::Initializing),
            (Phase::Initializing, Input::Initialized) => self.enter(Phase::Running),
            (Phase::Running, Input::Observed(time)) => {
                self.first.get_or_insert(time);
                self.newest = Some(self.newest.map_or(time, |newest| newest.max(time)));
                Verdict::Nothing
            }
            (Phase::Running, Input::Finish) => self.end(Outcome::Finished, None),
            (_, Input::Prepared | Input::Initialized | Input::Observed(_) | Input::Finish) => {
                self.end(Outcome::ScriptError, Some("the script's process said something out of turn".to_owned()))
            }
        }
    }

    fn clock(&mut self, phase: Phase, sim_time: SimTime, paused: bool, alive: bool, wall: Duration) -> Verdict {
        if alive {
            self.heard = wall;
        } else if wall.saturating_sub(self.heard) > SILENT {
            return self.end(Outcome::ScriptError, Some("the simulator died during the run".to_owned()));
        }
        let went_on = self.newest.is_none_or(|newest| sim_time > newest);
        // A dead simulator stands still as well, but that has a reason of its own.
        if went_on || paused || !alive {
            self.moved = wall;
        }
        self.newest = Some(self.newest.map_or(sim_time, |newest| newest.max(sim_time)));
        if phase != Phase::Running {
            return Verdict::Nothing;
        }
        if self.first.is_some() && self.elapsed_s() > self.time_limit_s {
            let reason = format!("the time limit of {} s is over", self.time_limit_s);
            return self.end(Outcome::Timeout, Some(reason));
        }
        if wall.saturating_sub(self.moved) >= self.stands_still {
            let reason = format!("the simulation stood still for {} s", self.stands_still.as_secs());
            return self.end(Outcome::ScriptError, Some(reason));
        }
        Verdict::Nothing
    }

    fn enter(&mut self, phase: Phase) -> Verdict {
        self.phase = phase;
        Verdict::Enter(phase)
    }

    fn end(&mut self, outcome: Outcome, reason: Option<String>) -> Verdict {
        self.phase = Phase::Ended;
        Verdict::End(Ending { outcome, reason })
    }
}
