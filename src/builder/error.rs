//! What can go wrong while a world is built, in words for the person who wrote the track.

use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum BuildError {
    /// `at` is the file, with the line where one is known.
    #[error("{at}: {message}")]
    Track { at: String, message: String },
    #[error("{} cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
    #[error("{} cannot be used as a picture: {message}", file.display())]
    Picture { file: PathBuf, message: String },
    #[error("{} cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: std::io::Error },
    #[error("{} is in the way: it holds {what}, which is no part of a bundle", folder.display())]
    InTheWay { folder: PathBuf, what: String },
    #[error("the world could not be drawn: {0}")]
    Drawing(String),
}
