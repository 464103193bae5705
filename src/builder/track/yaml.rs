//! From text to a track; mistakes are reported with file and line.

use serde_saphyr::{MessageFormatter, UserMessageFormatter};

use super::Track;
use crate::builder::error::BuildError;

impl Track {
    /// Reads and checks a description; `file` is only named in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self, BuildError> {
        let track: Self = serde_saphyr::from_str(text).map_err(|err| describe(file, &err))?;
        track.check(file)?;
        Ok(track)
    }
}

fn describe(file: &str, err: &serde_saphyr::Error) -> BuildError {
    let err = err.without_snippet();
    let line = err.location().map(|location| location.line()).filter(|line| *line > 0);
    let at = line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
    let message = match err {
        serde_saphyr::Error::SerdeUnknownField { field, expected, .. } => {
            format!("unknown key `{field}`; known here are {}", expected.join(", "))
        }
        other => UserMessageFormatter.format_message(other).into_owned(),
    };
    BuildError::Track { at, message }
}
