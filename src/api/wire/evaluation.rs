//! Evaluations on the wire: the document of a world, the session, its record, its events.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::RunBody;
use crate::judge::SessionView;
use crate::judge::news::{EvaluationNews, News, RunNews};
use crate::record::{Entry, Head, Listed, LogLine};
use crate::worlds::Evaluation;

#[derive(Debug, Serialize, JsonSchema)]
pub struct EvaluationResponse<'a> {
    pub version: i64,
    /// As it stands in the file.
    pub config: &'a serde_json::Map<String, Value>,
    pub script: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionResponse {
    pub active: bool,
    /// null before the first one.
    pub session: Option<SessionBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StartedResponse {
    pub ok: bool,
    pub session: SessionBody,
    pub session_id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StoppedResponse {
    pub ok: bool,
}

/// The running session, or the last one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SessionBody {
    pub session_id: String,
    pub world: String,
    /// `starting`, `initializing`, `running` or `ended`.
    pub phase: &'static str,
    pub command: Option<String>,
    pub time_limit_s: f64,
    /// Simulated seconds since the first observation.
    pub elapsed_s: f64,
    pub record: Value,
    /// `lower` or `higher`.
    pub better: String,
    pub student: RunBody,
    /// The newest 200 lines.
    pub log: Vec<LogLineBody>,
    /// `finished`, `timeout`, `script_error`, `stopped` or `unsupported`.
    pub outcome: Option<&'static str>,
    pub reason: Option<String>,
    pub started_at: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LogLineBody {
    pub t: f64,
    /// `script`, `stdout` or `stderr`.
    pub stream: String,
    pub line: String,
}

/// What an ended session has left, without its bulk.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordResponse {
    pub session_id: String,
    pub world: String,
    pub world_id: Option<String>,
    pub rev: Option<String>,
    pub robot: String,
    pub command: Option<String>,
    pub outcome: String,
    pub record: Value,
    pub better: String,
    pub reason: Option<String>,
    pub time_limit_s: f64,
    pub sim_time_s: f64,
    pub wall_time_s: f64,
    pub started_at: String,
    pub ended_at: String,
    pub seed: u64,
    pub lockstep: bool,
    /// Whether `/evaluation/records/<session_id>/mcap` has a recording.
    pub mcap: bool,
    /// `container`, `sandbox` or `process`.
    pub runtime: Option<String>,
    pub isolation: Option<String>,
    pub python: Option<String>,
    pub version: String,
    pub student: StudentBody,
    pub digests: DigestsBody,
    pub events: Vec<EventBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StudentBody {
    pub exit_code: Option<i32>,
}

/// SHA-256.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DigestsBody {
    pub world: Option<String>,
    pub script: Option<String>,
    pub command: Option<String>,
    /// Of the car's way, bit for bit; `sim replay` gives the same.
    pub trajectory: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EventBody {
    /// Simulated seconds since the first observation.
    pub t: f64,
    pub kind: String,
    #[serde(flatten)]
    pub about: serde_json::Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordsResponse {
    /// Newest first.
    pub records: Vec<RecordEntryBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordEntryBody {
    pub session_id: String,
    pub world: String,
    pub world_id: Option<String>,
    pub command: Option<String>,
    pub outcome: String,
    pub record: Value,
    pub better: String,
    pub reason: Option<String>,
    pub sim_time_s: f64,
    pub started_at: String,
    pub ended_at: String,
    /// Whether there is a recording.
    pub mcap: bool,
    /// The best of its world; only finished runs with a number are ranked.
    pub best: bool,
}

/// The data of a `run` event.
#[derive(Debug, Serialize)]
#[serde(tag = "phase", rename_all = "lowercase")]
pub enum RunEvent<'a> {
    Start {
        command: &'a str,
    },
    Log {
        stream: &'static str,
        line: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
    },
    Exit {
        exit_code: i32,
    },
}

/// The data of an `evaluation` event.
#[derive(Debug, Serialize)]
pub struct EvaluationEvent<'a> {
    #[serde(flatten)]
    pub what: EvaluationEventKind<'a>,
    pub session_id: &'a str,
    pub t: f64,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum EvaluationEventKind<'a> {
    Start { session: Box<SessionBody> },
    Phase { phase: &'static str },
    Record { value: &'a Value },
    Log { line: &'a str },
    End { outcome: &'static str, record: &'a Value, reason: Option<&'a str> },
}

/// Either kind of event.
pub enum NewsEvent<'a> {
    Run(RunEvent<'a>),
    Evaluation(EvaluationEvent<'a>),
}

impl SessionBody {
    pub fn of(view: &SessionView) -> Self {
        Self {
            session_id: view.session_id.clone(),
            world: view.world.clone(),
            phase: view.phase.as_str(),
            command: view.command.clone(),
            time_limit_s: view.time_limit_s,
            elapsed_s: view.elapsed_s,
            record: view.record.clone(),
            better: view.better.clone(),
            student: RunBody::of(&view.student),
            log: view.log.iter().map(LogLineBody::of).collect(),
            outcome: view.outcome.map(|outcome| outcome.as_str()),
            reason: view.reason.clone(),
            started_at: view.started_at.clone(),
        }
    }
}

impl LogLineBody {
    fn of(line: &LogLine) -> Self {
        Self { t: line.t, stream: line.stream.clone(), line: line.line.clone() }
    }
}

impl<'a> EvaluationResponse<'a> {
    pub fn of(evaluation: &'a Evaluation) -> Self {
        Self { version: evaluation.version, config: &evaluation.raw_config, script: &evaluation.script }
    }
}

impl RecordResponse {
    pub fn of(head: Head) -> Self {
        Self {
            session_id: head.session_id,
            world: head.world,
            world_id: head.world_id,
            rev: head.rev,
            robot: head.robot,
            command: head.command,
            outcome: head.outcome,
            record: head.record,
            better: head.better,
            reason: head.reason,
            time_limit_s: head.time_limit_s,
            sim_time_s: head.sim_time_s,
            wall_time_s: head.wall_time_s,
            started_at: head.started_at,
            ended_at: head.ended_at,
            seed: head.seed,
            lockstep: head.lockstep,
            mcap: head.mcap,
            runtime: head.runtime.runtime,
            isolation: head.runtime.isolation,
            python: head.runtime.python,
            version: head.version,
            student: StudentBody { exit_code: head.student.exit_code },
            digests: DigestsBody {
                world: head.digests.world,
                script: head.digests.script,
                command: head.digests.command,
                trajectory: head.digests.trajectory,
            },
            events: head
                .events
                .into_iter()
                .map(|event| EventBody { t: event.t, kind: event.kind, about: event.about })
                .collect(),
        }
    }
}

impl RecordEntryBody {
    pub fn of(Listed { entry, best }: Listed) -> Self {
        let Entry {
            session_id,
            world,
            world_id,
            command,
            outcome,
            record,
            better,
            reason,
            sim_time_s,
            started_at,
            ended_at,
            mcap,
        } = entry;
        Self {
            session_id,
            world,
            world_id,
            command,
            outcome,
            record,
            better,
            reason,
            sim_time_s,
            started_at,
            ended_at,
            mcap,
            best,
        }
    }
}

impl<'a> NewsEvent<'a> {
    pub fn of(news: &'a News) -> Self {
        match news {
            News::Run(RunNews::Start { command }) => Self::Run(RunEvent::Start { command }),
            News::Run(RunNews::Log { stream, line }) => {
                Self::Run(RunEvent::Log { stream: stream.as_str(), line: &line.text, truncated: line.truncated })
            }
            News::Run(RunNews::Exit { exit_code }) => Self::Run(RunEvent::Exit { exit_code: *exit_code }),
            News::Evaluation { session_id, t, news } => {
                let what = match news {
                    EvaluationNews::Start(view) => {
                        EvaluationEventKind::Start { session: Box::new(SessionBody::of(view)) }
                    }
                    EvaluationNews::Phase(phase) => EvaluationEventKind::Phase { phase: phase.as_str() },
                    EvaluationNews::Record(value) => EvaluationEventKind::Record { value },
                    EvaluationNews::Log(line) => EvaluationEventKind::Log { line },
                    EvaluationNews::End { outcome, record, reason } => {
                        EvaluationEventKind::End { outcome: outcome.as_str(), record, reason: reason.as_deref() }
                    }
                };
                Self::Evaluation(EvaluationEvent { what, session_id, t: *t })
            }
        }
    }
}
