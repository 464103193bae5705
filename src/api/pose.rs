//! `GET /pose` and `POST /pose`: where the vehicle stands, and putting it elsewhere.

use std::sync::Arc;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{VehicleBody, VehiclePlacedResponse};
use crate::domain::PoseChange;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let snapshot = api.bridge.snapshot();
    let vehicle = snapshot.world.as_ref().and_then(|_| VehicleBody::of(&snapshot));
    let vehicle = vehicle.ok_or_else(|| ApiError::not_found("no_world_running", "no world running"))?;
    Ok(reply::json(&vehicle))
}

/// The part of a new pose that the vehicle and models have in common.
pub fn read_change(fields: &Fields) -> Result<PoseChange, ApiError> {
    let change = PoseChange {
        x: fields.number("x")?,
        y: fields.number("y")?,
        z: None,
        yaw: fields.number("yaw")?.map(|yaw| yaw.rem_euclid(std::f64::consts::TAU)),
    };
    check_range(change)
}

pub fn check_range(change: PoseChange) -> Result<PoseChange, ApiError> {
    let out_of_range = || ApiError::bad_request("position_out_of_range", "position out of range");
    change.is_in_range().then_some(change).ok_or_else(out_of_range)
}

/// Stands the vehicle upright where it is asked to stand; what is omitted stays as it is.
pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let change = read_change(&call.fields)?;
    let placed = api.bridge.place_vehicle(change).await?;
    Ok(reply::json(&VehiclePlacedResponse::of(&placed)))
}
