//! `POST /respawn`: the present world loaded again; answers when the car stands in it.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::RespawnResponse;

pub async fn write(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let done = api.bridge.respawn().await?;
    Ok(reply::json(&RespawnResponse {
        ok: true,
        world: done.snapshot.world.as_ref().map(|world| world.file()),
        inplace: true,
        epoch: done.state.epoch.0,
    }))
}
