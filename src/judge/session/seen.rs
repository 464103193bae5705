//! What comes from the simulator, and what the script is shown of it.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::{Finished, Session};
use crate::bridge::{Applied, BridgeError, Done};
use crate::domain::{EpochCause, Phase, SimTime, Snapshot};
use crate::judge::call::{Call, Function};
use crate::judge::machine::Input;
use crate::judge::protocol::{self, Observation};
use crate::record::RecordedCommand;

impl Session {
    /// A new state of the simulator.
    pub(super) fn see(&mut self, snapshot: &Arc<Snapshot>) {
        self.chronicle.taping.state(snapshot);
        if self.machine.phase() > Phase::Starting {
            self.look_for_another_world(snapshot);
        }
        self.witness.note(snapshot);
        // In lockstep only the states that were asked for count.
        if self.lockstep.is_none() {
            self.note_paused(snapshot.paused());
            self.pass_time(snapshot);
            self.observe();
        }
    }

    /// Resets belong to a run; another world, or the same one loaded anew, ends it.
    fn look_for_another_world(&mut self, snapshot: &Snapshot) {
        if let Some(world) = snapshot.world.as_ref().filter(|world| **world != self.plan.world.name) {
            return self.fail(format!("the world was switched to {world} during the run"));
        }
        let Some((epoch, cause)) = snapshot.began.filter(|(epoch, _)| *epoch > self.epoch) else { return };
        self.epoch = epoch;
        match cause {
            EpochCause::Reset => self.chronicle.event("reset", json!({"epoch": epoch.0})),
            EpochCause::Respawn => self.fail("the world was respawned during the run"),
            EpochCause::Switch => self.fail("the world was switched during the run"),
            EpochCause::Restart => self.fail("the simulator was restarted during the run"),
        }
    }

    pub(super) fn note_paused(&mut self, paused: bool) {
        if std::mem::replace(&mut self.paused, paused) != paused {
            self.chronicle.event(if paused { "paused" } else { "resumed" }, Value::Null);
        }
    }

    fn pass_time(&mut self, snapshot: &Snapshot) {
        self.time = time(snapshot);
        self.clock(snapshot.simulator_alive);
        if self.shown.is_some() {
            self.chronicle.follow(snapshot, self.machine.elapsed_s());
        }
    }

    /// Shows the script the newest state, if it is ready for one and there is one.
    pub(super) fn observe(&mut self) {
        if self.ending.is_some() || !self.launched || self.call.is_some() {
            return;
        }
        let Some(lockstep) = self.lockstep.as_mut().filter(|_| self.shown.is_some()) else {
            let snapshot = self.around.bridge.snapshot();
            if self.shown.is_none_or(|shown| snapshot.seq > shown) {
                self.show(&snapshot);
            }
            return;
        };
        if let Some(advance) = lockstep.next(Instant::now()) {
            let bridge = self.around.bridge.clone();
            self.work.push(Box::pin(async move {
                tokio::time::sleep(advance.wait).await;
                Finished::Advanced(bridge.step(advance.steps, advance.drive).await)
            }));
        }
    }

    /// In lockstep: time has gone on.
    pub(super) fn advanced(&mut self, result: Result<Done, BridgeError>) {
        match result {
            Ok(done) => {
                if let Some(lockstep) = &mut self.lockstep {
                    lockstep.advanced(&done);
                }
                self.chronicle.taping.state(&done.snapshot);
                self.pass_time(&done.snapshot);
                if self.ending.is_none() {
                    self.show(&done.snapshot);
                }
            }
            Err(err) => self.fail(format!("the simulation could not be advanced: {err}")),
        }
    }

    fn show(&mut self, snapshot: &Snapshot) {
        self.time = time(snapshot);
        self.input(Input::Observed(self.time));
        if self.shown.is_none() {
            self.chronicle.started(snapshot, self.time);
            self.chronicle.follow(snapshot, 0.0);
        }
        self.shown = Some(snapshot.seq);
        let paused = self.is_paused(snapshot);
        let state = self.witness.observation(snapshot, paused, self.chronicle.student);
        self.call = Some(Call::begin(Function::Evaluate, Instant::now()));
        if let Some(judge) = &self.judge {
            judge.say(protocol::line(&Observation { state: &state }));
        }
    }

    pub(super) fn is_paused(&self, snapshot: &Snapshot) -> bool {
        self.lockstep.as_ref().map_or(snapshot.paused(), |lockstep| lockstep.held)
    }

    /// The simulator has carried something out, for the script or for somebody else.
    pub(super) fn note_applied(&mut self, applied: &Applied) {
        self.chronicle.applied(applied);
        if self.machine.phase() == Phase::Starting {
            return;
        }
        let snapshot = self.around.bridge.snapshot();
        for command in &applied.commands {
            let is_own = self.acting.as_ref().is_some_and(|action| action.explains(command, &snapshot));
            let moves = matches!(
                RecordedCommand::of(command),
                Some(
                    RecordedCommand::SetPose { .. }
                        | RecordedCommand::MoveOver { .. }
                        | RecordedCommand::FollowPath { .. }
                )
            );
            if moves && !is_own {
                let about = RecordedCommand::of(command).and_then(|command| serde_json::to_value(command).ok());
                self.chronicle.event("moved", about.unwrap_or_default());
            }
        }
    }
}

fn time(snapshot: &Snapshot) -> SimTime {
    snapshot.clock.map_or(SimTime::ZERO, |clock| clock.sim_time)
}
