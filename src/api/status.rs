//! `GET /status`: whether the simulator runs, and which one it is. Always answers.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{RunState, StatusResponse};

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let snapshot = api.bridge.snapshot();
    Ok(reply::json(&StatusResponse {
        run_state: RunState::of(&snapshot),
        assets_version: &api.options.assets_version,
        version: &api.options.version,
        backend: &api.options.backend,
    }))
}
