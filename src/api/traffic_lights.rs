//! `GET /traffic_lights` and `POST /traffic_lights/<name>`: the lights of the world.

use std::sync::Arc;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{LightBody, LightCommandedResponse, TrafficLightsResponse};
use crate::domain::LightCommand;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::json(&TrafficLightsResponse::of(&api.bridge.snapshot())))
}

/// Green to red goes through yellow, and the answer shows it.
pub async fn command(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let command = match Fields::required("state", call.fields.text("state")?)?.as_str() {
        "green" => LightCommand::Green,
        "red" => LightCommand::Red,
        _ => return Err(ApiError::bad_request("bad_light_state", "the state of a light must be \"red\" or \"green\"")),
    };
    let name = call.names.first().expect("the route has a name");
    let (light, now) = api.bridge.command_light(name, command).await?;
    Ok(reply::json(&LightCommandedResponse { ok: true, light: LightBody::of(&light, now) }))
}
