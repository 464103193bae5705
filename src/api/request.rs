//! A request as the handlers see it: the head, the parts of the path that stand for names, the body's fields.

use warp::http::header::{HeaderName, HeaderValue};
use warp::http::{HeaderMap, Method, Version};

use crate::api::body::Fields;
use crate::api::error::ApiError;

/// Everything that comes before the body.
#[derive(Debug, Clone)]
pub struct RequestHead {
    pub method: Method,
    pub version: Version,
    /// As sent, still percent-encoded.
    pub path: String,
    /// What follows the question mark, or nothing.
    pub query: String,
    pub headers: HeaderMap,
}

impl RequestHead {
    /// A header's text; None when it is absent or not plain text.
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Every line of a header, those that are not text as an empty string.
    pub fn header_lines(&self, name: HeaderName) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).iter().map(|value: &HeaderValue| value.to_str().unwrap_or_default())
    }

    /// The first value that the query has for this key, decoded.
    pub fn query_value(&self, key: &str) -> Option<String> {
        self.query.split('&').find_map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (percent_decoded(name)? == key).then(|| percent_decoded(&value.replace('+', " "))).flatten()
        })
    }

    /// A yes or no of the query; one that is not there means no.
    pub fn query_flag(&self, key: &str) -> Result<bool, ApiError> {
        match self.query_value(key).as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(ApiError::bad_request("bad_query", format!("{key} is true or false"))),
        }
    }

    /// Whether this request only looks.
    pub fn is_read(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD | Method::OPTIONS)
    }
}

/// A request that found its handler.
#[derive(Debug)]
pub struct Call {
    pub head: RequestHead,
    /// The path's `{name}` parts in their order.
    pub names: Vec<String>,
    pub fields: Fields,
}

/// Undoes percent-encoding; None when it is broken or the result is not UTF-8.
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { hex_digit(bytes.next()?)? << 4 | hex_digit(bytes.next()?)? } else { byte });
    }
    String::from_utf8(decoded).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
