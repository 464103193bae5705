//! `/sim/docs`: the API for people, drawn by the page itself from `openapi.json`.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;

const PAGE: &str = include_str!("docs/page.html");

pub async fn read(_api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    Ok(reply::of_type(PAGE, "text/html; charset=utf-8"))
}
