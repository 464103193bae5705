//! Answers that clients may keep: an `ETag`, how long it holds, and 304 for those who have it already.

use bytes::Bytes;
use ring::digest;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH};

use crate::api::reply::Response;
use crate::api::request::Call;

/// How long a copy may be used without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Never: a copy is good after the server has said so.
    AskFirst,
    /// As long as anybody likes: the address changes with the content. Only in the client's own cache, because what a
    /// token protects must not lie in a proxy.
    ForEver,
}

/// A tag from what makes one content differ from another.
pub fn tag(parts: &[&[u8]]) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_le_bytes());
        context.update(part);
    }
    let hex = context.finish().as_ref()[..12].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("\"{hex}\"")
}

/// 304 when the client shows that it has this very content; otherwise `content` is made and sent.
pub fn answer<E>(
    call: &Call,
    tag: &str,
    keep: Keep,
    content_type: &'static str,
    content: impl FnOnce() -> Result<Bytes, E>,
) -> Result<Response, E> {
    let mut response = if has_it(call, tag) {
        let mut response = Response::new(Bytes::new().into());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(content()?.into());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        response
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::from_str(tag).expect("hex digits between quotes"));
    let keep = match keep {
        Keep::AskFirst => "no-cache",
        Keep::ForEver => "private, max-age=31536000, immutable",
    };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    Ok(response)
}

fn has_it(call: &Call, tag: &str) -> bool {
    let mut shown = call.head.header_lines(IF_NONE_MATCH).flat_map(|line| line.split(',')).map(str::trim);
    shown.any(|shown| shown == "*" || shown.strip_prefix("W/").unwrap_or(shown) == tag)
}
