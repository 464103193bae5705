//! The listening side: accepts connections, limits them, ends them.
//!
//! warp's own server offers no header timeout, no limit of connections and no bound on its graceful end, so the filter is
//! served through hyper here. Only HTTP/1 is spoken: browsers do not speak HTTP/2 without TLS.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use warp::http::header::{HOST, HeaderValue};
use warp::http::{Request, Version};
use warp::hyper::body::Incoming;
use warp::hyper::server::conn::http1;
use warp::hyper::service::{Service, service_fn};
use warp::{Filter, Rejection};

use crate::api::reply::Response;
use crate::api::stall::StallGuard;

/// A class of pages, scripts and pollers, several times over.
const MAX_CONNECTIONS: usize = 4096;
/// Files that the rest of the process may need when the system allows fewer files than that.
const RESERVED_FILES: u64 = 256;
/// What one connection may buffer in each direction, and with it the longest request head.
const CONNECTION_BUFFER: usize = 64 * 1024;
/// Requests under way at shutdown get this long to finish.
const GRACE: Duration = Duration::from_secs(3);
/// Pause after the system had no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 62\r\n\
    Connection: close\r\n\r\n{\"error\":\"too many connections\",\"code\":\"too_many_connections\"}";

/// What connections may cost. The defaults suit everybody; tests choose smaller ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    pub max_connections: usize,
    /// Within this time a request head is complete; also how long a connection may stay open between two requests.
    pub head_timeout: Duration,
    /// A client that takes nothing for this long is gone.
    pub write_stall: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            max_connections: MAX_CONNECTIONS,
            head_timeout: Duration::from_secs(30),
            write_stall: Duration::from_secs(60),
        }
    }
}

/// Why serving ended other than by being told to.
#[derive(Debug, Error)]
pub enum ApiServeError {
    #[error("the listening socket failed: {0}")]
    Listener(#[source] io::Error),
}

/// Serves until `shutdown`; leaves no task behind.
pub async fn run<F>(
    listener: TcpListener,
    filter: F,
    limits: ConnectionLimits,
    shutdown: CancellationToken,
) -> Result<(), ApiServeError>
where
    F: Filter<Extract = (Response,), Error = Rejection> + Clone + Send + Sync + 'static,
    F::Future: Send,
{
    let most = limits.max_connections.min(room_for_connections());
    let service = TowerToHyperService::new(warp::service(filter));
    let graceful = GracefulShutdown::new();
    let silent = Arc::new(SilentConnections::default());
    let mut connections = JoinSet::new();
    let mut accepted = 0_u64;
    let outcome = loop {
        let stream = tokio::select! {
            () = shutdown.cancelled() => break Ok(()),
            Some(_) = connections.join_next() => continue,
            result = listener.accept() => match result {
                Ok((stream, _)) => stream,
                Err(err) => match AcceptFailure::of(&err) {
                    AcceptFailure::Client => continue,
                    AcceptFailure::NoRoom => {
                        tracing::warn!(%err, "no room for another connection");
                        silent.drop_oldest();
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                        continue;
                    }
                    AcceptFailure::Listener => break Err(ApiServeError::Listener(err)),
                },
            },
        };
        if connections.len() >= most && !silent.drop_oldest() {
            // A client that does not get even this learns from the closed connection.
            let _ = stream.try_write(FULL);
            continue;
        }
        accepted += 1;
        let dropped = silent.enter(accepted);
        let connection = drive(stream, limits.clone(), service.clone(), accepted, silent.clone(), graceful.watcher());
        let silent = silent.clone();
        connections.spawn(async move {
            tokio::select! {
                () = dropped.cancelled() => tracing::debug!("a silent connection made room for another"),
                result = connection => if let Err(err) = result {
                    tracing::debug!(%err, "a connection ended early");
                },
            }
            silent.leave(accepted);
        });
    };
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("cutting off connections that did not finish in time");
    }
    connections.shutdown().await;
    outcome
}

/// Carries one connection through hyper to its end.
async fn drive<S>(
    stream: TcpStream,
    limits: ConnectionLimits,
    service: S,
    id: u64,
    silent: Arc<SilentConnections>,
    watcher: Watcher,
) -> Result<(), warp::hyper::Error>
where
    S: Service<Request<Incoming>, Response = Response>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Small answers should leave at once; a system that refuses the option only makes them later.
    let _ = stream.set_nodelay(true);
    let spoke = AtomicBool::new(false);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        if !spoke.swap(true, Ordering::Relaxed) {
            silent.leave(id);
        }
        // In a request line with a whole address, that address counts and `Host` does not.
        if let Some(host) = request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok()) {
            request.headers_mut().insert(HOST, host);
        }
        // warp shows no version to a filter; the usual one goes without saying.
        let version = request.version();
        if version != Version::default() {
            request.extensions_mut().insert(version);
        }
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(CONNECTION_BUFFER)
        .serve_connection(TokioIo::new(StallGuard::new(stream, limits.write_stall)), answer);
    watcher.watch(connection).await
}

/// As many connections as the system's limit of open files leaves room for.
fn room_for_connections() -> usize {
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
    let room = usize::try_from(files.saturating_sub(RESERVED_FILES)).unwrap_or(usize::MAX).max(64);
    if room < MAX_CONNECTIONS {
        tracing::info!(room, files, "the limit of open files leaves room for fewer connections than usual");
    }
    room
}

/// Connections that have not sent a whole request head yet, oldest first. When the server is full they make room:
/// whoever opens connections without using them keeps nobody else out.
#[derive(Debug, Default)]
struct SilentConnections {
    by_age: Mutex<BTreeMap<u64, CancellationToken>>,
}

impl SilentConnections {
    /// The token is cancelled when this connection must make room.
    fn enter(&self, id: u64) -> CancellationToken {
        let dropped = CancellationToken::new();
        self.lock().insert(id, dropped.clone());
        dropped
    }

    fn leave(&self, id: u64) {
        self.lock().remove(&id);
    }

    /// False when there is none.
    fn drop_oldest(&self) -> bool {
        let oldest = self.lock().pop_first();
        oldest.map(|(_, dropped)| dropped.cancel()).is_some()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, CancellationToken>> {
        self.by_age.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose fault a failed accept was.
enum AcceptFailure {
    /// The client went away before it was accepted.
    Client,
    /// The process or the system is out of files or memory, which passes.
    NoRoom,
    Listener,
}

impl AcceptFailure {
    fn of(err: &io::Error) -> Self {
        use rustix::io::Errno;
        match err.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => Self::NoRoom,
            Some(Errno::BADF | Errno::INVAL | Errno::NOTSOCK | Errno::OPNOTSUPP | Errno::FAULT) => Self::Listener,
            _ => Self::Client,
        }
    }
}
