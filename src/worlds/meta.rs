//! `meta.json` of a published world: what the worlds server says about it.
//!
//! Unknown keys are ignored. Paths are still raw here: whoever uses them parses them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id::Rev;

/// Who may download a published world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    #[default]
    Public,
    /// Holders of the token alone.
    Private,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    pub rev: Rev,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A word that we do not know is as good as none: who may have a world is the server's business, not the client's.
    #[serde(default, deserialize_with = "known_access")]
    pub access: Option<Access>,
    #[serde(default)]
    pub files: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// Of all files together. Only a hint for those who show progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

fn known_access<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Access>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

/// Width and height of a track make sense.
pub fn is_size(size: [f64; 2]) -> bool {
    size.iter().all(|side| side.is_finite() && *side > 0.0 && *side <= 10_000.0)
}
