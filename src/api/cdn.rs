//! `/cdn/...`: the worlds published on this machine, for simulators that install them.
//!
//! Only what a world's meta.json names is handed out; there are no listings. A private world needs the token, if one is set. The files come
//! from whoever built the world, so no browser is to run anything in them.

use std::sync::Arc;

use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::{Call, RequestHead};
use crate::api::{blocking, guard};
use crate::worlds::{Meta, PublishError, WorldId};

/// Everything below this is open to those without a token, as far as the worlds are public.
pub const PREFIX: &str = "/cdn/";

/// A published file never changes; whether a world is public can.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
const NOT_FOR_ALL: HeaderValue = HeaderValue::from_static("private, no-store");

pub async fn meta(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (meta, text) = published(&api, &call).await?;
    let mut response = reply::of_type(text, "application/json");
    finish(&mut response, if meta.is_public() { ASK_AGAIN } else { NOT_FOR_ALL });
    Ok(response)
}

pub async fn file(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (meta, _) = published(&api, &call).await?;
    let [id, rev, path] = &call.names[..] else { unreachable!("the route has three names") };
    let content_type = content_type(path);
    let is_public = meta.is_public();
    let (cdn, id, rev, path) = (api.stock.cdn.clone(), parse(id)?, rev.clone(), path.clone());
    let opened = blocking(move || cdn.open(&id, &meta, &rev, &path)).await??;
    let (file, bytes) = opened.ok_or_else(nothing_here)?;
    let mut response = reply::file(file, bytes, content_type);
    finish(&mut response, if is_public { FOR_EVER } else { NOT_FOR_ALL });
    Ok(response)
}

/// What is published under the id of this address, if the client may have it.
async fn published(api: &Api, call: &Call) -> Result<(Meta, Vec<u8>), ApiError> {
    let id = parse(call.names.first().expect("the route has a name"))?;
    let cdn = api.stock.cdn.clone();
    let (meta, text) = blocking(move || cdn.meta_with_text(&id)).await??;
    check_access(&meta, &call.head, api)?;
    Ok((meta, text))
}

fn check_access(meta: &Meta, head: &RequestHead, api: &Api) -> Result<(), ApiError> {
    if meta.is_public() { Ok(()) } else { guard::check_token(head, &api.guard) }
}

fn parse(id: &str) -> Result<WorldId, ApiError> {
    WorldId::parse(id).map_err(|_| nothing_here())
}

fn nothing_here() -> ApiError {
    ApiError::not_found("no_such_file", "no such file is published here")
}

fn finish(response: &mut Response, cache: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, cache);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
}

fn content_type(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "json" => "application/json",
        "zip" => "application/zip",
        "world" | "sdf" | "config" | "dae" => "application/xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "py" | "obj" | "mtl" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

impl From<PublishError> for ApiError {
    fn from(err: PublishError) -> Self {
        match &err {
            PublishError::NotFound(_) => nothing_here(),
            PublishError::Path(_)
            | PublishError::List(_)
            | PublishError::Layout(_)
            | PublishError::Content(_)
            | PublishError::Bundle(_)
            | PublishError::TooLarge
            | PublishError::Link(_)
            | PublishError::NotRegular(_)
            | PublishError::Id(_)
            | PublishError::BadName
            | PublishError::Damaged(_)
            | PublishError::Io { .. } => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "published_world_damaged", err.to_string())
            }
        }
    }
}
