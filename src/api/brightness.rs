//! `GET /brightness` and `POST /brightness`: how bright camera and page show the world.

use std::sync::Arc;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{BrightnessBody, WrittenBody};
use crate::domain::Brightness;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::json(&BrightnessBody { value: api.bridge.snapshot().brightness.factor() }))
}

pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let value = Fields::required("value", call.fields.number("value")?)?;
    let brightness = Brightness::new(value).ok_or_else(|| {
        let (min, max) = (Brightness::RANGE.start(), Brightness::RANGE.end());
        ApiError::bad_request("brightness_out_of_range", format!("the brightness must be from {min} to {max}"))
    })?;
    let brightness = api.bridge.set_brightness(brightness).await?;
    Ok(reply::json(&WrittenBody { ok: true, body: BrightnessBody { value: brightness.factor() } }))
}
