//! `GET /overlay` and `POST /overlay`: the text over the picture.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{OverlayBody, WrittenBody};
use crate::domain::Caption;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::json(&OverlayBody::of(&api.bridge.snapshot().overlay)))
}

/// A text that is missing or empty takes away the one that is shown.
pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let default = Caption::default();
    let text = call.fields.text("text")?.unwrap_or_default();
    let ttl_s = call.fields.number("ttl")?.unwrap_or(default.ttl.as_secs_f64());
    let size = call.fields.number("size")?.unwrap_or(default.size);
    if text.chars().count() > Caption::MAX_CHARS {
        let message = format!("the text may have at most {} characters", Caption::MAX_CHARS);
        return Err(ApiError::bad_request("text_too_long", message));
    }
    check_range("ttl", "ttl_out_of_range", ttl_s, Caption::TTL_RANGE_S)?;
    check_range("size", "size_out_of_range", size, Caption::SIZE_RANGE)?;
    let caption = Caption { text, ttl: Duration::from_secs_f64(ttl_s), size };
    let overlay = api.bridge.show(caption).await?;
    Ok(reply::json(&WrittenBody { ok: true, body: OverlayBody::of(&overlay) }))
}

fn check_range(name: &str, code: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<(), ApiError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(ApiError::bad_request(code, format!("{name} must be from {} to {}", range.start(), range.end())))
}
