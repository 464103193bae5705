//! `POST /drive`: a word to the robot, as on the topics `/speed` and `/steering`. The speed expires as theirs does.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::DriveResponse;

/// What is omitted is not said, so that the robot keeps to what it was told before.
pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (speed, steering) = (call.fields.number("speed")?, call.fields.number("steering")?);
    if speed.is_none() && steering.is_none() {
        return Err(ApiError::bad_request("bad_field", "field \"speed\" or field \"steering\" is missing"));
    }
    api.bridge.drive(speed, steering).await?;
    Ok(reply::json(&DriveResponse { ok: true, speed, steering }))
}
