//! `GET /events`: the live stream.
//!
//! Two kinds of news travel differently. The state is a value of which only the newest counts: one task paces its frames for
//! everybody, and a client that is slow finds the newest one when it is ready again. Things that happened (`announce`)
//! count each: they go through a bounded queue, and a client that falls behind by the whole queue loses the oldest. In both
//! cases a slow client costs no memory and nobody else's time.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, stream};
use serde::Serialize;
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::frames::{Frame, Frames};
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::bridge::BridgeHandle;
use crate::bridge::handle::Listener;

/// State frames come at most this often: about thirty a second, as often as a page draws smoothly.
pub const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// How many announcements a client may be behind: a second of a student's program at its full allowance of output.
const ANNOUNCEMENTS: usize = 2048;
const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// Answers with the stream. A query string means nothing here.
pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let stream = api.events.stream();
    tracing::debug!(clients = api.events.clients(), "an event stream was opened");
    Ok(reply::event_stream(stream))
}

/// Where all event streams of one server come from.
#[derive(Debug)]
pub struct EventHub {
    frames: Arc<Frames>,
    bridge: BridgeHandle,
    paced: watch::Sender<Arc<Frame>>,
    announcements: broadcast::Sender<Bytes>,
    keep_alive: Duration,
    shutdown: CancellationToken,
}

impl EventHub {
    /// Streams end when `shutdown` is cancelled. The bridge tells when to look for a newer frame.
    pub fn new(frames: Arc<Frames>, bridge: BridgeHandle, keep_alive: Duration, shutdown: CancellationToken) -> Self {
        let (paced, _) = watch::channel(frames.newest());
        let (announcements, _) = broadcast::channel(ANNOUNCEMENTS);
        Self { frames, bridge, paced, announcements, keep_alive, shutdown }
    }

    /// How many streams are open.
    pub fn clients(&self) -> usize {
        self.paced.receiver_count()
    }

    /// Tells every client of something that happened.
    pub fn announce(&self, event: &str, data: &impl Serialize) {
        let json = serde_json::to_string(data).expect("wire structs have text keys, which is all that could fail");
        // An error means that nobody listens, and then nobody misses it.
        let _ = self.announcements.send(format!("event: {event}\ndata: {json}\n\n").into());
    }

    /// Hands out frames at their pace until `ended`: a change goes out at once when the last frame is old enough, else
    /// as soon as it is; whatever is newest then is what goes out. While nobody listens, nothing is serialised.
    pub async fn pace(&self, ended: CancellationToken) {
        let mut snapshots = self.bridge.subscribe();
        let pacing = async {
            let mut next_frame_at = Instant::now();
            while snapshots.changed().await.is_ok() {
                sleep_until(next_frame_at).await;
                // Marked as seen before the frame is made: a snapshot that comes in between wakes this loop again.
                snapshots.mark_unchanged();
                if self.clients() == 0 {
                    continue;
                }
                let frame = self.frames.newest();
                if frame.number() != self.paced.borrow().number() {
                    self.paced.send_replace(frame);
                    next_frame_at = Instant::now() + FRAME_INTERVAL;
                }
            }
            // The owner of the live state is gone. What it published last stays, and so do the streams.
            std::future::pending().await
        };
        tokio::select! {
            () = ended.cancelled() => {}
            () = pacing => {}
        }
    }

    /// The events for one client: the full state at once, then whatever comes.
    pub fn stream(&self) -> impl Stream<Item = Bytes> + Send + Sync + use<> {
        let client = Client {
            frames: self.frames.clone(),
            // Subscribed before the first frame is read, so that no change can fall between the two.
            paced: self.paced.subscribe(),
            announcements: self.announcements.subscribe(),
            shown: None,
            keep_alive: self.keep_alive,
            shutdown: self.shutdown.clone(),
            _counted: self.bridge.listener(),
        };
        stream::unfold(client, |mut client| async move { client.next().await.map(|event| (event, client)) })
    }
}

/// One open stream: all that is kept for it is what it was last sent.
struct Client {
    frames: Arc<Frames>,
    paced: watch::Receiver<Arc<Frame>>,
    announcements: broadcast::Receiver<Bytes>,
    /// The number of the newest frame it was sent.
    shown: Option<u64>,
    keep_alive: Duration,
    shutdown: CancellationToken,
    _counted: Listener,
}

impl Client {
    async fn next(&mut self) -> Option<Bytes> {
        let Some(shown) = self.shown else {
            // The first frame comes out of turn; from then on this client keeps step with all others.
            let frame = self.frames.newest();
            return Some(self.show(&frame));
        };
        let shutdown = self.shutdown.clone();
        tokio::select! {
            biased;
            () = shutdown.cancelled() => None,
            event = timeout_at(Instant::now() + self.keep_alive, self.news(shown)) => event.unwrap_or(Some(KEEP_ALIVE)),
        }
    }

    /// The next event that is news after the frame `shown`; None when there will be none.
    async fn news(&mut self, shown: u64) -> Option<Bytes> {
        loop {
            tokio::select! {
                announcement = self.announcements.recv() => match announcement {
                    Ok(event) => return Some(event),
                    Err(broadcast::error::RecvError::Lagged(lost)) => tracing::debug!(lost, "an event stream is behind"),
                    Err(broadcast::error::RecvError::Closed) => return None,
                },
                changed = self.paced.changed() => {
                    changed.ok()?;
                    let frame = self.paced.borrow_and_update().clone();
                    // The first frame may have been newer than the one that was on its way to everybody.
                    if frame.number() > shown {
                        return Some(self.show(&frame));
                    }
                }
            }
        }
    }

    fn show(&mut self, frame: &Frame) -> Bytes {
        self.shown = Some(frame.number());
        frame.event()
    }
}
