//! `GET /` and `GET /sim`: where to go from here.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;

pub async fn read(_api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::text("The simulator runs. Its API starts at /sim/api/status.\n"))
}
