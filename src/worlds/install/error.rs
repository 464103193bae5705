//! Why a world was not installed.

use std::path::Path;

use thiserror::Error;

use crate::worlds::bundle_path::{BundlePath, ListError, PathError};
use crate::worlds::id::{IdError, WorldId};
use crate::worlds::layout::LayoutError;

/// Cloned to everyone who waits for the same install.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InstallError {
    /// The caller's mistake (HTTP 400).
    #[error(transparent)]
    BadId(#[from] IdError),
    /// The worlds server answers, and has no such world (404).
    #[error("the worlds server has no world {0}")]
    NotFound(WorldId),
    /// The worlds server cannot be reached, or not over the way that is set (502).
    #[error("the worlds server cannot be reached: {0}")]
    Unreachable(String),
    /// It answered something that is not used (502).
    #[error("the worlds server answered something unusable: {0}")]
    Unusable(#[from] Unusable),
    /// This machine's fault (500).
    #[error("the world cannot be stored: {0}")]
    Disk(String),
    /// The program is ending (503).
    #[error("the install was interrupted")]
    Interrupted,
}

impl InstallError {
    pub(super) fn disk(path: &Path, err: &std::io::Error) -> Self {
        // The folder of a temporary file has a name that nobody knows; its last part says enough.
        let name = path.file_name().unwrap_or(path.as_os_str());
        Self::Disk(format!("{}: {err}", name.display()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unusable {
    #[error("meta.json is not as it should be: {0}")]
    Meta(String),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("the world is not a bundle: {0}")]
    Layout(#[from] LayoutError),
    #[error("{what}: HTTP status {status}")]
    Status { what: String, status: u16 },
    #[error("{0} is listed but missing")]
    Missing(String),
    #[error("{0}: the answer is compressed, which was not asked for")]
    Encoded(String),
    #[error("{0}: too many redirects")]
    RedirectLoop(String),
    #[error("{what}: redirected to {to}, which {fault}")]
    Redirect { what: String, to: String, fault: &'static str },
    #[error("{0}: the answer ended too early")]
    Cut(String),
    #[error("{0}: no data came for too long")]
    Stalled(String),
    #[error("the download took too long")]
    TooSlow,
    #[error("{what} is larger than {limit_bytes} bytes")]
    FileTooLarge { what: String, limit_bytes: u64 },
    #[error("the files together are larger than {limit_bytes} bytes")]
    AllTooLarge { limit_bytes: u64 },
    #[error("it has more than {limit} files")]
    TooManyFiles { limit: usize },
    #[error("the zip file cannot be read: {0}")]
    Zip(String),
    #[error("the zip file holds \"{0}\", which is neither a file nor a folder")]
    NotRegular(String),
    #[error("the zip file holds the same name twice")]
    TwiceInZip,
    #[error("{path}: {fault}")]
    Content { path: BundlePath, fault: String },
}
