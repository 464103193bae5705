//! `GET /clock`: simulation time against real time.

use std::sync::Arc;

use warp::http::StatusCode;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::ClockResponse;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let snapshot = api.bridge.snapshot();
    let clock = snapshot.clock.as_ref().ok_or_else(|| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "clock_not_started", "the simulation clock has not started yet")
    })?;
    Ok(reply::json(&ClockResponse::of(clock)))
}
