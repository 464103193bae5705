//! The records of one data folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use tracing::{error, warn};

use super::clock::Utc;
use super::document::{Digests, Document, Head, Runtime, Start, Student, Trajectory};
use super::ranking::{self, Entry, Listed};
use super::recorder::{self, Recorder};
use super::tape::TapeError;
use crate::domain::Outcome;
use crate::worlds::durable;

const FOLDER: &str = "records";
const OPEN: &str = "open_session";
const INTERRUPTED: &str = "the simulator was restarted";

#[derive(Debug, Error)]
pub enum RecordError {
    #[error("the record cannot be read: {0}")]
    Read(io::Error),
    #[error("the record cannot be written to {}: {source}; is the disk full?", folder.display())]
    Write { folder: PathBuf, source: io::Error },
    #[error("the record {session_id} is damaged: {reason}")]
    Damaged { session_id: String, reason: String },
}

/// All that is known of a session when it begins, kept on disk until its record is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenSession {
    pub session_id: String,
    pub world: String,
    pub world_id: Option<String>,
    pub rev: Option<String>,
    pub robot: String,
    pub command: Option<String>,
    pub better: String,
    pub time_limit_s: f64,
    pub started_at: String,
    pub seed: u64,
    pub lockstep: bool,
    pub digests: Digests,
}

/// Blocking: to be called where a disk may take its time. Looking at the list takes no disk.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// By session, which is by time.
    entries: Mutex<BTreeMap<String, Entry>>,
}

impl Store {
    /// Reads what is there, removes what was never finished, and closes a session that was interrupted.
    pub fn open(data: &Path) -> Self {
        let store = Self { folder: data.join(FOLDER), entries: Mutex::default() };
        match fs::read_dir(&store.folder) {
            Ok(files) => files.flatten().for_each(|file| store.take_up(&file.path())),
            Err(err) if err.kind() == io::ErrorKind::NotFound => {}
            Err(err) => warn!(folder = %store.folder.display(), %err, "the records cannot be read"),
        }
        store.close_interrupted();
        store
    }

    /// A session begins: from now on it will have a record, whatever happens.
    pub fn begin(&self, open: &OpenSession) -> Result<(), RecordError> {
        let failed = |source| RecordError::Write { folder: self.folder.clone(), source };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        durable::write_file(&self.folder.join(OPEN), &json(open)).map_err(failed)
    }

    /// Begins the tape of a session that has begun.
    pub fn recorder(&self, open: &OpenSession, limit_bytes: u64) -> Result<Recorder, TapeError> {
        Recorder::start(&self.folder, open.about(), limit_bytes)
    }

    /// Puts a tape beside the document that is to come. Says how much of the session is not on it.
    pub fn keep_tape(&self, session_id: &str, recorder: Recorder) -> Result<u64, TapeError> {
        recorder.finish(&self.tape_path(session_id))
    }

    /// Removes the oldest tapes until the rest takes no more than this. The newest stays in any case, and so do all documents, which
    /// say from then on that there is no tape. Answers with the sessions whose tapes are gone.
    pub fn make_room(&self, limit_bytes: u64) -> Result<Vec<String>, RecordError> {
        let mut tapes = Vec::new();
        for file in fs::read_dir(&self.folder).map_err(RecordError::Read)?.flatten() {
            let path = file.path();
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            // Only what we have put there ourselves.
            if path == self.tape_path(&name) && self.lock().contains_key(&name) {
                tapes.push((name, file.metadata().map_err(RecordError::Read)?.len()));
            }
        }
        tapes.sort_unstable();
        let mut bytes: u64 = tapes.iter().map(|(_, bytes)| bytes).sum();
        tapes.pop();
        let mut removed = Vec::new();
        for (name, length) in tapes {
            if bytes <= limit_bytes {
                break;
            }
            self.remove_tape(&name)?;
            bytes -= length;
            removed.push(name);
        }
        Ok(removed)
    }

    fn remove_tape(&self, session_id: &str) -> Result<(), RecordError> {
        let failed = |source| RecordError::Write { folder: self.folder.clone(), source };
        // First the document, so that none ever promises a tape that is gone.
        if let Some(mut document) = self.document(session_id)? {
            document.head.mcap = false;
            durable::write_file(&self.path(session_id), &json(&document)).map_err(failed)?;
            self.lock().insert(session_id.to_owned(), Entry::of(&document.head));
        }
        fs::remove_file(self.tape_path(session_id)).map_err(failed)
    }

