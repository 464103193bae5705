//! How the reader reaches other files: only through what its caller gives it.

use thiserror::Error;

use crate::sdf::Uri;

/// The files of a world: its bundle's own first, then the shared ones.
pub trait Files {
    /// The file at `uri`, if it has at most `limit_bytes`; implementations check the size before they read.
    fn read(&self, uri: &Uri, limit_bytes: usize) -> Result<FoundFile, FilesError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub bytes: Vec<u8>,
    /// From the top folder of the bundle (or of the shared files), for example `models/cone/model.sdf`: what relative paths
    /// inside the file start from, and how messages name it.
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FilesError {
    #[error("there is no such file")]
    NotFound,
    #[error("it has more than {0} bytes")]
    TooLarge(usize),
    #[error("{0}")]
    Unreadable(String),
}

/// No files at all: for a world that includes nothing.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Uri, _: usize) -> Result<FoundFile, FilesError> {
        Err(FilesError::NotFound)
    }
}
