//! `/evaluation` and below: the world's evaluation, the session, the records.

use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use warp::http::StatusCode;
use warp::http::header::{CONTENT_DISPOSITION, HeaderValue};

use crate::api::blocking;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::events::EventHub;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{
    EvaluationResponse, NewsEvent, RecordEntryBody, RecordResponse, RecordsResponse, SessionBody, SessionResponse,
    StartedResponse, StoppedResponse,
};
use crate::judge::{JudgeError, JudgeHandle, StartRequest};
use crate::record::RecordError;
use crate::worlds::LibraryError;

/// In Unicode scalar values.
pub const MAX_COMMAND_CHARS: usize = 2000;
pub const MAX_TIME_LIMIT_S: f64 = 3600.0;
/// The largest whole number that every JSON reader keeps as it is.
pub const MAX_SEED: f64 = 9_007_199_254_740_991.0;

/// The evaluation that the world came with.
pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let world = api.bridge.snapshot().world.clone().ok_or(JudgeError::NoEvaluation)?;
    let library = api.worlds.clone();
    let read = move || -> Result<_, ApiError> {
        let bundle = library.catalogue().find(&world).map_err(|_| JudgeError::NoEvaluation)?;
        let evaluation = bundle.evaluation().map_err(LibraryError::from)?;
        Ok(evaluation.ok_or(JudgeError::NoEvaluation)?)
    };
    let evaluation = blocking(read).await??;
    Ok(reply::json(&EvaluationResponse::of(&evaluation)))
}

/// Begins a session; values are checked before anything else.
pub async fn start(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let command = call.fields.text("command")?;
    if command.as_ref().is_some_and(|command| command.trim().is_empty() || command.chars().count() > MAX_COMMAND_CHARS)
    {
        let message = format!("the command must have 1 to {MAX_COMMAND_CHARS} characters and not be blank");
        return Err(ApiError::bad_request("bad_command", message));
    }
    if command.is_some() && !api.options.evaluation_commands {
        let message = "this simulator runs no students' commands (setting evaluation_commands)";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "commands_refused", message));
    }
    let time_limit_s = call.fields.number("time_limit_s")?;
    if time_limit_s.is_some_and(|limit| !(limit > 0.0 && limit <= MAX_TIME_LIMIT_S)) {
        let message = format!("time_limit_s must be above 0 and at most {MAX_TIME_LIMIT_S}");
        return Err(ApiError::bad_request("time_limit_out_of_range", message));
    }
    let seed = call.fields.number("seed")?;
    if seed.is_some_and(|seed| seed.fract() != 0.0 || !(0.0..=MAX_SEED).contains(&seed)) {
        return Err(ApiError::bad_request("bad_seed", format!("seed must be a whole number from 0 to {MAX_SEED}")));
    }
    let request = StartRequest { command, time_limit_s, seed: seed.map(|seed| seed as u64) };
    let view = api.judge.start(request).await?;
    let session = SessionBody::of(&view);
    Ok(reply::json(&StartedResponse { ok: true, session_id: session.session_id.clone(), session }))
}

/// Answers when nothing of the session lives any more; also when there was none.
pub async fn stop(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    api.judge.stop().await;
    Ok(reply::json(&StoppedResponse { ok: true }))
}

/// For a page that is opened in the middle of a run.
pub async fn session(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let view = api.judge.view();
    let active = view.as_ref().is_some_and(|view| view.is_active());
    Ok(reply::json(&SessionResponse { active, session: view.as_ref().map(SessionBody::of) }))
}

/// What the named session, or the last one, has left; with `full=true` the whole document.
pub async fn record(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let none = || ApiError::not_found("no_record", "there is no such record");
    let is_full = call.head.query_flag("full")?;
    let store = api.judge.store().clone();
    let wanted = call.head.query_value("session").filter(|session| !session.is_empty());
    let session = wanted.or_else(|| store.newest()).ok_or_else(none)?;
    if is_full {
        let bytes = blocking(move || store.bytes(&session)).await??.ok_or_else(none)?;
        return Ok(reply::json_bytes(bytes.into()));
    }
    let head = blocking(move || store.head(&session)).await??.ok_or_else(none)?;
    Ok(reply::json(&RecordResponse::of(head)))
}

/// All records, newest first.
pub async fn records(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let world = call.head.query_value("world").filter(|world| !world.is_empty());
    // A world is known by its name and by its file.
    let world = world.as_deref().map(|world| world.strip_suffix(".world").unwrap_or(world));
    let listed = api.judge.store().list(world);
    Ok(reply::json(&RecordsResponse { records: listed.into_iter().map(RecordEntryBody::of).collect() }))
}

/// The tape of a session, for Foxglove, rerun and other readers of MCAP.
pub async fn mcap(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let session = call.names.first().expect("the route has a name").clone();
    let store = api.judge.store().clone();
    let (file_name, opened) = blocking(move || (format!("{session}.mcap"), store.tape(&session))).await?;
    let none = || ApiError::not_found("no_recording", "there is no recording of such a session");
    let (file, bytes) = opened?.ok_or_else(none)?;
    let mut response = reply::file(file, bytes, "application/octet-stream");
    // A session that is known has a name of our own making: digits and dashes.
    if let Ok(disposition) = HeaderValue::try_from(format!("attachment; filename=\"{file_name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// Passes on what happens in sessions to everybody who follows events, until `ended`.
pub async fn announce(judge: JudgeHandle, events: &EventHub, ended: CancellationToken) {
    let mut news = judge.news();
    loop {
        let news = tokio::select! {
            () = ended.cancelled() => return,
            news = news.recv() => news,
        };
        match news.as_deref().map(NewsEvent::of) {
            Ok(NewsEvent::Run(event)) => events.announce("run", &event),
            Ok(NewsEvent::Evaluation(event)) => events.announce("evaluation", &event),
            Err(RecvError::Lagged(lost)) => tracing::warn!(lost, "news of the evaluation were lost"),
            Err(RecvError::Closed) => return,
        }
    }
}

impl From<JudgeError> for ApiError {
    fn from(err: JudgeError) -> Self {
        let (status, code) = match err {
            JudgeError::Bridge(err) => return err.into(),
            JudgeError::Record(err) => return err.into(),
            JudgeError::NoEvaluation => (StatusCode::NOT_FOUND, "no_evaluation"),
            JudgeError::BrokenEvaluation(_) => (StatusCode::UNPROCESSABLE_ENTITY, "broken_world"),
            JudgeError::Active => (StatusCode::CONFLICT, "session_active"),
            JudgeError::Impossible(_) => (StatusCode::INTERNAL_SERVER_ERROR, "evaluation_impossible"),
            JudgeError::ShuttingDown => (StatusCode::SERVICE_UNAVAILABLE, "shutting_down"),
        };
        Self::new(status, code, err.to_string())
    }
}

impl From<RecordError> for ApiError {
    fn from(err: RecordError) -> Self {
        let code = match &err {
            RecordError::Read(_) | RecordError::Damaged { .. } => "record_unreadable",
            RecordError::Write { .. } => "record_unwritable",
        };
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, err.to_string())
    }
}
