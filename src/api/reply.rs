//! How answers are put together: JSON from a value, JSON from ready bytes, a stream of events.

use std::convert::Infallible;
use std::io;

use bytes::{Bytes, BytesMut};
use futures::{Stream, stream};
use serde::Serialize;
use tokio::io::AsyncReadExt;
use warp::Reply;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};

pub type Response = warp::reply::Response;

/// Tells a proxy that collects answers (nginx does) to pass this one on as it comes.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How much of a file is read at a time.
const FILE_PART: usize = 128 * 1024;

/// 200 with the value as JSON.
pub fn json(value: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(value).expect("wire structs have text keys, which is all that could fail");
    json_bytes(bytes.into())
}

/// 200 with bytes that are JSON already.
pub fn json_bytes(bytes: Bytes) -> Response {
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // The state of a moving world must not be answered from anybody's cache.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// 200 with a few words for people.
pub fn text(words: &'static str) -> Response {
    let mut response = Response::new(words.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// 200 with bytes of this type.
pub fn of_type(text: impl Into<Bytes>, content_type: &'static str) -> Response {
    let mut response = Response::new(text.into().into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// 200 with a file's content, read as the client takes it.
pub fn file(file: std::fs::File, bytes: u64, content_type: &'static str) -> Response {
    let file = tokio::fs::File::from_std(file);
    let parts = stream::try_unfold(file, |mut file| async move {
        let mut part = BytesMut::with_capacity(FILE_PART);
        let count = file.read_buf(&mut part).await?;
        Ok::<_, io::Error>((count > 0).then(|| (part.freeze(), file)))
    });
    let mut response = warp::reply::stream(parts).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes));
    response
}

/// 200 with a picture.
pub fn jpeg(picture: Bytes) -> Response {
    let mut response = of_type(picture, "image/jpeg");
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// 204, for answers that consist of their headers.
pub fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// 200 with server-sent events, each item being whole events in their wire form.
pub fn event_stream(events: impl Stream<Item = Bytes> + Send + Sync + 'static) -> Response {
    stream_of_type(events, "text/event-stream")
}

/// 200 with parts that go out as they come.
pub fn stream_of_type(
    parts: impl Stream<Item = Bytes> + Send + Sync + 'static,
    content_type: &'static str,
) -> Response {
    let mut response = warp::reply::stream(futures::StreamExt::map(parts, Ok::<_, Infallible>)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}
