//! A supervised process with its pipes taken apart: what it says comes in through one queue, in order per stream.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::judge::news::Stream;
use crate::judge::output::{Gate, Line, LineReader};
use crate::judge::protocol::Said;
use crate::judge::supervise::{Exit, Held, Running};

/// Lines that wait for the session; a program that prints faster waits, or loses lines at its gate.
pub const QUEUE: usize = 256;
/// The longest message of a harness: a path of the most points that the simulator takes, and much to spare.
const MAX_MESSAGE_BYTES: usize = 8 << 20;
/// How long the end of a program waits for what it has said before.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// What is still in the pipes when everything is dead is read within this time, or somebody else holds them open.
const DRAIN: Duration = Duration::from_secs(1);

/// What comes from a process.
#[derive(Debug)]
pub enum Heard {
    Line {
        stream: Stream,
        line: Line,
    },
    /// From the harness.
    Said(Said),
    /// From the harness, and not a message; so much of it as is worth showing.
    Garbage(String),
    /// The harness will say no more.
    Closed,
    Exited {
        owner: Owner,
        exit: Exit,
    },
}

/// Whose process it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Judge,
    /// A word about its end belongs into this stream.
    Student(Stream),
}

/// Keeps a process until it is told to stop it.
#[derive(Debug)]
pub struct Process {
    stop: CancellationToken,
    supervising: JoinHandle<Exit>,
    reading: Vec<JoinHandle<()>>,
    input: mpsc::UnboundedSender<Vec<u8>>,
}

impl Process {
    /// The student's program; both of its streams are shown.
    pub fn student(running: Running, heard: mpsc::Sender<Heard>) -> Self {
        // It has no input: what waits for some is told that there is none.
        let Running { stdin: _, stdout, stderr, held, .. } = running;
        let (reads, all_read) = mpsc::channel(1);
        let read = |source, stream| {
            let (heard, reads) = (heard.clone(), reads.clone());
            tokio::spawn(async move {
                read_lines(source, stream, heard).await;
                drop(reads);
            })
        };
        let reading = vec![read(stdout, Stream::Stdout), read(stderr, Stream::Stderr)];
        let (input, _) = mpsc::unbounded_channel();
        Self::keep(Owner::Student(Stream::Stderr), held, reading, all_read, input, heard)
    }

    /// The harness around a judging script: its output is the channel, the rest is the script's log.
    pub fn harness(running: Running, heard: mpsc::Sender<Heard>) -> Self {
        let Running { mut stdin, stdout, stderr, held, .. } = running;
        // Bounded by the protocol: one state and one answer at a time.
        let (input, mut lines) = mpsc::unbounded_channel::<Vec<u8>>();
        let reading = vec![
            tokio::spawn(read_messages(stdout, heard.clone())),
            tokio::spawn(read_lines(stderr, Stream::Script, heard.clone())),
            tokio::spawn(async move {
                while let Some(line) = lines.recv().await {
                    if stdin.write_all(&line).await.is_err() {
                        // Its end is told by the other pipes.
                        break;
                    }
                }
            }),
        ];
        // Of the harness it is told apart when its pipes close and when it ends.
        let (_, all_read) = mpsc::channel(1);
        Self::keep(Owner::Judge, held, reading, all_read, input, heard)
    }

    /// `all_read` closes when everything that is to be told before its end has been.
    fn keep(
        owner: Owner,
        mut held: Held,
        reading: Vec<JoinHandle<()>>,
        mut all_read: mpsc::Receiver<Infallible>,
        input: mpsc::UnboundedSender<Vec<u8>>,
        heard: mpsc::Sender<Heard>,
    ) -> Self {
        let stop = CancellationToken::new();
        let asked = stop.clone();
        let supervising = tokio::spawn(async move {
            tokio::select! {
                () = asked.cancelled() => {}
                exit = held.exited() => {
                    // Something that it has started may go on talking for ever.
                    tokio::select! {
                        () = asked.cancelled() => {}
                        _ = timeout(LAST_WORDS, all_read.recv()) => {}
                    }
                    // Nobody may be left to hear it.
                    let _ = heard.send(Heard::Exited { owner, exit }).await;
                    asked.cancelled().await;
                }
            }
            held.stop().await
        });
        Self { stop, supervising, reading, input }
    }

    /// Says something to the harness; a dead one does not hear it.
    pub fn say(&self, line: Vec<u8>) {
        let _ = self.input.send(line);
    }

    /// Returns when every process of it is dead and what it said has been read. Somebody must go on taking what was heard.
    pub async fn stop(self) -> Option<Exit> {
        self.stop.cancel();
        drop(self.input);
        // It can only fail by a panic, which has been reported and has dropped, and so killed, the process.
        let exit = self.supervising.await.ok();
        for task in self.reading {
            let abort = task.abort_handle();
            if timeout(DRAIN, task).await.is_err() {
                abort.abort();
            }
        }
        exit
    }
}

async fn read_lines(source: impl AsyncRead + Unpin, stream: Stream, heard: mpsc::Sender<Heard>) {
    let mut lines = LineReader::new(source);
    let mut gate = Gate::new(Instant::now());
    while let Some(raw) = lines.next().await {
        for line in gate.pass(Line::of(&raw.bytes), Instant::now()) {
            if heard.send(Heard::Line { stream, line }).await.is_err() {
                return;
            }
        }
    }
    if let Some(line) = gate.lost() {
        let _ = heard.send(Heard::Line { stream, line }).await;
    }
}

async fn read_messages(source: impl AsyncRead + Unpin, heard: mpsc::Sender<Heard>) {
    let mut lines = LineReader::with_limit(source, MAX_MESSAGE_BYTES);
    let mut gate = Gate::new(Instant::now());
    while let Some(raw) = lines.next().await {
        let message = match serde_json::from_slice::<Said>(&raw.bytes) {
            Ok(Said::Log { line }) => {
                for line in gate.pass(Line::of(line.as_bytes()), Instant::now()) {
                    if heard.send(Heard::Line { stream: Stream::Script, line }).await.is_err() {
                        return;
                    }
                }
                continue;
            }
            Ok(said) => {
                // In order: what was printed before this comes before this.
                if let Some(line) = gate.lost() {
                    let _ = heard.send(Heard::Line { stream: Stream::Script, line }).await;
                }
                Heard::Said(said)
            }
            Err(_) => Heard::Garbage(String::from_utf8_lossy(&raw.bytes[..raw.bytes.len().min(200)]).into_owned()),
        };
        if heard.send(message).await.is_err() {
            return;
        }
    }
    let _ = heard.send(Heard::Closed).await;
}
