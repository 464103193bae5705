//! A worlds server on a port of its own, which answers what the test wants, right or wrong.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

const SLOW_PART: usize = 32 * 1024;

#[derive(Clone)]
pub enum Answer {
    /// Status, further header lines, body.
    Plain(u16, String, Vec<u8>),
    /// The head announces this length, whatever the body has; then the connection ends.
    Announced(u64, Vec<u8>),
    /// The body, one byte too few, and then silence.
    Stall(Vec<u8>),
    /// Not even a head.
    Silence,
    /// A good answer in small parts with pauses, each of which is counted.
    Slow(Vec<u8>),
    /// A body without end.
    Endless,
    /// A good answer, but only when the test adds a permit.
    Gated(Arc<Semaphore>, Vec<u8>),
    /// What this is, one byte at a time for ever, slowly enough to never be idle.
    Drip,
}

impl Answer {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::Plain(200, String::new(), body.into())
    }

    /// How many parts a slow answer of this length has.
    pub fn parts(bytes: usize) -> u64 {
        bytes.div_ceil(SLOW_PART) as u64
    }

    pub fn redirect(to: &str) -> Self {
        Self::Plain(302, format!("Location: {to}\r\n"), Vec::new())
    }
}

pub struct Cdn {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    answers: Mutex<HashMap<String, Answer>>,
    /// The heads of all requests.
    requests: Mutex<Vec<String>>,
    /// Parts of slow answers.
    sent_parts: AtomicU64,
}

impl Cdn {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, theirs.clone()));
            }
        });
        Self { address, shared, task }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn put(&self, path: &str, answer: Answer) {
        self.shared.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Paths in the order of their requests.
    pub fn requests(&self) -> Vec<String> {
        let path = |head: &String| head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.shared.requests.lock().unwrap().iter().map(path).collect()
    }

    /// Of all slow answers so far.
    pub fn sent_parts(&self) -> u64 {
        self.shared.sent_parts.load(Ordering::Relaxed)
    }

    pub fn heads(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }
}

impl Drop for Cdn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).expect("a head is text");
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    shared.requests.lock().unwrap().push(head);
    let answer = shared.answers.lock().unwrap().get(&path).cloned();
    let missing = Answer::Plain(404, String::new(), b"no such thing".to_vec());
    // The client may go away at any time, which is often the point of the test.
    let _ = send(&mut stream, answer.unwrap_or(missing), &shared).await;
}

async fn send(stream: &mut TcpStream, answer: Answer, shared: &Shared) -> std::io::Result<()> {
    match answer {
        Answer::Plain(status, headers, body) => {
            stream.write_all(head(status, &headers, body.len() as u64).as_bytes()).await?;
            stream.write_all(&body).await
        }
        Answer::Announced(length, body) => {
            stream.write_all(head(200, "", length).as_bytes()).await?;
            stream.write_all(&body).await
        }
        Answer::Stall(body) => {
            stream.write_all(head(200, "", body.len() as u64).as_bytes()).await?;
            stream.write_all(&body[..body.len() - 1]).await?;
            std::future::pending().await
        }
        Answer::Silence => std::future::pending().await,
        Answer::Slow(body) => {
            stream.write_all(head(200, "", body.len() as u64).as_bytes()).await?;
            for part in body.chunks(SLOW_PART) {
                stream.write_all(part).await?;
                shared.sent_parts.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
            Ok(())
        }
        Answer::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await?;
            loop {
                stream.write_all(&[b' '; 8192]).await?;
            }
        }
        Answer::Gated(gate, body) => {
            gate.acquire().await.expect("gates stay open").forget();
            stream.write_all(head(200, "", body.len() as u64).as_bytes()).await?;
            stream.write_all(&body).await
        }
        Answer::Drip => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await?;
            loop {
                stream.write_all(b" ").await?;
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        }
    }
}

fn head(status: u16, headers: &str, length: u64) -> String {
    format!("HTTP/1.1 {status} Test\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n")
}
