//! The document itself. Its names are the ones that clients read, so they never change their meaning.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::command::RecordedCommand;

/// The whole of it: the head, which is what most people want to see, and the bulk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    #[serde(flatten)]
    pub head: Head,
    pub log: Vec<LogLine>,
    pub trajectory: Trajectory,
    pub commands: Vec<CommandEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub session_id: String,
    pub world: String,
    pub world_id: Option<String>,
    pub rev: Option<String>,
    /// The generation of the vehicle.
    pub robot: String,
    pub command: Option<String>,
    pub outcome: String,
    /// What was recorded last; null when nothing was.
    pub record: Value,
    pub better: String,
    pub reason: Option<String>,
    pub time_limit_s: f64,
    /// Simulated seconds since the first observation.
    pub sim_time_s: f64,
    pub wall_time_s: f64,
    pub started_at: String,
    pub ended_at: String,
    pub seed: u64,
    /// Whether the simulator waited for the script after every observation.
    pub lockstep: bool,
    /// Whether there is a tape beside this document.
    #[serde(default)]
    pub mcap: bool,
    #[serde(flatten)]
    pub runtime: Runtime,
    pub student: Student,
    pub digests: Digests,
    /// Of the program that judged.
    pub version: String,
    pub start: Start,
    pub events: Vec<Event>,
}

/// How judge and student were held.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Runtime {
    /// `container`, `sandbox` or `process`; null when nothing was launched.
    pub runtime: Option<String>,
    /// How the end of every process is made sure of.
    pub isolation: Option<String>,
    /// The version that ran the script.
    pub python: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Student {
    pub exit_code: Option<i32>,
}

/// SHA-256, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Digests {
    /// Of the world file.
    pub world: Option<String>,
    pub script: Option<String>,
    pub command: Option<String>,
    /// Of the car's way, bit for bit: the record itself has it rounded.
    #[serde(default)]
    pub trajectory: Option<String>,
}

/// Where the simulator stood at the first observation.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Start {
    pub epoch: u64,
    pub step: u64,
    pub time: f64,
}

/// Something that happened, `t` simulated seconds after the first observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub t: f64,
    pub kind: String,
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    pub t: f64,
    /// `script`, or `stdout` and `stderr` of the student's program.
    pub stream: String,
    pub line: String,
}

/// Where the car was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    pub columns: [String; 5],
    pub rows: Vec<[f64; 5]>,
    /// Step and revision of the state that each row was taken from: where it belongs among the commands.
    #[serde(default)]
    pub states: Vec<[u64; 2]>,
}

impl Default for Trajectory {
    fn default() -> Self {
        Self { columns: ["t", "x", "y", "yaw", "speed"].map(str::to_owned), rows: Vec::new(), states: Vec::new() }
    }
}

/// A command that took hold after this step, in the order in which all of them did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandEntry {
    pub step: u64,
    /// Of the state that it took hold in.
    #[serde(default)]
    pub revision: u64,
    pub epoch: u64,
    #[serde(flatten)]
    pub command: RecordedCommand,
}
