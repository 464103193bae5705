//! One thread per node that fetches the answers for all of its service clients.
//!
//! The library's own async call drops answers that belong to another caller of the same client; fetching them in one place and
//! sorting them by request lets calls overlap.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;

use ros2_client::dds::rustdds::mio1::{Events, Interest, Poll, Registry, Token, Waker, event::Source};
use tracing::error;

const WAKE: Token = Token(0);
/// More events than clients in one process; a larger number of them would only take another round.
const EVENTS: usize = 64;

/// Something with answers to fetch. Must fetch until there are none: readiness is told once.
pub(super) trait Drain: Send + Sync {
    fn drain(&self);
}

type Clients = Arc<Mutex<BTreeMap<usize, Weak<dyn Drain>>>>;

/// Owns the thread and joins it.
pub(super) struct Replies {
    registry: Registry,
    clients: Clients,
    next: AtomicUsize,
    waker: Arc<Waker>,
    thread: Option<JoinHandle<()>>,
}

impl Replies {
    pub(super) fn start() -> io::Result<Self> {
        let poll = Poll::new()?;
        let registry = poll.registry().try_clone()?;
        let waker = Arc::new(Waker::new(&registry, WAKE)?);
        let clients = Clients::default();
        let theirs = clients.clone();
        let thread = std::thread::Builder::new().name("ros-replies".into()).spawn(move || run(poll, &theirs))?;
        Ok(Self { registry, clients, next: AtomicUsize::new(1), waker, thread: Some(thread) })
    }

    /// Registers while the client is still owned alone; [`Replies::serve`] completes it.
    pub(super) fn register(&self, client: &mut impl Source) -> io::Result<Token> {
        let token = Token(self.next.fetch_add(1, Relaxed));
        self.registry.register(client, token, Interest::READABLE)?;
        Ok(token)
    }

    pub(super) fn serve(&self, token: Token, client: Weak<dyn Drain>) {
        let early = client.upgrade();
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).insert(token.0, client);
        // Readiness told between registering and now found nobody to drain.
        if let Some(client) = early {
            client.drain();
        }
    }
}

impl Drop for Replies {
    fn drop(&mut self) {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).insert(WAKE.0, Weak::<Nobody>::new());
        if self.waker.wake().is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }
}

/// Its entry under the waker's token tells the thread to end.
struct Nobody;

impl Drain for Nobody {
    fn drain(&self) {}
}

fn run(mut poll: Poll, clients: &Clients) {
    let mut events = Events::with_capacity(EVENTS);
    loop {
        match poll.poll(&mut events, None) {
            Ok(()) => {}
            Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
            Err(err) => {
                error!(%err, "service answers can no longer be received");
                return;
            }
        }
        for event in &events {
            let mut clients = clients.lock().unwrap_or_else(PoisonError::into_inner);
            if event.token() == WAKE && clients.contains_key(&WAKE.0) {
                return;
            }
            let client = clients.get(&event.token().0).and_then(Weak::upgrade);
            if client.is_none() {
                clients.remove(&event.token().0);
            }
            drop(clients);
            if let Some(client) = client {
                client.drain();
            }
        }
    }
}
