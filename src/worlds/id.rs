//! What identifies a published world: its id, and the revision of its content.

use std::fmt;
use std::sync::Arc;

use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::domain::WorldName;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    #[error("a world id has 32 hex digits")]
    Id,
    #[error("a revision has 8 to 24 of the characters 0-9 and a-z")]
    Rev,
    #[error("the operating system gives no random numbers")]
    NoRandomness,
}

/// 32 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorldId(Arc<str>);

impl WorldId {
    /// Upper case is accepted and lowered.
    pub fn parse(raw: &str) -> Result<Self, IdError> {
        if raw.len() != 32 || !raw.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(IdError::Id);
        }
        Ok(Self(raw.to_ascii_lowercase().into()))
    }

    /// A new one that nobody can guess, since it is all that protects a world nobody was told of.
    pub fn random() -> Result<Self, IdError> {
        let mut bytes = [0; 16];
        SystemRandom::new().fill(&mut bytes).map_err(|_| IdError::NoRandomness)?;
        Ok(Self(hex(&bytes).into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the world when it is installed.
    pub fn world_name(&self) -> WorldName {
        WorldName::parse(&format!("custom_{}", self.0)).expect("hex digits and _ make a name")
    }
}

impl fmt::Display for WorldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for WorldId {
    type Error = IdError;
    fn try_from(raw: String) -> Result<Self, IdError> {
        Self::parse(&raw)
    }
}

impl From<WorldId> for String {
    fn from(id: WorldId) -> Self {
        id.0.as_ref().to_owned()
    }
}

/// Names one state of a world's content; also a folder on the worlds server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rev(Arc<str>);

impl Rev {
    pub fn parse(raw: &str) -> Result<Self, IdError> {
        let fits = (8..=24).contains(&raw.len());
        if !fits || !raw.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase()) {
            return Err(IdError::Rev);
        }
        Ok(Self(raw.into()))
    }

    /// From the digest of the content, shortened: 64 bits are enough to tell the few revisions of one world apart.
    pub(super) fn from_digest(digest: &[u8; 32]) -> Self {
        Self(hex(&digest[..8]).into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Rev {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Rev {
    type Error = IdError;
    fn try_from(raw: String) -> Result<Self, IdError> {
        Self::parse(&raw)
    }
}

impl From<Rev> for String {
    fn from(rev: Rev) -> Self {
        rev.0.as_ref().to_owned()
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
