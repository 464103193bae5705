//! What commands do to the simulation as a whole: which are allowed, and how they are carried out between two steps.

use std::collections::VecDeque;
use std::time::Instant;

use crate::backend::simulation::owner::Owner;
use crate::backend::simulation::{Refusal, Request};
use crate::domain::{Command, EpochCause};
use crate::engine::{EngineError, World};

/// Slower would look like standing still, faster is what 0 is for.
const REAL_TIME_FACTORS: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

impl Owner {
    /// Whether all of the commands can be carried out.
    pub(super) fn check(&self, request: &Request, loaded: &VecDeque<World>) -> Result<(), Refusal> {
        let no_world = || Refusal::NotReady("no world is loaded".to_owned());
        let mut loaded = loaded.iter();
        // Commands behind a change of the world meet the new one.
        let mut present = self.world.as_ref();
        for command in &request.commands {
            match command {
                Command::LoadWorld { .. } => present = loaded.next(),
                Command::UnloadWorld => {
                    present.ok_or_else(no_world)?;
                    present = None;
                }
                Command::SetPaused(_) | Command::SetBrightness(_) => {}
                Command::SetLight { light, .. } => {
                    if !present.ok_or_else(no_world)?.has_light(light) {
                        return Err(Refusal::NotFound(format!("no such traffic light: {light}")));
                    }
                }
                Command::SetRealTimeFactor(factor) => {
                    if *factor != 0.0 && !REAL_TIME_FACTORS.contains(factor) {
                        let (min, max) = (REAL_TIME_FACTORS.start(), REAL_TIME_FACTORS.end());
                        let message = format!("the real-time factor must be 0 or from {min} to {max}");
                        return Err(Refusal::Refused(message));
                    }
                }
                other => present.ok_or_else(no_world)?.check(other)?,
            }
        }
        if request.advance_steps > 0 {
            present.ok_or_else(no_world)?;
        }
        Ok(())
    }

    /// Carries out what `check` has allowed.
    pub(super) fn apply(&mut self, command: &Command, loaded: &mut VecDeque<World>) -> Result<(), Refusal> {
        match command {
            Command::LoadWorld { world, .. } => {
                let same = self.world.as_ref().is_some_and(|present| present.name() == world);
                self.world = Some(loaded.pop_front().expect("a world was loaded for each of these commands"));
                self.drive_until = None;
                self.drive_held = false;
                self.announce_world();
                self.begin_epoch(if same { EpochCause::Respawn } else { EpochCause::Switch });
            }
            Command::UnloadWorld => {
                self.world = None;
                self.drive_until = None;
                self.meter.stop(Instant::now());
                self.announce_world();
            }
            Command::SetPaused(paused) => {
                self.paused = *paused;
                self.drive_held = false;
                self.meter.stop(Instant::now());
                self.pacing.restart(Instant::now());
            }
            Command::SetLight { light, state } => self.display.set_light(light, *state),
            Command::SetBrightness(brightness) => self.display.set_brightness(*brightness),
            Command::SetRealTimeFactor(factor) => self.pacing.set_factor(*factor, Instant::now()),
            for_world => {
                let Some(world) = &mut self.world else { return Ok(()) };
                world.apply(for_world)?;
                match for_world {
                    Command::Drive(_) => {
                        self.drive_until = None;
                        self.drive_held = self.paused;
                    }
                    Command::Reset => {
                        self.drive_until = None;
                        self.drive_held = false;
                        self.begin_epoch(EpochCause::Reset);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl From<EngineError> for Refusal {
    fn from(err: EngineError) -> Self {
        match err {
            EngineError::UnknownEntity(_) => Self::NotFound(err.to_string()),
            other => Self::Refused(other.to_string()),
        }
    }
}
