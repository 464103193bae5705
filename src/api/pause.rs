//! `POST /pause`: simulation time stands still or goes on.

use std::sync::Arc;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::PauseResponse;
use crate::api::wire::number::seconds;

pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let paused = Fields::required("paused", call.fields.boolean("paused")?)?;
    // While an evaluation keeps the simulator in step, it alone lets time go on.
    let done =
        if api.judge.is_lockstep() { api.judge.hold(paused).await? } else { api.bridge.set_paused(paused).await? };
    Ok(reply::json(&PauseResponse { ok: true, paused, time: seconds(done.state.stamp) }))
}
