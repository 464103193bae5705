//! `POST /models/<name>/pose`: putting an object or a light elsewhere.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::pose;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::ModelPlacedResponse;
use crate::domain::PoseChange;

/// Stands the model upright where it is asked to stand; what is omitted stays as it is.
pub async fn place(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let z = call.fields.number("z")?;
    let change = pose::check_range(PoseChange { z, ..pose::read_change(&call.fields)? })?;
    let name = call.names.first().expect("the route has a name");
    let placed = api.bridge.place_model(name, change).await?;
    Ok(reply::json(&ModelPlacedResponse::of(name, &placed)))
}
