//! Publishing, never blocking and never faster than the topic's cap.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::warn;

use crate::ros::pacer::{Held, PacerHandle};
use crate::ros::{Message, half};

/// Publishes on one topic; cheap to clone.
///
/// Where the topic has a cap per wall second, a sample that comes too early is held back; a newer one replaces it, and the last
/// one always goes out. That is what keeps a simulation at many times real time from starving its subscribers.
pub struct Publisher<M: Message> {
    inner: Arc<Inner<M>>,
}

struct Inner<M: Message> {
    name: String,
    writer: half::Writer<M>,
    cap: Option<(Duration, PacerHandle)>,
    turn: Mutex<Turn<M>>,
    dropped: AtomicU64,
}

struct Turn<M> {
    next: Instant,
    held: Option<M>,
}

impl<M> Turn<M> {
    /// A steady stream keeps its beat although each sample is a little late; after a silence the beat starts anew, so that there
    /// is nothing to catch up on.
    fn pass(&mut self, now: Instant, gap: Duration) {
        let late = now.saturating_duration_since(self.next);
        self.next = if late >= gap { now + gap } else { self.next + gap };
    }
}

impl<M: Message> Publisher<M> {
    pub(super) fn new(name: String, writer: half::Writer<M>, cap_per_s: Option<u32>, pacer: &PacerHandle) -> Self {
        let cap = cap_per_s.map(|n| (Duration::from_secs(1) / n.max(1), pacer.clone()));
        let inner = Arc::new(Inner {
            name,
            writer,
            cap,
            turn: Mutex::new(Turn { next: Instant::now(), held: None }),
            dropped: AtomicU64::new(0),
        });
        if inner.cap.is_some() {
            let held: Arc<dyn Held> = inner.clone();
            pacer.add(Arc::downgrade(&held));
        }
        Self { inner }
    }

    pub fn publish(&self, message: M) {
        let Some((gap, pacer)) = &self.inner.cap else {
            self.inner.write(message);
            return;
        };
        let now = Instant::now();
        let mut turn = self.inner.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if now >= turn.next {
            turn.held = None;
            turn.pass(now, *gap);
            self.inner.write(message);
        } else {
            turn.held = Some(message);
            let due = turn.next;
            drop(turn);
            pacer.wake_at(due);
        }
    }

    /// How long the topic's cap would hold back a sample that is published now.
    pub fn held_back_for(&self) -> Duration {
        if self.inner.cap.is_none() {
            return Duration::ZERO;
        }
        let turn = self.inner.turn.lock().unwrap_or_else(PoisonError::into_inner);
        turn.next.saturating_duration_since(Instant::now())
    }

    /// How many subscribers are matched now.
    pub fn subscriber_count(&self) -> usize {
        self.inner.writer.matched()
    }

    /// Samples that the middleware refused because a subscriber does not acknowledge.
    pub fn dropped(&self) -> u64 {
        self.inner.dropped.load(Relaxed)
    }
}

impl<M: Message> Clone for Publisher<M> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<M: Message> Inner<M> {
    fn write(&self, message: M) {
        if let Err(reason) = self.writer.write(message) {
            // Once loudly, then only counted: a stuck subscriber would fill the log.
            if self.dropped.fetch_add(1, Relaxed) == 0 {
                warn!(topic = %self.name, %reason, "a sample could not be sent; further ones are only counted");
            }
        }
    }
}

impl<M: Message> Held for Inner<M> {
    fn flush(&self, now: Instant) -> Option<Instant> {
        let gap = self.cap.as_ref()?.0;
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if now < turn.next {
            return turn.held.is_some().then_some(turn.next);
        }
        if let Some(message) = turn.held.take() {
            turn.pass(now, gap);
            self.write(message);
        }
        None
    }
}
