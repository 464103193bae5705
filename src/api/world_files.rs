//! `GET /worlds/<name>/files/<path>`: the files of a world, its bundle's own first, then the shared ones.
//!
//! With `?format=triangles` a mesh is sent as triangles that need no reader of their own (`wire::triangles`). An address with
//! `rev=` of the scene never changes its content, so it may be kept for ever.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use warp::http::StatusCode;
use warp::http::header::{HeaderValue, X_CONTENT_TYPE_OPTIONS};

use crate::api::blocking;
use crate::api::cached::{self, Keep};
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::Response;
use crate::api::request::Call;
use crate::api::wire::triangles;
use crate::api::worlds::{self, files_rev};
use crate::scene::{TrianglesError, read_triangles};
use crate::worlds::bundle_path::FOLDERS;
use crate::worlds::{AssetError, Assets};

/// Larger files are no part of a world that anybody draws.
const MAX_BYTES: u64 = 64 << 20;

pub async fn read(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let bundle = worlds::bundle(&api, &call)?;
    let path = call.names.get(1).cloned().filter(|path| is_file_of_a_world(path)).ok_or_else(no_such_file)?;
    blocking(move || {
        let assets = api.worlds.catalogue().assets(&bundle);
        let asked_rev = call.head.query_value("rev");
        let is_fixed = asked_rev.is_some() && files_rev(&api, &bundle).ok() == asked_rev;
        let keep = if is_fixed { Keep::ForEver } else { Keep::AskFirst };
        let mut response = match call.head.query_value("format").as_deref() {
            None => as_it_is(&call, &assets, &path, keep),
            Some("triangles") => as_triangles(&call, &assets, &path, keep),
            Some(_) => Err(ApiError::bad_request("bad_format", "the only other format is `triangles`")),
        }?;
        // A picture that is really a page must not become one.
        response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        Ok(response)
    })
    .await?
}

/// Only folders of the published layout, and nothing hidden in them. What the parts lead to is checked where it is opened.
fn is_file_of_a_world(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_known = parts.next().is_some_and(|first| FOLDERS.contains(&first));
    is_known && parts.clone().next().is_some() && parts.all(|part| !part.is_empty() && !part.starts_with('.'))
}

fn as_it_is(call: &Call, assets: &Assets, path: &str, keep: Keep) -> Result<Response, ApiError> {
    let file = assets.open(path)?;
    let (length, stamp) = stamp(&file).map_err(|err| unreadable(path, &err))?;
    if length > MAX_BYTES {
        return Err(AssetError::TooLarge { path: path.to_owned(), limit_bytes: MAX_BYTES }.into());
    }
    let tag = cached::tag(&[path.as_bytes(), &length.to_le_bytes(), &stamp.to_le_bytes()]);
    cached::answer(call, &tag, keep, content_type(path), || {
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(|err| unreadable(path, &err))?;
        Ok(Bytes::from(bytes))
    })
}

fn as_triangles(call: &Call, assets: &Assets, path: &str, keep: Keep) -> Result<Response, ApiError> {
    let submesh = call.head.query_value("submesh");
    let center = call.head.query_value("center").as_deref() == Some("true");
    let parts = read_triangles(assets, path, submesh.as_deref().map(|name| (name, center)))?;
    let bytes = triangles::encode(&parts);
    // Made of several files, so that only the content itself can tell whether it has changed.
    let tag = cached::tag(&[&bytes]);
    cached::answer(call, &tag, keep, "application/octet-stream", || Ok(bytes.into()))
}

fn stamp(file: &File) -> std::io::Result<(u64, u128)> {
    let meta = file.metadata()?;
    let changed = meta.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((meta.len(), changed.as_nanos()))
}

fn content_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "dae" => "model/vnd.collada+xml",
        "stl" => "model/stl",
        "obj" => "model/obj",
        "mtl" => "model/mtl",
        "json" => "application/json",
        // World files, scripts: text, so that a browser shows it and never runs it.
        "world" | "sdf" | "config" | "py" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn no_such_file() -> ApiError {
    ApiError::not_found("no_such_file", "this world has no such file")
}

fn unreadable(path: &str, err: &std::io::Error) -> ApiError {
    let message = format!("the file \"{path}\" cannot be read: {err}");
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "unreadable_file", message)
}

impl From<AssetError> for ApiError {
    fn from(err: AssetError) -> Self {
        match &err {
            AssetError::BadPath { .. }
            | AssetError::NotFound(_)
            | AssetError::LeadsOut(_)
            | AssetError::NotAFile(_) => no_such_file(),
            AssetError::TooLarge { .. } => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "file_too_large", err.to_string())
            }
            AssetError::Io { path, source } => unreadable(path, source),
        }
    }
}

impl From<TrianglesError> for ApiError {
    fn from(err: TrianglesError) -> Self {
        match err {
            TrianglesError::Asset(err) => err.into(),
            TrianglesError::Mesh(err) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "broken_mesh", err.to_string()),
            TrianglesError::NoSuchPart(_) => Self::not_found("no_such_submesh", err.to_string()),
        }
    }
}
