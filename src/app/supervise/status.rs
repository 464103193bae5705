//! Asks a node, above all for `/sim/api/status`, with the least HTTP that works: one request, one answer, connection closed.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::app::settings::Token;

const LIMIT: Duration = Duration::from_secs(1);
/// A status is a few hundred bytes; whatever sends more is not our node.
const MAX_ANSWER: u64 = 64 * 1024;

/// The part of the answer that matters here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Status {
    pub running: bool,
    pub current: Option<String>,
}

/// None when nobody answers within a second, or something that is not a status.
pub async fn ask(address: SocketAddr, token: Option<&Token>) -> Option<Status> {
    let request = Request { method: "GET", path: "/sim/api/status", body: "" };
    let asked = exchange(address, token, &request, MAX_ANSWER);
    let (code, body) = timeout(LIMIT, asked).await.ok()?.ok()?;
    if code == 200 { serde_json::from_str(&body).ok() } else { None }
}

/// One request; an empty body is none.
#[derive(Debug)]
pub struct Request<'a> {
    pub method: &'static str,
    pub path: &'a str,
    pub body: &'a str,
}

/// Status code and body of the answer.
pub async fn exchange(
    address: SocketAddr,
    token: Option<&Token>,
    request: &Request<'_>,
    max_bytes: u64,
) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address).await?;
    let authorization = token.map(|token| format!("Authorization: Bearer {}\r\n", token.expose())).unwrap_or_default();
    let Request { method, path, body } = request;
    let length = body.len();
    // HTTP/1.0 rules out a chunked answer.
    let head = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\n{authorization}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(max_bytes).read_to_string(&mut answer).await?;
    parse(&answer).ok_or_else(|| io::Error::other("the answer is not HTTP"))
}

fn parse(answer: &str) -> Option<(u16, String)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let mut first = head.lines().next()?.split(' ');
    let code = first.next()?.starts_with("HTTP/1.").then(|| first.next()?.parse().ok())??;
    Some((code, body.to_owned()))
}
