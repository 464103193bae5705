//! `GET /state`: everything that changes at run time, in one answer. Always answers.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::json_bytes(api.frames.newest().json()))
}
