//! `GET /camera`: the newest picture of the vehicle's camera, or with `?stream=true` all of them as they come.
//!
//! The camera runs only while somebody looks, so the first picture may take a moment.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use warp::http::StatusCode;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::bridge::sensors::Camera;

/// How long the first picture may take. The camera makes fifteen in a second, once it runs.
const FIRST_PICTURE: Duration = Duration::from_secs(2);

pub async fn read(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    if api.bridge.snapshot().world.is_none() {
        return Err(ApiError::not_found("no_world_running", "no world running"));
    }
    let streams = call.head.query_flag("stream")?;
    let mut camera = api.bridge.camera();
    let first = timeout(FIRST_PICTURE, camera.newest()).await.ok().flatten();
    let first = first.ok_or_else(|| {
        let message =
            "no picture came from the camera within 2 s: the robot stack does not run or the simulation stands";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "no_picture", message)
    })?;
    if streams {
        let parts = pictures(camera, first.jpeg.clone(), api.shutdown.clone());
        return Ok(reply::stream_of_type(parts, "multipart/x-mixed-replace; boundary=picture"));
    }
    Ok(reply::jpeg(first.jpeg.clone()))
}

/// The pictures as parts of one answer. A client that is slow sees fewer of them.
fn pictures(camera: Camera, first: Bytes, shutdown: CancellationToken) -> impl Stream<Item = Bytes> + Send + Sync {
    let next = stream::unfold((camera, shutdown), |(mut camera, shutdown)| async move {
        let picture = tokio::select! {
            () = shutdown.cancelled() => None,
            picture = camera.next() => picture,
        };
        picture.map(|picture| (part(&picture.jpeg), (camera, shutdown)))
    });
    stream::once(ready(part(&first))).chain(next)
}

fn part(jpeg: &Bytes) -> Bytes {
    let head = format!("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", jpeg.len());
    [head.as_bytes(), jpeg, b"\r\n"].concat().into()
}
