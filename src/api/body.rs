//! The request body: collected up to a limit, then read field by field.
//!
//! A body is a JSON object or nothing. Fields that nobody asks for are never looked into, so older clients may send
//! what they like; a field that is asked for has the right type or the request is refused by the field's name.
//! Of a field given twice the last one counts. Nothing here recurses, so nesting cannot exhaust the stack.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use futures::{Stream, StreamExt};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use tokio::time::timeout;
use warp::Buf;
use warp::http::StatusCode;
use warp::http::header::{CONTENT_LENGTH, EXPECT, TRANSFER_ENCODING};

use crate::api::error::ApiError;
use crate::api::request::RequestHead;

/// Longest body accepted; the longest meaningful one, an overlay or a command line, has a few thousand bytes.
pub const BODY_LIMIT: usize = 64 * 1024;
/// How long a client may take to send one.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How much of a refused body is still read. Closing a connection with unread bytes resets it, and the reset can
/// overtake the answer that says why.
const DRAIN_LIMIT: usize = 16 * 1024 * 1024;
/// A refused client that sends nothing for this long gets its answer without further waiting.
const DRAIN_PAUSE: Duration = Duration::from_millis(250);

/// The whole body, or 413 when it is longer than [`BODY_LIMIT`], or 408 when it does not come.
pub async fn collect<B: Buf>(
    head: &RequestHead,
    body: impl Stream<Item = Result<B, warp::Error>>,
) -> Result<Vec<u8>, ApiError> {
    let mut collected = Vec::new();
    if !is_announced(head) {
        return Ok(collected);
    }
    let mut body = std::pin::pin!(body);
    let too_long = || ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", "the body is longer than 64 KiB");
    if head.header(CONTENT_LENGTH).and_then(|length| length.parse().ok()).unwrap_or(0) > BODY_LIMIT {
        drain(head, body).await;
        return Err(too_long());
    }
    let reading = async {
        while let Some(chunk) = body.next().await {
            let mut chunk = chunk.map_err(|_| ApiError::bad_request("broken_body", "the body broke off"))?;
            while chunk.has_remaining() {
                let part = chunk.chunk();
                collected.extend_from_slice(part);
                let length = part.len();
                chunk.advance(length);
            }
            if collected.len() > BODY_LIMIT {
                return Err(too_long());
            }
        }
        Ok(())
    };
    let late = || ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", "the body did not arrive in time");
    match timeout(BODY_TIMEOUT, reading).await.unwrap_or_else(|_| Err(late())) {
        Ok(()) => Ok(collected),
        Err(err) => {
            if err.status == StatusCode::PAYLOAD_TOO_LARGE {
                drain(head, body).await;
            }
            Err(err)
        }
    }
}

/// Reads and forgets the body of a request that is refused anyway, within limits of size and time.
pub async fn drain<B: Buf>(head: &RequestHead, body: impl Stream<Item = Result<B, warp::Error>>) {
    // A client that asks before it sends has sent nothing yet, and reading would invite it to.
    if !is_announced(head) || head.headers.contains_key(EXPECT) {
        return;
    }
    let reading = async {
        let mut body = std::pin::pin!(body);
        let mut seen = 0;
        while let Ok(Some(Ok(chunk))) = timeout(DRAIN_PAUSE, body.next()).await {
            seen += chunk.remaining();
            if seen > DRAIN_LIMIT {
                break;
            }
        }
    };
    // Running out of time here changes nothing about the answer.
    let _ = timeout(BODY_TIMEOUT, reading).await;
}

fn is_announced(head: &RequestHead) -> bool {
    head.headers.contains_key(TRANSFER_ENCODING) || head.header(CONTENT_LENGTH).is_some_and(|length| length != "0")
}

/// The fields of a body, each read when it is asked for.
#[derive(Debug, Default)]
pub struct Fields {
    raw: BTreeMap<String, Box<RawValue>>,
}

impl Fields {
    /// Takes the object apart; an empty body counts as an empty object.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let malformed = |message: String| ApiError::bad_request("malformed_body", message);
        let text = std::str::from_utf8(body).map_err(|_| malformed("the body is not UTF-8".into()))?;
        if text.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let mut raw = BTreeMap::new();
        let mut key_being_read = None;
        let mut reader = serde_json::Deserializer::from_str(text);
        let seed = ObjectSeed { raw: &mut raw, key_being_read: &mut key_being_read };
        let parsed = seed.deserialize(&mut reader).and_then(|()| reader.end());
        match (parsed, key_being_read) {
            (Ok(()), _) => Ok(Self { raw }),
            // Some clients write NaN and Infinity, which JSON does not have; they are told where.
            (Err(_), Some(key)) => Err(bad_field(&key, "has a value that is not JSON")),
            (Err(err), None) if err.is_data() => Err(malformed("the body must be a JSON object".into())),
            (Err(err), None) => Err(malformed(format!("the body is not JSON: {err}"))),
        }
    }

    /// A finite number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, ApiError> {
        self.read::<f64>(name, "must be a finite number")
    }

    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ApiError> {
        self.read(name, "must be true or false")
    }

    pub fn text(&self, name: &str) -> Result<Option<String>, ApiError> {
        self.read(name, "must be a string")
    }

    /// The field that a request makes no sense without.
    pub fn required<T>(name: &str, value: Option<T>) -> Result<T, ApiError> {
        value.ok_or_else(|| bad_field(name, "is missing"))
    }

    fn read<T: DeserializeOwned>(&self, name: &str, rule: &str) -> Result<Option<T>, ApiError> {
        match self.raw.get(name) {
            None => Ok(None),
            Some(raw) => serde_json::from_str(raw.get()).map_err(|_| bad_field(name, rule)),
        }
    }
}

fn bad_field(name: &str, rule: &str) -> ApiError {
    // The name may come from the client; a few characters of it are enough to find it again.
    let shown: String = name.chars().take(64).collect();
    ApiError::bad_request("bad_field", format!("field \"{shown}\" {rule}"))
}

/// Reads an object into raw values and remembers which key it is at, for the message when the value is broken.
struct ObjectSeed<'a> {
    raw: &'a mut BTreeMap<String, Box<RawValue>>,
    key_being_read: &'a mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for ObjectSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ObjectSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            *self.key_being_read = Some(key.clone());
            let value = map.next_value()?;
            *self.key_being_read = None;
            self.raw.insert(key, value);
        }
        Ok(())
    }
}
