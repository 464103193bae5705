//! What can be wrong with a world file, where, and what its author can do about it.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::xml::XmlProblem;

/// A line of a file. The file is named as the caller and `Files` name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Something that was left out; the world loads without it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Warning {
    pub place: Place,
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Something that is broken; the world does not load.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{place}: {problem}")]
pub struct SdfError {
    pub place: Place,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Error)]
pub enum Problem {
    #[error(transparent)]
    Xml(#[from] XmlProblem),
    #[error("the outermost element is <{0}>; an SDF file starts with <sdf version=\"1.9\">")]
    WrongRoot(String),
    #[error("SDF version {0:?} is not supported; write a version from 1.4 to 1.11 into <sdf version=...>")]
    Version(String),
    #[error("<{parent}> has no <{missing}>; add one")]
    Missing { parent: String, missing: &'static str },
    #[error("<geometry> has no shape; add <box>, <cylinder>, <sphere>, <plane> or <mesh>")]
    NoShape,
    #[error("<{0}> has no name; add name=\"...\"")]
    NoName(String),
    #[error("the name {name:?} {why}; choose another")]
    BadName { name: String, why: &'static str },
    #[error("the {kind} name {name:?} is already used at {first}; rename one of the two")]
    Duplicate { kind: &'static str, name: String, first: Place },
    #[error("<{0}> is given twice; keep one")]
    Twice(String),
    #[error("{value:?} in <{element}> is not {expected}")]
    BadValue { element: String, value: String, expected: &'static str },
    #[error("<{element}> has {found} numbers and needs {needed}")]
    NumberCount { element: String, found: usize, needed: &'static str },
    #[error("<{element}> is {value}; it must be from {min} to {max}")]
    OutOfRange { element: String, value: f64, min: f64, max: f64 },
    #[error("the value of <{element}> has more than {limit} characters; shorten it")]
    TooLong { element: String, limit: usize },
    #[error("there is no frame, link or model called {0:?} here; correct relative_to or attached_to")]
    UnknownFrame(String),
    #[error("the pose of {0:?} depends on itself; break the circle of relative_to")]
    FrameLoop(String),
    #[error("{uri:?} {why}")]
    BadUri { uri: String, why: &'static str },
    #[error("{0} is neither among the world's files nor among the shared ones; add the file or correct the <uri>")]
    NotFound(String),
    #[error("{uri} cannot be read: {why}")]
    Unreadable { uri: String, why: String },
    #[error("{0} includes itself; remove one <include> of the circle")]
    IncludeLoop(String),
    #[error("there are more than {limit} {what}; remove some")]
    TooMany { what: &'static str, limit: usize },
    #[error("models are nested more than {0} deep (includes count); flatten them")]
    TooNested(usize),
    #[error("{model:?} has the marker links {first:?} and {second:?}; an object has one marker")]
    TwoMarkers { model: String, first: String, second: String },
}

/// The beginning of a value, short enough for a message.
pub(super) fn excerpt(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &value[..end]),
        None => value.to_owned(),
    }
}
