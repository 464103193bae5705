//! Why a session was not started or not changed.

use thiserror::Error;

use crate::bridge::BridgeError;
use crate::record::RecordError;

#[derive(Debug, Error)]
pub enum JudgeError {
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    #[error("world has no evaluation")]
    NoEvaluation,
    #[error("{0}")]
    BrokenEvaluation(String),
    #[error("an evaluation is already running; stop it first")]
    Active,
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("evaluations are not possible: {0}")]
    Impossible(String),
    #[error("the simulator is shutting down")]
    ShuttingDown,
}
