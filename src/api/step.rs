//! `POST /step`: a paused simulation advanced by whole steps, exactly.

use std::sync::Arc;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{StateResponse, StepResponse};
use crate::domain::DriveTarget;

/// 100 simulated seconds in one request.
pub const MAX_STEPS: u32 = 20_000;

/// With a speed or a steering angle the vehicle is driven so from the first step on; the one that is omitted is 0.
pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let steps = Fields::required("steps", call.fields.number("steps")?)?;
    let (speed, steering) = (call.fields.number("speed")?, call.fields.number("steering")?);
    if steps.fract() != 0.0 || !(1.0..=f64::from(MAX_STEPS)).contains(&steps) {
        let message = format!("steps must be a whole number from 1 to {MAX_STEPS}");
        return Err(ApiError::bad_request("steps_out_of_range", message));
    }
    let drive = (speed.is_some() || steering.is_some()).then(|| DriveTarget {
        speed_m_s: speed.unwrap_or_default(),
        steering_rad: steering.unwrap_or_default(),
        ..DriveTarget::default()
    });
    // While an evaluation keeps the simulator in step, its script sees every observation on the way.
    let done = if api.judge.is_lockstep() {
        api.judge.step(steps as u32, drive).await?
    } else {
        api.bridge.step(steps as u32, drive).await?
    };
    Ok(reply::json(&StepResponse { ok: true, state: StateResponse::of(&done.snapshot) }))
}
