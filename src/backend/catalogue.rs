//! Which worlds this simulator can load, and where they come from.

use std::fmt;

use thiserror::Error;

use crate::domain::WorldName;
use crate::engine::WorldDescription;
use crate::engine::load::Look;

/// Gives worlds by name. Asked only from threads that may wait, never from the one that steps.
pub trait WorldSource: fmt::Debug + Send + Sync {
    /// The worlds that there are, sorted.
    fn names(&self) -> Vec<WorldName>;

    /// Reads one of them; may take its time.
    fn load(&self, world: &WorldName) -> Result<SourcedWorld, SourceError>;
}

/// A world as its source gives it.
#[derive(Debug)]
pub struct SourcedWorld {
    pub description: WorldDescription,
    /// What the camera sees of it; nothing is seen without.
    pub look: Option<Look>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    #[error("there is no world `{0}`")]
    NoSuchWorld(WorldName),
    #[error("the world `{world}` cannot be read: {reason}")]
    Broken { world: WorldName, reason: String },
}

/// The one world that is part of the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl WorldSource for BuiltIn {
    fn names(&self) -> Vec<WorldName> {
        vec![WorldDescription::plain().name]
    }

    fn load(&self, world: &WorldName) -> Result<SourcedWorld, SourceError> {
        let plain = WorldDescription::plain();
        if plain.name != *world {
            return Err(SourceError::NoSuchWorld(world.clone()));
        }
        Ok(SourcedWorld { description: plain, look: None })
    }
}
