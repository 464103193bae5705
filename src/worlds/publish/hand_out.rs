//! What whoever serves the folder may hand out: what a world's meta.json names, and nothing else.

use std::fs::{self, File};

use super::{Cdn, PublishError, failed, write};
use crate::worlds::bundle_path::BundlePath;
use crate::worlds::id::WorldId;
use crate::worlds::meta::{Access, Meta};

impl Meta {
    /// Anybody may have it. A word that we do not know opens nothing.
    pub fn is_public(&self) -> bool {
        self.access == Some(Access::Public)
    }
}

impl Cdn {
    /// Parsed, and as it is on the disk.
    pub fn meta_with_text(&self, id: &WorldId) -> Result<(Meta, Vec<u8>), PublishError> {
        let text = self.read_meta(id)?;
        let meta = serde_json::from_slice(&text).map_err(|_| PublishError::Damaged(id.clone()))?;
        Ok((meta, text))
    }

    /// One file of this revision, with its length; None when the world has no such file.
    pub fn open(&self, id: &WorldId, meta: &Meta, rev: &str, path: &str) -> Result<Option<(File, u64)>, PublishError> {
        let is_archive = path == write::ARCHIVE && meta.archive.as_deref() == Some(path);
        let is_file = matches!(BundlePath::parse(path), Ok(Some(_))) && meta.files.iter().any(|file| file == path);
        if rev != meta.rev.as_str() || !(is_archive || is_file) {
            return Ok(None);
        }
        let place = self.worlds.join(id.as_str()).join(rev).join(path);
        // Asked before opening, because opening a pipe would wait for somebody to write into it.
        match fs::metadata(&place) {
            Ok(found) if found.is_file() => {
                let file = File::open(&place).map_err(failed(&place))?;
                let bytes = file.metadata().map_err(failed(&place))?.len();
                Ok(Some((file, bytes)))
            }
            _ => Ok(None),
        }
    }
}
