//! Asks a node for `/sim/api/status` with the least HTTP that works: one request, one short answer, connection closed.

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
    let answer = timeout(LIMIT, exchange(address, token)).await.ok()?.ok()?;
    parse(&answer)
}

async fn exchange(address: SocketAddr, token: Option<&Token>) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let authorization = token.map(|token| format!("Authorization: Bearer {}\r\n", token.expose())).unwrap_or_default();
    // HTTP/1.0 rules out a chunked answer.
    let request = format!("GET /sim/api/status HTTP/1.0\r\nHost: {address}\r\n{authorization}\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER).read_to_string(&mut answer).await?;
    Ok(answer)
}

fn parse(answer: &str) -> Option<Status> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let mut first = head.lines().next()?.split(' ');
    let is_ok = first.next()?.starts_with("HTTP/1.") && first.next()? == "200";
    if is_ok { serde_json::from_str(body).ok() } else { None }
}
