//! `GET /vehicle`: the measures of the vehicle and of its sensors.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::VehicleSpecBody;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::json(&VehicleSpecBody::of(&api.vehicle)))
}
