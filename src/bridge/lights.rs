//! The traffic lights as a state machine: plain values in, plain values out.
//!
//! Green becomes red over three seconds of yellow, during which every command is refused; red becomes green at once. The
//! seconds are simulation time, so a paused light waits. Lights belong to a world: another one starts with green lights, the
//! same one loaded again keeps them. Nothing here reads a clock or tells anybody.

use std::collections::BTreeMap;
use std::time::Duration;

use thiserror::Error;

use crate::domain::{Epoch, EpochCause, LightCommand, LightState, ModelName, SimTime, WorldName};

/// How long a light shows yellow on its way to red.
pub const YELLOW: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LightError {
    #[error("no such traffic light: {0}")]
    NoSuchLight(String),
    #[error("yellow transition in progress")]
    YellowInProgress,
}

/// The lights of one world, and all that must outlive the node to go on with them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lights {
    world: Option<WorldName>,
    /// The newest epoch whose beginning these states account for.
    settled: Epoch,
    states: BTreeMap<ModelName, LightState>,
}

impl Lights {
    /// Goes on with states from before.
    pub fn restored(world: WorldName, settled: Epoch, states: BTreeMap<ModelName, LightState>) -> Self {
        Self { world: Some(world), settled, states }
    }

    pub fn world(&self) -> Option<&WorldName> {
        self.world.as_ref()
    }

    pub fn settled(&self) -> Epoch {
        self.settled
    }

    /// By name.
    pub fn states(&self) -> &BTreeMap<ModelName, LightState> {
        &self.states
    }

    /// The world has these lights. In the same world, those that were there before keep their states.
    pub fn enter(&mut self, world: &WorldName, names: impl IntoIterator<Item = ModelName>) {
        let is_same = self.world.as_ref() == Some(world);
        let old = std::mem::take(&mut self.states);
        let state_of = |name: &ModelName| old.get(name).copied().filter(|_| is_same).unwrap_or_default();
        self.states = names.into_iter().map(|name| (name.clone(), state_of(&name))).collect();
        self.world = Some(world.clone());
    }

    /// Refuses every command during yellow, also the one that led to it.
    pub fn command(&mut self, name: &str, command: LightCommand, now: SimTime) -> Result<(), LightError> {
        self.advance(now);
        let found = self.states.iter_mut().find(|(known, _)| known.as_str() == name);
        let (_, state) = found.ok_or_else(|| LightError::NoSuchLight(name.to_owned()))?;
        *state = match (*state, command) {
            (LightState::Yellow { .. }, _) => return Err(LightError::YellowInProgress),
            (LightState::Green, LightCommand::Red) => LightState::Yellow { red_at: now.plus(YELLOW) },
            (LightState::Red, LightCommand::Red) => LightState::Red,
            (_, LightCommand::Green) => LightState::Green,
        };
        Ok(())
    }

    /// What is so now accounts for this epoch: its beginning, if it is heard of later, changes nothing.
    pub fn settle(&mut self, epoch: Epoch) {
        self.settled = self.settled.max(epoch);
    }

    /// Yellow lights whose time has come turn red.
    pub fn advance(&mut self, now: SimTime) {
        for state in self.states.values_mut() {
            *state = state.at(now);
        }
    }

    /// The world was set anew. Each epoch counts once, however often and in whichever way its beginning is heard of.
    pub fn begin_epoch(&mut self, epoch: Epoch, cause: EpochCause) {
        if epoch <= self.settled {
            return;
        }
        self.settled = epoch;
        for state in self.states.values_mut() {
            *state = state.after(cause);
        }
    }
}
