//! Log lines of a program: to stderr, each with the program's name, because several programs share one terminal.
//!
//! A terminal can stand still (Ctrl-S, a pager, a full pipe). Lines then queue up to [`QUEUE_LINES`] and after that are
//! dropped, with a notice as soon as the terminal moves again: the simulation never waits for someone to read its log.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// A burst at start-up is a few hundred lines; the rest is room.
const QUEUE_LINES: usize = 4096;
/// How long the end of a program waits for a terminal that stands still.
const FLUSH_LIMIT: Duration = Duration::from_millis(500);
const DEFAULT_FILTER: &str = "warn,sim_api=info";

/// Starts logging for this process; `RUST_LOG` chooses what is shown.
pub fn init(program: &'static str) -> anyhow::Result<Log> {
    let filter = match env::var("RUST_LOG") {
        Ok(wish) if !wish.is_empty() => EnvFilter::try_new(&wish).with_context(|| format!("RUST_LOG={wish}"))?,
        _ => EnvFilter::new(DEFAULT_FILTER),
    };
    let (sender, receiver) = sync_channel(QUEUE_LINES);
    let dropped = Arc::new(AtomicU64::new(0));
    let lines = Lines { prefix: format!("[{program}] "), sender: sender.clone(), dropped: dropped.clone() };
    let counted = dropped.clone();
    thread::Builder::new()
        .name("log".to_owned())
        .spawn(move || write_all(&receiver, &counted))
        .context("cannot start the log's thread")?;
    let colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        .with_target(false)
        .with_writer(lines)
        .try_init()
        .map_err(|err| anyhow::anyhow!("logging was started twice: {err}"))?;
    Ok(Log { sender, dropped })
}

/// Keeps the log going; dropping it writes out what is queued.
#[derive(Debug)]
pub struct Log {
    sender: SyncSender<Item>,
    dropped: Arc<AtomicU64>,
}

impl Log {
    /// Text for the person at the terminal, in order with the log and as unable to block.
    pub fn say(&self, text: &str) {
        if self.sender.try_send(Item::Text(text.as_bytes().to_vec())).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let (done, wait) = sync_channel(1);
        if self.sender.try_send(Item::Flush(done)).is_ok() {
            // A timeout means a terminal that stands still: its lines are lost either way.
            let _ = wait.recv_timeout(FLUSH_LIMIT);
        }
    }
}

#[derive(Debug)]
enum Item {
    Text(Vec<u8>),
    Flush(SyncSender<()>),
}

fn write_all(receiver: &Receiver<Item>, dropped: &AtomicU64) {
    // Errors are passed over: there is nobody left to tell when stderr is closed.
    for item in receiver {
        match item {
            Item::Text(bytes) => {
                let _ = io::stderr().write_all(&bytes);
            }
            Item::Flush(done) => {
                let _ = done.try_send(());
            }
        }
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let _ = writeln!(io::stderr(), "... ({lost} log lines dropped)");
        }
    }
}

/// Gives every log event a buffer of its own, so that lines of several threads never mix.
struct Lines {
    prefix: String,
    sender: SyncSender<Item>,
    dropped: Arc<AtomicU64>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line { lines: self, bytes: self.prefix.as_bytes().to_vec() }
    }
}

struct Line<'a> {
    lines: &'a Lines,
    bytes: Vec<u8>,
}

impl Write for Line<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if self.lines.sender.try_send(Item::Text(std::mem::take(&mut self.bytes))).is_err() {
            self.lines.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}
