//! Paths of files in a bundle, as meta.json, zip entries and folders name them.
//!
//! A [`BundlePath`] is relative, stays inside the bundle and means the same on every system. Raw paths are hostile until
//! parsed; what is merely of no interest (unknown folders, files at the top) is told apart from what is refused.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

/// The folders a bundle may have.
pub const FOLDERS: [&str; 7] = ["worlds", "models", "meshes", "textures", "routes", "track_iconography", "evaluations"];

const MAX_LEN: usize = 240;
const MAX_DEPTH: usize = 12;
/// How much of a bad path an error message repeats.
const EXCERPT_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the path \"{path}\" {fault}")]
pub struct PathError {
    /// Printable ASCII, whatever the path held.
    path: String,
    fault: &'static str,
}

impl PathError {
    fn new(raw: &str, fault: &'static str) -> Self {
        Self { path: excerpt(raw), fault }
    }
}

/// The beginning of a text from outside, safe to show on any terminal.
pub fn excerpt(raw: &str) -> String {
    let mut text: String = raw.chars().take(EXCERPT_CHARS).flat_map(char::escape_default).collect();
    if raw.chars().nth(EXCERPT_CHARS).is_some() {
        text.push_str("...");
    }
    text
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BundlePath(String);

impl BundlePath {
    /// `Ok(None)`: harmless, but no part of a bundle.
    pub fn parse(raw: &str) -> Result<Option<Self>, PathError> {
        let bad = |fault| Err(PathError::new(raw, fault));
        if raw.is_empty() {
            return bad("is empty");
        }
        if raw.len() > MAX_LEN {
            return bad("is too long");
        }
        if raw.starts_with('/') {
            return bad("is absolute");
        }
        if raw.contains('\\') {
            return bad("holds a backslash");
        }
        if raw.contains(':') {
            return bad("holds a colon");
        }
        if raw.chars().any(char::is_control) {
            return bad("holds a control character");
        }
        if raw.chars().any(is_direction_mark) {
            return bad("holds a character that changes the direction of writing");
        }
        let segments: Vec<&str> = raw.split('/').collect();
        if segments.contains(&"..") {
            return bad("climbs out of a folder");
        }
        if segments.iter().any(|segment| segment.is_empty() || *segment == ".") {
            return bad("has an empty part");
        }
        if segments.len() < 2 || !FOLDERS.contains(&segments[0]) {
            return Ok(None);
        }
        if segments.len() > MAX_DEPTH {
            return bad("has too many folders");
        }
        if segments.iter().any(|segment| segment.starts_with('.')) {
            return bad("has a part that begins with a dot");
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/');
        if !raw.bytes().all(plain) {
            return bad("holds characters other than A-Z, a-z, 0-9, dot, _ and -");
        }
        Ok(Some(Self(raw.to_owned())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file in a folder of the top level: `("worlds", "oval.world")`. None when it lies deeper.
    pub(super) fn in_top_folder(&self) -> Option<(&str, &str)> {
        self.0.split_once('/').filter(|(_, file)| !file.contains('/'))
    }

    pub(super) fn from_parts(folder: &str, file: &str) -> Self {
        Self(format!("{folder}/{file}"))
    }
}

impl fmt::Display for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Unicode's invisible orders to the text direction, with which `gnp.exe` can be made to look like `exe.png`.
pub(super) fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListError {
    #[error("the file {0} is listed twice")]
    Twice(BundlePath),
    #[error("\"{0}\" and \"{1}\" differ only in upper and lower case")]
    Case(String, String),
    #[error("\"{0}\" is both a file and a folder")]
    FileAndFolder(String),
}

/// Files that can lie beside each other on every file system, also on those that do not tell `A` from `a`.
#[derive(Debug, Default)]
pub struct FileList {
    files: Vec<BundlePath>,
    /// Every file and every folder on the way to it, by its lower-case path.
    seen: HashMap<String, Seen>,
}

#[derive(Debug)]
struct Seen {
    exact: String,
    is_file: bool,
}

impl FileList {
    pub fn add(&mut self, path: BundlePath) -> Result<(), ListError> {
        for (at, _) in path.0.match_indices('/') {
            self.note(&path.0[..at], false)?;
        }
        if self.note(&path.0, true)? {
            return Err(ListError::Twice(path));
        }
        self.files.push(path);
        Ok(())
    }

    pub fn files(&self) -> &[BundlePath] {
        &self.files
    }

    /// Says whether it was there before.
    fn note(&mut self, path: &str, is_file: bool) -> Result<bool, ListError> {
        let new = Seen { exact: path.to_owned(), is_file };
        match self.seen.get(&path.to_ascii_lowercase()) {
            None => {
                self.seen.insert(path.to_ascii_lowercase(), new);
                Ok(false)
            }
            Some(old) if old.exact != path => Err(ListError::Case(old.exact.clone(), new.exact)),
            Some(old) if old.is_file != is_file => Err(ListError::FileAndFolder(new.exact)),
            Some(_) => Ok(true),
        }
    }
}
