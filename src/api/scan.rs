//! `GET /scan`: the newest turn of the lidar.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::ScanResponse;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let scan = api.bridge.scan().ok_or_else(|| ApiError::not_found("no_scan_yet", "the lidar has sent nothing yet"))?;
    Ok(reply::json(&ScanResponse::of(&scan)))
}
