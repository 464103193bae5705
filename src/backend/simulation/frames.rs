//! Waiting for pictures. While time runs by itself a late picture is skipped; in lockstep the stepping thread waits, so that every
//! picture of the steps that somebody asked for is out before the answer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing::warn;

/// The longest that one picture is waited for: many times what the slowest machine needs. A camera that hangs must not take the
/// simulation with it.
const LIMIT: Duration = Duration::from_secs(5);

/// Which pictures are finished; shared by the stepping thread and the one that draws.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The number of the newest picture that is out, or was given up.
    finished: Mutex<u64>,
    changed: Condvar,
}

impl Frames {
    /// This picture is out, and every one before it that will ever be.
    pub fn finish(&self, number: u64) {
        let mut finished = self.lock();
        *finished = number.max(*finished);
        self.shared.changed.notify_all();
    }

    /// Waits until the picture is out, but not for ever.
    pub(super) fn wait_for(&self, number: u64) {
        let waiting = |finished: &mut u64| *finished < number;
        let waited = self.shared.changed.wait_timeout_while(self.lock(), LIMIT, waiting);
        let (mut finished, result) = waited.unwrap_or_else(PoisonError::into_inner);
        if result.timed_out() {
            warn!("the camera did not finish a picture in {} s; going on without it", LIMIT.as_secs());
            *finished = number.max(*finished);
        }
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.shared.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
