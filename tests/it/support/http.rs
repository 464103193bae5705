//! A client that sends exactly the bytes it is given, right or wrong.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::in_time;

/// One connection with what has been read of it and not used yet.
pub struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The code of an error, after checking that it has a sentence as well.
    pub fn code(&self) -> String {
        let json = self.json();
        assert!(json["error"].as_str().is_some_and(|error| !error.is_empty()), "{json}");
        json["code"].as_str().expect("an error has a code").to_owned()
    }
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.expect("the server listens"), unread: Vec::new() }
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        in_time(self.stream.write_all(bytes)).await.expect("the server takes the bytes");
    }

    /// Sends without waiting; false when there is no room.
    pub fn try_send(&mut self, bytes: &[u8]) -> bool {
        self.stream.try_write(bytes).is_ok_and(|sent| sent == bytes.len())
    }

    /// Sends, and says whether the server still lets it.
    pub async fn send_or_end(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }

    /// Says that nothing more will be sent.
    pub async fn finish_sending(&mut self) {
        // The server may have closed already.
        let _ = self.stream.shutdown().await;
    }

    /// Reads the head of an answer and says whether events follow.
    pub async fn event_stream(&mut self) -> bool {
        self.head().await.is_some_and(|head| head.header("content-type") == Some("text/event-stream"))
    }

    /// More bytes from the server; false at the end.
    async fn read_more(&mut self) -> bool {
        let read = in_time(self.stream.read_buf(&mut self.unread)).await;
        read.is_ok_and(|count| count > 0)
    }

    /// Everything up to and including the mark; None when the connection ends before it.
    pub async fn read_until(&mut self, mark: &[u8]) -> Option<Vec<u8>> {
        let mut searched = 0;
        loop {
            if let Some(at) = self.unread[searched..].windows(mark.len()).position(|window| window == mark) {
                let rest = self.unread.split_off(searched + at + mark.len());
                return Some(std::mem::replace(&mut self.unread, rest));
            }
            searched = (self.unread.len() + 1).saturating_sub(mark.len());
            if !self.read_more().await {
                return None;
            }
        }
    }

    /// Waits for the server to close.
    pub async fn read_to_end(mut self) -> Vec<u8> {
        while self.read_more().await {}
        self.unread
    }

    pub async fn head(&mut self) -> Option<Answer> {
        let head = String::from_utf8(self.read_until(b"\r\n\r\n").await?).expect("a head is text");
        let mut lines = head.trim_end().lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().expect("a status line has a number");
        let headers = lines.filter_map(|line| line.split_once(": ")).map(|(k, v)| (k.into(), v.into())).collect();
        Some(Answer { status, headers, body: Vec::new() })
    }

    /// One answer whose length is announced.
    pub async fn answer(&mut self) -> Option<Answer> {
        let mut answer = self.head().await?;
        let length = answer.header("content-length").map_or(0, |length| length.parse().expect("a length"));
        while self.unread.len() < length {
            assert!(self.read_more().await, "the body is cut off");
        }
        let rest = self.unread.split_off(length);
        answer.body = std::mem::replace(&mut self.unread, rest);
        Some(answer)
    }

    /// The next server-sent event or comment, without the framing of chunks.
    pub async fn event(&mut self) -> Option<String> {
        let size = self.read_until(b"\r\n").await?;
        let size = usize::from_str_radix(std::str::from_utf8(&size).ok()?.trim(), 16).expect("a chunk has a size");
        while self.unread.len() < size + 2 {
            if !self.read_more().await {
                return None;
            }
        }
        let rest = self.unread.split_off(size + 2);
        let mut chunk = std::mem::replace(&mut self.unread, rest);
        chunk.truncate(size);
        (size > 0).then(|| String::from_utf8(chunk).expect("events are text"))
    }
}

/// The data of a `state` event.
pub fn state_of(event: &str) -> Value {
    let data = event.strip_prefix("event: state\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
    serde_json::from_str(data.unwrap_or_else(|| panic!("not a state event: {event}"))).expect("its data is JSON")
}

/// Sends one request as it is and returns the answer.
pub async fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut connection = Connection::open(address).await;
    connection.send(request).await;
    connection.answer().await.expect("the server answers")
}

/// A request like a plain client's, with more header lines (each ended by CR LF) and a body.
pub fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{method} {path} HTTP/1.1\r\nHost: localhost:1\r\n{headers}").into_bytes();
    if !body.is_empty() {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}

pub async fn get(address: SocketAddr, path: &str) -> Answer {
    exchange(address, &request("GET", path, "", b"")).await
}

pub async fn delete(address: SocketAddr, path: &str) -> Answer {
    exchange(address, &request("DELETE", path, "", b"")).await
}

pub async fn post(address: SocketAddr, path: &str, body: impl AsRef<[u8]>) -> Answer {
    exchange(address, &request("POST", path, "", body.as_ref())).await
}
