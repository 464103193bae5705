//! Which drives were taken from the topic, so that a run can be repeated.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::domain::TakenDrive;

/// How many are kept: almost half a minute of a driver who changes its mind as often as the topic allows.
const KEPT: usize = 4096;

/// Written by the stepping thread, read by whoever asks; never locked for longer than a copy takes.
#[derive(Debug, Clone, Default)]
pub struct DriveLog(Arc<Mutex<Log>>);

#[derive(Debug, Default)]
struct Log {
    /// How many there have been.
    count: u64,
    newest: VecDeque<TakenDrive>,
}

impl DriveLog {
    pub(super) fn note(&self, drive: TakenDrive) {
        let mut log = self.lock();
        if log.newest.len() == KEPT {
            log.newest.pop_front();
        }
        log.newest.push_back(drive);
        log.count += 1;
    }

    /// How many there have been, and the newest of them without the known ones.
    pub fn since(&self, known: u64) -> (u64, Vec<TakenDrive>) {
        let log = self.lock();
        // Whoever knows more than there have been knew another simulator.
        let unknown = log.count.checked_sub(known).unwrap_or(log.count);
        let skipped = log.newest.len().saturating_sub(usize::try_from(unknown).unwrap_or(usize::MAX));
        (log.count, log.newest.iter().skip(skipped).copied().collect())
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        // Every entry is complete, whoever panicked beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
