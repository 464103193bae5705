//! Writes the tape of a session while it runs.
//!
//! A thread of its own has the disk; whoever tells it something never waits. What it cannot take in time is lost and counted, and
//! from a certain size on only the verdict is written. Until it is finished the tape has a hidden name that no list shows and the
//! next start removes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::tape::{Speaker, Tape, TapeError};
use crate::domain::{EvaluationSummary, Picture, SimTime, Snapshot};
use crate::worlds::durable;

/// Purpose in the name of a tape that is being written.
pub const PURPOSE: &str = "tape";
/// How much may wait for the disk: a third of a second of lines at the full allowance of all streams, a minute of states and pictures.
const QUEUE: usize = 1024;

/// Something to be written.
#[derive(Debug)]
pub enum Item {
    State(Arc<Snapshot>),
    Line { time: SimTime, speaker: Speaker, line: String },
    Event { time: SimTime, json: String },
    Status { time: SimTime, status: EvaluationSummary },
    Picture(Arc<Picture>),
}

/// The end of a thread that writes one tape; dropped unfinished, nothing is left of it.
#[derive(Debug)]
pub struct Recorder {
    /// None once the thread has been told that nothing more comes.
    queue: Option<SyncSender<Item>>,
    thread: Option<JoinHandle<Result<File, TapeError>>>,
    draft: PathBuf,
    lost: u64,
}

impl Recorder {
    /// In this folder, which exists. `about` says what the session is.
    pub fn start(folder: &Path, about: BTreeMap<String, String>, limit_bytes: u64) -> Result<Self, TapeError> {
        let draft = folder.join(durable::unique_name(PURPOSE));
        let tape = Tape::create(&draft, about)?;
        let (queue, items) = sync_channel(QUEUE);
        let written = thread::Builder::new().name(PURPOSE.to_owned()).spawn(move || write(tape, &items, limit_bytes));
        // From here on the draft is removed when this is dropped.
        let mut recorder = Self { queue: Some(queue), thread: None, draft, lost: 0 };
        recorder.thread = Some(written?);
        Ok(recorder)
    }

    /// Never waits.
    pub fn put(&mut self, item: Item) {
        if self.queue.as_ref().is_none_or(|queue| queue.try_send(item).is_err()) {
            self.lost += 1;
        }
    }

    /// Waits for the disk and gives the tape its name. Says how much was lost.
    pub fn finish(mut self, place: &Path) -> Result<u64, TapeError> {
        self.close()?.sync_all()?;
        fs::rename(&self.draft, place)?;
        Ok(self.lost)
    }

    fn close(&mut self) -> Result<File, TapeError> {
        self.queue = None;
        let thread = self.thread.take().ok_or_else(|| std::io::Error::other("it was not begun"))?;
        thread.join().unwrap_or_else(|_| Err(std::io::Error::other("its thread has failed").into()))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.queue = None;
        // It ends as soon as it has written what waits; the file has no name by then.
        let _ = fs::remove_file(&self.draft);
    }
}

fn write(mut tape: Tape<BufWriter<File>>, items: &Receiver<Item>, limit_bytes: u64) -> Result<File, TapeError> {
    let mut is_full = false;
    let mut last = SimTime::ZERO;
    for item in items {
        // The verdict is short and comes once; it is worth more than any limit.
        let is_verdict = matches!(&item, Item::Status { status, .. } if !status.is_active());
        if is_full && !is_verdict {
            continue;
        }
        match item {
            Item::State(state) => {
                last = state.clock.map_or(last, |clock| clock.sim_time);
                tape.state(&state)?;
            }
            Item::Line { time, speaker, line } => tape.line(time, speaker, &line)?,
            Item::Event { time, json } => tape.event(time, json)?,
            Item::Status { time, status } => tape.evaluation(time, &(&status).into())?,
            Item::Picture(picture) => tape.picture(&picture)?,
        }
        if !is_full && tape.bytes() >= limit_bytes {
            is_full = true;
            tape.line(last, Speaker::Judge, "... (the recording is full; what follows is not kept)")?;
        }
    }
    let file = tape.finish()?;
    Ok(file.into_inner().map_err(|err| err.into_error())?)
}
