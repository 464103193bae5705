//! `POST /models/<name>/pose`: putting an object or a light elsewhere.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::pose;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::ModelPlacedResponse;
use crate::domain::PoseChange;

/// How deep and how high a model can be put, in metres.
const HEIGHTS: std::ops::RangeInclusive<f64> = -10.0..=100.0;

/// Stands the model upright where it is asked to stand; what is omitted stays as it is.
pub async fn place(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let change = PoseChange { z: call.fields.number("z")?, ..pose::read_change(&call.fields)? };
    if change.z.is_some_and(|z| !HEIGHTS.contains(&z)) {
        return Err(pose::out_of_range());
    }
    let name = call.names.first().expect("the route has a name");
    let placed = api.bridge.place_model(name, change).await?;
    Ok(reply::json(&ModelPlacedResponse::of(name, &placed)))
}
