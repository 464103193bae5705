//! What comes from the script's process and from the student's.

use std::time::{Duration, Instant};

use super::{Finished, Session};
use crate::judge::action::Action;
use crate::judge::call::Function;
use crate::judge::machine::Input;
use crate::judge::output::Line;
use crate::judge::process::{Heard, Owner};
use crate::judge::protocol::{self, Answer, Said};
use crate::judge::supervise::Exit;

/// A process whose pipes are closed is about to end, and one that has ended is about to close them; after this it is not.
const PATIENCE: Duration = Duration::from_secs(1);

/// Of the JSON of a recorded value: everybody who follows the session is sent it, and a script may record again and again.
const MAX_RECORD_BYTES: usize = 64 << 10;

/// What is known of the end of the script's process.
#[derive(Debug, Default)]
pub(super) struct Gone {
    closed: Option<Instant>,
    exit: Option<(Exit, Instant)>,
    /// A dump of the stack has begun in which the script's line is still to come.
    dumping: bool,
    /// The line in which the script hangs, if its process could say so.
    pub(super) hung_at: Option<String>,
}

impl Gone {
    /// Why it is over, once that is known.
    pub(super) fn verdict(&self, now: Instant) -> Option<String> {
        let is_late = |since: Instant| now.saturating_duration_since(since) > PATIENCE;
        match (self.closed, &self.exit) {
            (Some(_), Some((exit, _))) => Some(ended(exit)),
            (None, Some((exit, since))) if is_late(*since) => Some(ended(exit)),
            (Some(since), None) if is_late(since) => Some("the script closed its channel to the simulator".to_owned()),
            _ => None,
        }
    }

    /// Looks for the dump that Python writes when it is stuck.
    fn note_line(&mut self, line: &str, script: &str) {
        if line.starts_with("Timeout (") {
            self.dumping = true;
        }
        let named = line.trim_start().strip_prefix(&format!("File \"{script}\", "));
        if let Some(place) = named.filter(|_| self.dumping && self.hung_at.is_none()) {
            self.hung_at = Some(format!("{script}, {place}"));
        }
    }
}

fn ended(exit: &Exit) -> String {
    let how = match exit.code {
        0 => "ended before the run was over".to_owned(),
        code @ 1.. => format!("ended with code {code}"),
        signal => format!("was killed by signal {}", -signal),
    };
    let why = exit.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
    format!("the script's process {how}{why}")
}

impl Session {
    pub(super) fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Line { stream, line } => {
                self.gone.note_line(&line.text, &self.script);
                self.chronicle.line(stream, line);
            }
            Heard::Said(said) => self.said(said),
            Heard::Garbage(text) => self.fail(format!("the script wrote to its channel to the simulator: {text:?}")),
            Heard::Closed => {
                self.gone.closed = Some(Instant::now());
                self.judge_may_be_gone();
            }
            Heard::Exited { owner: Owner::Judge, exit } => {
                self.gone.exit = Some((exit, Instant::now()));
                self.judge_may_be_gone();
            }
            Heard::Exited { owner: Owner::Student(stream), exit } => {
                if let Some(reason) = &exit.reason {
                    self.chronicle.line(stream, Line::of(format!("... (stopped: {reason})").as_bytes()));
                }
                self.chronicle.student_ended(exit.code);
            }
        }
    }

    fn judge_may_be_gone(&mut self) {
        if let Some(reason) = self.gone.verdict(Instant::now()) {
            self.fail(reason);
        }
    }

    fn said(&mut self, said: Said) {
        let function = self.call.as_ref().map(|call| call.function);
        match (said, function) {
            (Said::Act(act), Some(_)) => match Action::parse(act) {
                Ok(action) => self.act(action),
                Err(refusal) => self.answer(Err(refusal)),
            },
            (Said::Record { value }, _) => match value.to_string().len() {
                0..=MAX_RECORD_BYTES => self.chronicle.recorded(value),
                bytes => {
                    self.fail(format!("sim.record: {bytes} bytes of JSON, and at most {MAX_RECORD_BYTES} are kept"))
                }
            },
            (Said::Initialized, Some(Function::Initialize)) => self.initialized(),
            (Said::Evaluated, Some(Function::Evaluate)) => {
                self.call = None;
                self.observe();
            }
            (Said::Finish, _) => self.input(Input::Finish),
            (Said::Failed { reason, traceback }, _) => {
                self.chronicle.say(&traceback);
                self.fail(reason);
            }
            // A thread of the script's own may speak at any time; what it asks for between two calls cannot be done.
            (Said::Act(_), None) => {
                self.answer(Err("actions are possible while initialize or evaluate runs".to_owned()))
            }
            (Said::Initialized | Said::Evaluated | Said::Log { .. }, _) => {
                self.fail("the script wrote to its channel to the simulator");
            }
        }
    }

    fn act(&mut self, action: Action) {
        if let (Action::Pause(paused), Some(lockstep)) = (&action, &mut self.lockstep) {
            let paused = *paused;
            lockstep.held = paused;
            self.note_paused(paused);
            return self.answer(Ok(()));
        }
        if let Some(call) = &mut self.call {
            call.wait(Instant::now());
        }
        self.acting = Some(action.clone());
        let bridge = self.around.bridge.clone();
        self.work.push(Box::pin(async move { Finished::Acted(action.carry_out(&bridge).await) }));
    }

    /// The script goes on.
    pub(super) fn answer(&mut self, result: Result<(), String>) {
        self.acting = None;
        if let Some(call) = &mut self.call {
            call.go_on(Instant::now());
        }
        if let Some(judge) = &self.judge {
            judge.say(protocol::line(&Answer { error: result.err() }));
        }
    }
}
