//! Calling services: many calls at a time over one client, each with its own time limit.

use std::time::Duration;

use thiserror::Error;
use tokio::time::{Instant, sleep, timeout_at};

use crate::ros::{Service, half};

/// How often discovery is looked at while a caller waits for a server to appear.
const MATCH_POLL: Duration = Duration::from_millis(2);

/// A request that was not answered for so long was probably lost: a living server answers within milliseconds.
const REPEAT_AFTER: Duration = Duration::from_millis(500);

/// Why a call brought no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallError {
    #[error("nobody serves `{0}`")]
    NoServer(String),
    #[error("`{0}` did not answer in time")]
    NoAnswer(String),
    #[error("the request to `{name}` could not be sent: {reason}")]
    NotSent { name: String, reason: String },
}

/// Calls one service. Calls may overlap; each gets its own answer.
pub struct Client<S: Service> {
    name: String,
    caller: half::Caller<S>,
}

impl<S: Service> Client<S> {
    pub(super) fn new(name: String, caller: half::Caller<S>) -> Self {
        Self { name, caller }
    }

    /// Calls once. After [`CallError::NoAnswer`] it is unknown whether the server acted.
    pub async fn call(&self, request: S::Request, limit: Duration) -> Result<S::Response, CallError> {
        let until = Instant::now() + limit;
        self.matched(until).await?;
        self.attempt(request, until).await
    }

    /// Calls, and repeats the call once when there is no answer for a while: only for requests that may be carried out twice.
    /// A server that has just been discovered can miss the first request.
    pub async fn call_idempotent(&self, request: S::Request, limit: Duration) -> Result<S::Response, CallError> {
        let until = Instant::now() + limit;
        self.matched(until).await?;
        let left = until.saturating_duration_since(Instant::now());
        let repeat = Instant::now() + REPEAT_AFTER.min(left / 2);
        match self.attempt(request.clone(), repeat).await {
            Err(CallError::NoAnswer(_)) => self.attempt(request, until).await,
            other => other,
        }
    }

    /// A server is known and can answer.
    pub fn is_matched(&self) -> bool {
        self.caller.matched()
    }

    async fn matched(&self, until: Instant) -> Result<(), CallError> {
        while !self.caller.matched() {
            if Instant::now() >= until {
                return Err(CallError::NoServer(self.name.clone()));
            }
            sleep(MATCH_POLL).await;
        }
        Ok(())
    }

    async fn attempt(&self, request: S::Request, until: Instant) -> Result<S::Response, CallError> {
        let call =
            self.caller.send(request).map_err(|reason| CallError::NotSent { name: self.name.clone(), reason })?;
        match timeout_at(until, call).await {
            Ok(Some(response)) => Ok(response),
            Ok(None) | Err(_) => Err(CallError::NoAnswer(self.name.clone())),
        }
    }
}
