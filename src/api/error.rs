//! Failures as clients see them: a status, a permanent code for programs, a sentence for people.

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;
use warp::http::StatusCode;
use warp::http::header::{HeaderValue, WWW_AUTHENTICATE};

use crate::api::reply::{self, Response};
use crate::bridge::{BridgeError, LightError};

/// A refused request. The code never changes once it is published; the message may be reworded, except where
/// clients are known to match it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
}

/// The body of every refusal.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ErrorResponse<'a> {
    /// For people.
    error: &'a str,
    /// For programs; never changes its meaning.
    code: &'a str,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// 400: what the client sent cannot be meant.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 404: there is no such thing, or not now.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    pub(super) fn to_response(&self) -> Response {
        let mut response = reply::json(&ErrorResponse { error: &self.message, code: self.code });
        *response.status_mut() = self.status;
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<BridgeError> for ApiError {
    fn from(err: BridgeError) -> Self {
        let (status, code) = match &err {
            BridgeError::NotReady => (StatusCode::CONFLICT, "world_not_ready"),
            BridgeError::SimulatorNotRunning | BridgeError::NoAnswer => {
                (StatusCode::SERVICE_UNAVAILABLE, "simulator_not_running")
            }
            BridgeError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "simulator_busy"),
            BridgeError::Refused(_) => (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
            BridgeError::Unsupported(_) => (StatusCode::UNPROCESSABLE_ENTITY, "not_supported"),
            BridgeError::NotConfirmed => (StatusCode::SERVICE_UNAVAILABLE, "not_confirmed"),
            BridgeError::NoSuchModel(_) => (StatusCode::NOT_FOUND, "no_such_model"),
            BridgeError::NotMovable(_) => (StatusCode::FORBIDDEN, "not_movable"),
            BridgeError::IsTheVehicle => (StatusCode::FORBIDDEN, "is_the_vehicle"),
            BridgeError::NoWorld => (StatusCode::NOT_FOUND, "no_world_running"),
            BridgeError::NoSuchWorld => (StatusCode::NOT_FOUND, "world_not_found"),
            BridgeError::NotPaused => (StatusCode::CONFLICT, "not_paused"),
            BridgeError::RobotNotRunning => (StatusCode::SERVICE_UNAVAILABLE, "robot_not_running"),
            BridgeError::Light(LightError::NoSuchLight(_)) => (StatusCode::NOT_FOUND, "no_such_light"),
            BridgeError::Light(LightError::YellowInProgress) => (StatusCode::CONFLICT, "yellow_in_progress"),
        };
        Self::new(status, code, err.to_string())
    }
}
