//! What the speaker was told, kept for those who must not miss any of it.
//!
//! Everybody who listens takes what came since the last time. What is kept is bounded in number and in bytes: who does not take
//! it in time loses the oldest and is told how many. While nobody listens, nothing is kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::domain::AudioEvent;

/// A minute of a stream in chunks of 20 ms.
const MOST_EVENTS: usize = 3000;
const MOST_BYTES: usize = 32 << 20;

/// One per bridge; the owner of the live state fills it.
#[derive(Debug, Clone, Default)]
pub(super) struct AudioLog {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<Arc<AudioEvent>>,
    bytes: usize,
    /// The number of the first one kept; they are counted from the start of the bridge.
    first: u64,
    listeners: usize,
}

/// Somebody who listens, from now until it is dropped.
#[derive(Debug)]
pub struct AudioEvents {
    log: AudioLog,
    next: u64,
}

/// What came since the last time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heard {
    /// In the order of their coming.
    pub events: Vec<Arc<AudioEvent>>,
    /// How many came before these and were not kept long enough.
    pub lost: u64,
}

impl AudioLog {
    pub(super) fn push(&self, event: AudioEvent) {
        let mut kept = self.lock();
        kept.bytes += event.action.data().len();
        kept.events.push_back(Arc::new(event));
        while kept.events.len() > MOST_EVENTS || kept.bytes > MOST_BYTES || kept.listeners == 0 {
            let Some(oldest) = kept.events.pop_front() else { break };
            kept.bytes -= oldest.action.data().len();
            kept.first += 1;
        }
    }

    pub(super) fn listen(&self) -> AudioEvents {
        let mut kept = self.lock();
        kept.listeners += 1;
        AudioEvents { log: self.clone(), next: kept.first + kept.events.len() as u64 }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AudioEvents {
    /// At once; nothing when there was nothing.
    pub fn take(&mut self) -> Heard {
        let kept = self.log.lock();
        let lost = kept.first.saturating_sub(self.next);
        let seen = self.next.saturating_sub(kept.first) as usize;
        let events = kept.events.iter().skip(seen).cloned().collect();
        self.next = kept.first + kept.events.len() as u64;
        Heard { events, lost }
    }
}

impl Drop for AudioEvents {
    fn drop(&mut self) {
        let mut kept = self.log.lock();
        kept.listeners -= 1;
        if kept.listeners == 0 {
            kept.first += kept.events.len() as u64;
            kept.bytes = 0;
            kept.events = VecDeque::new();
        }
    }
}
