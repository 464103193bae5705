//! `POST /reset`: everything back to its start, at once.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::ResetResponse;

pub async fn write(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let reset = api.bridge.reset().await?;
    Ok(reply::json(&ResetResponse {
        ok: true,
        reset: reset.names.iter().map(|name| name.as_str().to_owned()).collect(),
        epoch: reset.epoch.0,
    }))
}
