//! Clock and epoch, reserved ahead on disk, so that a restarted simulator begins after everything it ever published.
//!
//! A thread of its own writes the file; the thread that steps the world waits for it only when it has used up what was reserved.
//! If the file cannot be written (a full disk), the simulation goes on and the loss of the promise is logged.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;
use tracing::error;

use crate::domain::{Epoch, SimTime};

/// How much time is reserved at once, at least.
const AHEAD: Duration = Duration::from_secs(10);
/// Fast running reserves what it uses in about this much wall time, so that the disk does not set the pace.
const AHEAD_WALL_SECS: f64 = 2.0;

#[derive(Debug, Error)]
pub enum LedgerError {
    #[error("another simulator uses the data folder {0}: stop it, or choose another folder with --data")]
    InUse(PathBuf),
    #[error("cannot use {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

/// Up to where clock and epoch may go before more must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Reserved {
    time: SimTime,
    epoch: Epoch,
}

#[derive(Debug, Default)]
struct State {
    written: Reserved,
    wanted: Reserved,
    stop: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Grants time and epochs. Owns the writing thread and joins it.
#[derive(Debug)]
pub struct Ledger {
    shared: Arc<Shared>,
    /// What the stepping thread knows to be written, so that most steps need no lock.
    known: Reserved,
    thread: Option<JoinHandle<()>>,
    _lock: File,
}

impl Ledger {
    /// Opens the ledger in this folder; answers the first time and epoch of this life.
    pub fn open(folder: &Path) -> Result<(Self, SimTime, Epoch), LedgerError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| LedgerError::Io { path, source }
        };
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let lock_path = folder.join("simulator.lock");
        let lock = File::create(&lock_path).map_err(failed(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(LedgerError::InUse(folder.to_owned()));
        }
        let path = folder.join("clock");
        let last = read(&path).map_err(failed(&path))?;
        let (time, epoch) = (last.time, Epoch(last.epoch.0 + 1));
        let first = Reserved { time: time.plus(AHEAD), epoch: Epoch(epoch.0 + 1) };
        write(&path, first).map_err(failed(&path))?;

        let shared = Arc::new(Shared::default());
        *shared.lock() = State { written: first, wanted: first, stop: false };
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("ledger".into())
            .spawn(move || run(&theirs, &path))
            .map_err(failed(folder))?;
        Ok((Self { shared, known: first, thread: Some(thread), _lock: lock }, time, epoch))
    }

    /// Waits, if it must, until this time and epoch are covered by what is on disk. `rtf` is how fast time is used at present.
    pub fn cover(&mut self, time: SimTime, epoch: Epoch, rtf: f64) {
        let ahead = AHEAD.max(Duration::from_secs_f64((rtf * AHEAD_WALL_SECS).clamp(0.0, 3600.0)));
        let half = self.known.time.secs_since(time) > ahead.as_secs_f64() / 2.0;
        if half && epoch < self.known.epoch {
            return;
        }
        let wanted = Reserved { time: time.plus(ahead), epoch: Epoch(epoch.0 + 1) };
        let mut state = self.shared.lock();
        state.wanted.time = state.wanted.time.max(wanted.time);
        state.wanted.epoch = state.wanted.epoch.max(wanted.epoch);
        self.shared.changed.notify_all();
        while state.written.time < time || state.written.epoch < epoch {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.known = state.written;
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say at its end; what it could not write was logged.
            let _ = thread.join();
        }
    }
}

fn run(shared: &Shared, path: &Path) {
    let mut failing = false;
    let mut state = shared.lock();
    loop {
        while state.wanted == state.written && !state.stop {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.wanted == state.written {
            return;
        }
        let wanted = state.wanted;
        drop(state);
        match write(path, wanted) {
            Ok(()) => failing = false,
            Err(err) if !failing => {
                failing = true;
                error!(%err, path = %path.display(), "cannot reserve the clock: after a crash it may run backwards");
            }
            Err(_) => {}
        }
        state = shared.lock();
        state.written = wanted;
        shared.changed.notify_all();
    }
}

/// One line: nanoseconds and epoch. A missing file is a first start; one that cannot be understood is a fault to report.
fn read(path: &Path) -> io::Result<Reserved> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Reserved::default()),
        Err(err) => return Err(err),
    };
    let mut words = text.split_whitespace();
    let parsed = words.next().and_then(|w| w.parse().ok()).zip(words.next().and_then(|w| w.parse().ok()));
    match parsed {
        Some((nanos, epoch)) => Ok(Reserved { time: SimTime::from_nanos(nanos), epoch: Epoch(epoch) }),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it does not hold a time and an epoch; delete it to start at 0",
        )),
    }
}

/// Replaces the file as a whole, so that a crash leaves the old line or the new one.
fn write(path: &Path, reserved: Reserved) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut file = File::create(&draft)?;
    writeln!(file, "{} {}", reserved.time.nanos(), reserved.epoch.0)?;
    file.sync_data()?;
    std::fs::rename(&draft, path)
}
