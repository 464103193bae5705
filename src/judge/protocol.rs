//! What is said between the node and the harness around a judging script: one JSON object per line.
//!
//! The harness is given the setup, then one state at a time; it answers each with `evaluated` (or with its end) before it is given
//! the next. In between it may ask for actions, each answered before it goes on.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What the harness says. Whatever does not fit into this is garbage.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// The script printed a line.
    Log {
        line: String,
    },
    Act(Act),
    Record {
        value: Value,
    },
    Initialized,
    Evaluated,
    Finish,
    Failed {
        reason: String,
        #[serde(default)]
        traceback: String,
    },
}

/// The script asks for something to be done.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Act {
    pub action: String,
    #[serde(default)]
    pub fields: Map<String, Value>,
}

/// The first word to the harness: what does not change during a session, and the state to begin with.
#[derive(Debug, Serialize)]
pub struct Setup<'a> {
    pub evaluate_s: f64,
    pub config: &'a Map<String, Value>,
    pub track: &'a Value,
    pub route: &'a Value,
    pub objects: &'a Value,
    pub origins: &'a Value,
    pub state: &'a RawValue,
}

/// An observation.
#[derive(Debug, Serialize)]
pub struct Observation<'a> {
    pub state: &'a RawValue,
}

/// The answer to an action.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A line for the harness.
pub fn line(message: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(message).expect("protocol structs have text keys, which is all that could fail");
    bytes.push(b'\n');
    bytes
}
