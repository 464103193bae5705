//! The one thread that owns the library's node: it waits for data, hands it on, and does what it is asked to between two waits.

use std::any::Any;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use futures::{FutureExt, Stream, StreamExt};
use tracing::error;

/// How long one wait takes when nothing arrives; who asks for something waits at most as long.
const WAIT: Duration = Duration::from_millis(5);
/// Each asker waits for its answer, so there are never more than a few; when it is full, the next asker waits too.
const COMMANDS: usize = 16;
/// `rcl` refuses to wait for nothing, and the loop would take a whole core; so there is always this timer, which hardly ever fires.
const REMINDER: Duration = Duration::from_secs(3600);

type Command = Box<dyn FnOnce(&mut Owned) + Send>;

/// Takes what has arrived for one end out of the library; false when nobody wants it any more.
type Pump = Box<dyn FnMut() -> bool + Send>;

/// What the thread has.
struct Owned {
    node: ::r2r::Node,
    pumps: Vec<Pump>,
}

/// How `rcl` named the node, after its own remaps.
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) namespace: String,
}

/// Owns the thread and joins it. Every end of the node keeps it alive.
pub(super) struct Spin {
    commands: Option<SyncSender<Command>>,
    thread: Option<JoinHandle<()>>,
}

impl Spin {
    pub(super) fn start(name: String, namespace: String) -> Result<(Self, Identity), String> {
        let (commands, inbox) = sync_channel(COMMANDS);
        let (started, outcome) = sync_channel(1);
        let run = move || match open(&name, &namespace) {
            Ok((node, reminder, identity)) => {
                if started.send(Ok(identity)).is_ok() {
                    spin(Owned { node, pumps: Vec::new() }, &inbox);
                }
                drop(reminder);
            }
            Err(err) => {
                // Nobody listens only if the starting thread is gone, and then nobody wants the node.
                let _ = started.send(Err(err.to_string()));
            }
        };
        let thread = std::thread::Builder::new()
            .name("ros-spin".into())
            .spawn(run)
            .map_err(|err| format!("no thread: {err}"))?;
        match outcome.recv() {
            Ok(Ok(identity)) => Ok((Self { commands: Some(commands), thread: Some(thread) }, identity)),
            Ok(Err(reason)) => Err(reason),
            // The library panics where `rcl` cannot be initialised, such as for wrong arguments; the panic says why.
            Err(_) => Err(thread.join().err().map_or_else(|| "the ROS thread ended".into(), |panic| said(&*panic))),
        }
    }

    /// Does something with the node and waits for the outcome.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        what: impl FnOnce(&mut ::r2r::Node) -> ::r2r::Result<T> + Send + 'static,
    ) -> Result<T, String> {
        let (sender, outcome) = channel();
        // Who no longer waits for the outcome does not need it.
        self.tell(move |node| drop(sender.send(what(node))));
        match outcome.recv() {
            Ok(outcome) => outcome.map_err(|err| err.to_string()),
            Err(_) => Err("the ROS thread has ended".to_owned()),
        }
    }

    /// Does something with the node soon.
    pub(super) fn tell(&self, what: impl FnOnce(&mut ::r2r::Node) + Send + 'static) {
        self.command(|owned| what(&mut owned.node));
    }

    /// Takes the items out of the library's stream as they arrive, until `take` says that nobody wants them any more.
    ///
    /// The library's channels are short and drop what does not fit. One wait brings at most one item to each of them, so this thread
    /// empties them after every wait; a task would be too late for a burst on a busy machine.
    pub(super) fn pump<T: 'static>(
        &self,
        mut items: impl Stream<Item = T> + Unpin + Send + 'static,
        mut take: impl FnMut(Option<T>) -> bool + Send + 'static,
    ) {
        let pump = move || {
            let mut is_wanted = take(None);
            while is_wanted && let Some(item) = items.next().now_or_never() {
                is_wanted = item.is_some_and(|item| take(Some(item)));
            }
            is_wanted
        };
        self.command(|owned| owned.pumps.push(Box::new(pump)));
    }

    fn command(&self, what: impl FnOnce(&mut Owned) + Send + 'static) {
        if let Some(commands) = &self.commands {
            // Fails only after the thread has ended, and then its node and all that belonged to it are gone.
            let _ = commands.send(Box::new(what));
        }
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            error!(reason = %said(&*panic), "the ROS thread had ended early");
        }
    }
}

fn open(name: &str, namespace: &str) -> ::r2r::Result<(::r2r::Node, ::r2r::Timer, Identity)> {
    let mut node = ::r2r::Node::create(::r2r::Context::create()?, name, namespace)?;
    let identity = Identity { name: node.name()?, namespace: node.namespace()? };
    let reminder = node.create_wall_timer(REMINDER)?;
    Ok((node, reminder, identity))
}

fn spin(mut owned: Owned, inbox: &Receiver<Command>) {
    loop {
        match inbox.try_recv() {
            Ok(command) => command(&mut owned),
            Err(TryRecvError::Empty) => {
                owned.node.spin_once(WAIT);
                owned.pumps.retain_mut(|pump| pump());
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_else(|| "it does not say why".into())
}
