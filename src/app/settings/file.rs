//! Reads a settings file, which has the form of a ROS parameter file: per node (or `/**` for all) a `ros__parameters` map.
//!
//! A mistake is reported with file and line. In our own settings file an unknown node is a mistake too; a file that came by
//! `--params-file` may hold sections for other people's nodes, which are passed over.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_saphyr::{MessageFormatter, Spanned, UserMessageFormatter};

use super::{SettingsError, SettingsLayer};
use crate::app::Program;

/// The last part of the name `/**`, which stands for every node.
const EVERY_NODE: &str = "**";

#[derive(Debug, Clone, Default)]
pub struct SettingsFile {
    pub path: PathBuf,
    /// In the order of the file: the last part of the node's name, and its parameters.
    sections: Vec<(String, SettingsLayer)>,
}

impl SettingsFile {
    /// Our own settings file.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        Self::parse(path, &text_of(path)?, true)
    }

    /// A parameter file that may also serve other packages.
    pub fn read_shared(path: &Path) -> Result<Self, SettingsError> {
        Self::parse(path, &text_of(path)?, false)
    }

    /// Reads the text of a file; `path` is only named in messages. `own` refuses sections for nodes that are not ours.
    pub fn parse(path: &Path, text: &str, own: bool) -> Result<Self, SettingsError> {
        let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#') || line == "---";
        if text.lines().all(says_nothing) {
            return Ok(Self { path: path.to_owned(), sections: Vec::new() });
        }
        let name = path.display().to_string();
        let document = serde_saphyr::with_deserializer_from_str(text, |de| Document::default().deserialize(de))
            .map_err(|err| describe(&name, &err))?;
        if let (true, Some((node, line))) = (own, document.foreign.into_iter().next()) {
            let known = Program::ALL.map(|program| format!("`{}`", program.name())).join(", ");
            return Err(SettingsError::UnknownNode { at: format!("{name}:{line}"), name: node, known });
        }
        Ok(Self { path: path.to_owned(), sections: document.sections })
    }

    /// What the file says to `node`: its own section over the one for every node.
    pub fn layer_for(&self, node: &str) -> SettingsLayer {
        let sections = |wanted: &str| {
            let wanted = wanted.to_owned();
            self.sections.iter().filter(move |(name, _)| *name == wanted).map(|(_, layer)| layer.clone())
        };
        sections(EVERY_NODE).chain(sections(node)).fold(SettingsLayer::default(), |weaker, layer| layer.over(weaker))
    }
}

fn text_of(path: &Path) -> Result<String, SettingsError> {
    fs::read_to_string(path).map_err(|source| SettingsError::Unreadable { file: path.to_owned(), source })
}

#[derive(Default)]
struct Document {
    sections: Vec<(String, SettingsLayer)>,
    /// Nodes that are not ours, with their lines.
    foreign: Vec<(String, u64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    #[serde(rename = "ros__parameters")]
    parameters: Option<SettingsLayer>,
}

impl<'de> DeserializeSeed<'de> for Document {
    type Value = Self;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of nodes, such as `/**:`, each with `ros__parameters:`")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            let node = key.value.rsplit('/').next().unwrap_or_default().to_owned();
            if node == EVERY_NODE || Program::ALL.iter().any(|program| program.name() == node) {
                let section = map.next_value::<Option<Section>>()?;
                self.sections.push((node, section.and_then(|section| section.parameters).unwrap_or_default()));
            } else {
                map.next_value::<IgnoredAny>()?;
                self.foreign.push((key.value, key.referenced.line()));
            }
        }
        Ok(self)
    }
}

/// Puts a YAML error into our words; `at` is the file, or whatever else the text came from.
pub fn describe(at: &str, err: &serde_saphyr::Error) -> SettingsError {
    let err = err.without_snippet();
    let line = err.location().map(|location| location.line()).filter(|line| *line > 0);
    let at = match line {
        Some(line) if !at.starts_with("-p ") => format!("{at}:{line}"),
        _ => at.to_owned(),
    };
    match err {
        serde_saphyr::Error::SerdeUnknownField { field, expected, .. } => {
            SettingsError::UnknownSetting { at, key: field.clone(), hint: hint(field, expected) }
        }
        other => SettingsError::Malformed { at, message: UserMessageFormatter.format_message(other).into_owned() },
    }
}

/// More than a third of the letters wrong is no slip of the fingers.
fn hint(key: &str, known: &[&str]) -> String {
    let close = known.iter().map(|name| (edits(key, name), name)).min();
    match close {
        Some((distance, name)) if distance * 3 <= name.len().max(3) => format!("; did you mean `{name}`?"),
        _ => format!("; known are {}", known.join(", ")),
    }
}

/// Levenshtein distance, one row at a time.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
