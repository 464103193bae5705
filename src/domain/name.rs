//! Names that come from outside, parsed once and valid for ever after.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// Longest name accepted anywhere; file systems stop at 255 bytes and `custom_<32 hex>.world` needs 45.
const MAX_LEN: usize = 128;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameError {
    #[error("a name must have 1 to {MAX_LEN} characters")]
    Length,
    #[error("a name may hold only A-Z, a-z, 0-9 and _")]
    Character,
}

fn parse(raw: &str) -> Result<Arc<str>, NameError> {
    if raw.is_empty() || raw.len() > MAX_LEN {
        return Err(NameError::Length);
    }
    if !raw.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err(NameError::Character);
    }
    Ok(raw.into())
}

/// A model in the world: `box1`, `signal1`, `vehicle`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelName(Arc<str>);

impl ModelName {
    pub fn parse(raw: &str) -> Result<Self, NameError> {
        parse(raw).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A world, without the `.world` of its file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorldName(Arc<str>);

impl WorldName {
    pub fn parse(raw: &str) -> Result<Self, NameError> {
        parse(raw).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of its file, which is what clients send and receive.
    pub fn file(&self) -> String {
        format!("{}.world", self.0)
    }
}

impl fmt::Display for WorldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
