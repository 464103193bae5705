//! One thread per node that sends what rate-capped publishers had to hold back, when its time has come.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Instant;

/// Something that may hold a sample back.
pub(crate) trait Held: Send + Sync {
    /// Sends what is due at `now`; answers when the next one is due, if there is one.
    fn flush(&self, now: Instant) -> Option<Instant>;
}

#[derive(Default)]
struct State {
    held: Vec<Weak<dyn Held>>,
    due: Option<Instant>,
    stop: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panicking publisher must not silence the others, and the state is valid after every statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Owns the thread and joins it.
pub(crate) struct Pacer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What publishers keep of it.
#[derive(Clone)]
pub(crate) struct PacerHandle(Arc<Shared>);

impl Pacer {
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name("ros-pacer".into()).spawn(move || run(&theirs))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> PacerHandle {
        PacerHandle(self.shared.clone())
    }
}

impl PacerHandle {
    pub(crate) fn add(&self, held: Weak<dyn Held>) {
        self.0.lock().held.push(held);
    }

    /// Something is held back until `due`.
    pub(crate) fn wake_at(&self, due: Instant) {
        let mut state = self.0.lock();
        if state.due.is_none_or(|present| due < present) {
            state.due = Some(due);
            self.0.changed.notify_one();
        }
    }
}

impl Drop for Pacer {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread panics only if a serialiser does; the node is going away in either case.
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared) {
    let mut state = shared.lock();
    while !state.stop {
        let now = Instant::now();
        state = match state.due {
            None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(due) if due > now => {
                shared.changed.wait_timeout(state, due - now).unwrap_or_else(PoisonError::into_inner).0
            }
            Some(_) => {
                state.due = None;
                state.held.retain(|held| held.strong_count() > 0);
                let everyone: Vec<_> = state.held.iter().filter_map(Weak::upgrade).collect();
                // Publishers call `wake_at` under their own lock, so ours must be free while they flush.
                drop(state);
                let next = everyone.iter().filter_map(|held| held.flush(now)).min();
                drop(everyone);
                let mut state = shared.lock();
                state.due = match (state.due, next) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                state
            }
        };
    }
}
