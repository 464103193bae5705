//! Why a mesh cannot be used.

use std::fmt;

use thiserror::Error;

use crate::xml::{XmlError, XmlProblem};

#[derive(Debug, Clone, PartialEq, Error)]
pub struct MeshError {
    pub file: String,
    /// Counted from 1; 0 for binary files and for what concerns the whole file.
    pub line: u32,
    pub problem: MeshProblem,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.problem),
            line => write!(f, "{}:{line}: {}", self.file, self.problem),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshProblem {
    #[error("only .dae, .stl and .obj are read; convert the file")]
    UnknownFormat,
    #[error("the file has more than {0} bytes; simplify the mesh")]
    TooLarge(usize),
    #[error("there are no triangles in it")]
    NoTriangles,
    #[error(transparent)]
    Xml(#[from] XmlProblem),
    #[error("the outermost element is <{0}>; a COLLADA file starts with <COLLADA>")]
    WrongRoot(String),
    #[error("this is not UTF-8 text; save the file as UTF-8")]
    NotUtf8,
    #[error("{0:?} is not a finite number")]
    BadNumber(String),
    #[error("{0:?} is not an index")]
    BadIndex(String),
    #[error("{what} are {found} numbers and need {needed}")]
    NumberCount { what: String, found: usize, needed: String },
    #[error("the index {index} is out of range: there are {count} {what}")]
    IndexRange { what: &'static str, index: i64, count: usize },
    #[error("{what} is {value}; it must be from {min} to {max}")]
    OutOfRange { what: &'static str, value: f64, min: f64, max: f64 },
    #[error("there is no {what} with the id {id:?}")]
    UnknownId { what: &'static str, id: String },
    #[error("<{parent}> has no {missing}")]
    Missing { parent: String, missing: &'static str },
    #[error("there are more than {limit} {what}; simplify the mesh")]
    TooMany { what: &'static str, limit: usize },
    #[error("the nodes of the scene contain each other")]
    NodeLoop,
    #[error("a face has {0} corners and needs at least 3")]
    FewCorners(usize),
    #[error("the STL file has {found} bytes, but its {triangles} triangles need {needed}; the file is cut off")]
    StlLength { found: usize, triangles: u64, needed: u64 },
    #[error("{found:?} stands where {expected} should be")]
    Unexpected { found: String, expected: &'static str },
}

/// A problem at a line; the file name is added where it is known.
pub type Problem = (u32, MeshProblem);
pub type Result<T> = std::result::Result<T, Problem>;

pub fn from_xml(err: XmlError) -> Problem {
    (err.line, err.problem.into())
}

/// The beginning of a value, short enough for a message.
pub fn excerpt(value: &str) -> String {
    const SHOWN: usize = 60;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &value[..end]),
        None => value.to_owned(),
    }
}
