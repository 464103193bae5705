//! `bundle.json`, our own note at the top of a bundle: where it came from and what it is called.
//!
//! Official worlds have one for their display name and size; installed ones say which publication they are. A folder made
//! by hand needs none.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::BundleError;
use crate::worlds::durable;
use crate::worlds::id::{Rev, WorldId};
use crate::worlds::meta::Access;

pub const FILE: &str = "bundle.json";
const MAX_BYTES: u64 = 8 << 20;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_id: Option<WorldId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<Rev>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// Width and height of the track in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed_at_unix_s: Option<u64>,
    /// Every installed file with its length, so that a damaged installation is noticed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, u64>>,
}

impl Metadata {
    /// None when the bundle has no such file.
    pub fn read(folder: &Path) -> Result<Option<Self>, BundleError> {
        let path = folder.join(FILE);
        let unreadable = |source| BundleError::Unreadable { file: FILE.into(), source };
        match std::fs::metadata(&path) {
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(unreadable(err)),
            Ok(found) if !found.is_file() => return Err(BundleError::Metadata("it is not a file".into())),
            Ok(found) if found.len() > MAX_BYTES => return Err(BundleError::Metadata("it is too large".into())),
            Ok(_) => {}
        }
        let bytes = std::fs::read(&path).map_err(unreadable)?;
        serde_json::from_slice(&bytes).map(Some).map_err(|err| BundleError::Metadata(err.to_string()))
    }

    pub(in crate::worlds) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(std::io::Error::other)?;
        bytes.push(b'\n');
        durable::write_file(&folder.join(FILE), &bytes)
    }
}