    /// The tape of a session and its length; None when it has none.
    pub fn tape(&self, session_id: &str) -> Result<Option<(File, u64)>, RecordError> {
        // Only names that we gave ourselves become paths.
        if !self.lock().contains_key(session_id) {
            return Ok(None);
        }
        let opened = File::open(self.tape_path(session_id)).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((bytes, file)) => Ok(Some((file, bytes))),
            Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(err) => Err(RecordError::Read(err)),
        }
    }

    /// Writes the document and puts it on the list; the session is no longer open.
    pub fn keep(&self, document: &Document) -> Result<(), RecordError> {
        let failed = |source| RecordError::Write { folder: self.folder.clone(), source };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        durable::write_file(&self.path(&document.head.session_id), &json(document)).map_err(failed)?;
        self.lock().insert(document.head.session_id.clone(), Entry::of(&document.head));
        match fs::remove_file(self.folder.join(OPEN)) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => Err(failed(err)),
            _ => Ok(()),
        }
    }

    /// The session of the newest record.
    pub fn newest(&self) -> Option<String> {
        self.lock().keys().next_back().cloned()
    }

    /// Newest first, of one world or of all.
    pub fn list(&self, world: Option<&str>) -> Vec<Listed> {
        let entries = self.lock();
        let wanted = |entry: &&Entry| world.is_none_or(|world| entry.world == world);
        ranking::listed(entries.values().filter(wanted))
    }

    /// The document as it was written; None when there is no such session.
    pub fn bytes(&self, session_id: &str) -> Result<Option<Vec<u8>>, RecordError> {
        // Only names that we gave ourselves become paths.
        if !self.lock().contains_key(session_id) {
            return Ok(None);
        }
        fs::read(self.path(session_id)).map(Some).map_err(RecordError::Read)
    }

    /// The document without its bulk.
    pub fn head(&self, session_id: &str) -> Result<Option<Head>, RecordError> {
        self.parsed(session_id)
    }

    pub fn document(&self, session_id: &str) -> Result<Option<Document>, RecordError> {
        self.parsed(session_id)
    }

    fn parsed<T: for<'a> Deserialize<'a>>(&self, session_id: &str) -> Result<Option<T>, RecordError> {
        let Some(bytes) = self.bytes(session_id)? else { return Ok(None) };
        let damaged = |err: serde_json::Error| RecordError::Damaged {
            session_id: session_id.to_owned(),
            reason: err.to_string(),
        };
        serde_json::from_slice(&bytes).map(Some).map_err(damaged)
    }

    fn take_up(&self, path: &Path) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_leftover = |purpose: &str| name.starts_with(&format!(".{purpose}-"));
        if is_leftover(durable::DRAFT) || is_leftover(recorder::PURPOSE) {
            if let Err(err) = fs::remove_file(path) {
                warn!(%err, path = %path.display(), "this file was never finished and cannot be removed");
            }
            return;
        }
        self.index(path);
    }

    fn index(&self, path: &Path) {
        if path.extension().is_none_or(|extension| extension != "json") {
            return;
        }
        let entry = fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Entry>(&bytes).ok());
        match entry.filter(|entry| self.path(&entry.session_id) == path) {
            Some(entry) => {
                self.lock().insert(entry.session_id.clone(), entry);
            }
            None => warn!(path = %path.display(), "this is no record and is passed over"),
        }
    }

    fn close_interrupted(&self) {
        let path = self.folder.join(OPEN);
        let Ok(bytes) = fs::read(&path) else { return };
        let closed = match serde_json::from_slice::<OpenSession>(&bytes) {
            // It had come as far as its record.
            Ok(open) if self.lock().contains_key(&open.session_id) => Ok(()),
            Ok(open) => return self.keep_interrupted(open),
            Err(err) => {
                warn!(%err, "a session was interrupted, and nothing is known of it");
                Ok(())
            }
        };
        if let Err(err) = closed.and_then(|()| fs::remove_file(&path)) {
            warn!(%err, path = %path.display(), "this file cannot be removed");
        }
    }

    fn keep_interrupted(&self, open: OpenSession) {
        let mut document = open.ended(Outcome::Stopped, INTERRUPTED);
        // The session may have come as far as its tape.
        document.head.mcap = self.tape_path(&document.head.session_id).is_file();
        if let Err(err) = self.keep(&document) {
            error!(%err, "the record of an interrupted session is lost");
        }
    }

    fn path(&self, session_id: &str) -> PathBuf {
        document_in(&self.folder, session_id)
    }

    fn tape_path(&self, session_id: &str) -> PathBuf {
        tape_in(&self.folder, session_id)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        // Every entry is complete, whoever panicked beside it.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the document of a session is in this data folder, if there is such a session.
pub fn document_path(data: &Path, session_id: &str) -> PathBuf {
    document_in(&data.join(FOLDER), session_id)
}

fn document_in(folder: &Path, session_id: &str) -> PathBuf {
    folder.join(format!("{session_id}.json"))
}

/// Where the tape of a session is in this data folder, if it has one.
pub fn tape_path(data: &Path, session_id: &str) -> PathBuf {
    tape_in(&data.join(FOLDER), session_id)
}

fn tape_in(folder: &Path, session_id: &str) -> PathBuf {
    folder.join(format!("{session_id}.mcap"))
}

impl OpenSession {
    /// The document of a session of which nothing more is known than how it ended.
    pub fn ended(self, outcome: Outcome, reason: &str) -> Document {
        let head = Head {
            session_id: self.session_id,
            world: self.world,
            world_id: self.world_id,
            rev: self.rev,
            robot: self.robot,
            command: self.command,
            outcome: outcome.as_str().to_owned(),
            record: Value::Null,
            better: self.better,
            reason: Some(reason.to_owned()),
            time_limit_s: self.time_limit_s,
            sim_time_s: 0.0,
            wall_time_s: 0.0,
            started_at: self.started_at,
            ended_at: Utc::of(SystemTime::now()).text(),
            seed: self.seed,
            lockstep: self.lockstep,
            mcap: false,
            runtime: Runtime::default(),
            student: Student::default(),
            digests: self.digests,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            start: Start::default(),
            events: Vec::new(),
        };
        Document { head, log: Vec::new(), trajectory: Trajectory::default(), commands: Vec::new() }
    }

    /// What a tape says of itself.
    fn about(&self) -> BTreeMap<String, String> {
        let Self { session_id, world, robot, started_at, seed, .. } = self;
        let pairs = [
            ("session_id", session_id.clone()),
            ("world", world.clone()),
            ("robot", robot.clone()),
            ("command", self.command.clone().unwrap_or_default()),
            ("started_at", started_at.clone()),
            ("seed", seed.to_string()),
        ];
        pairs.map(|(key, value)| (key.to_owned(), value)).into()
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("records have text keys, which is all that could fail");
    bytes.push(b'\n');
    bytes
}
