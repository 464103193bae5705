//! What a session leaves: one JSON document, written as a whole, the list of all of them, and its tape.
//!
//! A document holds everything that is needed to understand a run: its verdict, what happened when, what was printed, where the
//! car was, and which commands took hold at which step. While a session runs there is a file that says so; whoever finds it after
//! a crash closes that session as stopped, so that every session that ever began has exactly one record.

pub mod clock;
pub mod command;
mod digest;
pub mod document;
pub mod ranking;
pub mod recorder;
pub mod store;
mod tape;

pub use command::RecordedCommand;
pub use digest::{WayDigest, sha256};
pub use document::{CommandEntry, Digests, Document, Event, Head, LogLine, Runtime, Start, Student, Trajectory};
pub use ranking::{Entry, Listed};
pub use recorder::Recorder;
pub use store::{OpenSession, RecordError, Store, document_path, tape_path};
pub use tape::{Speaker, Tape, TapeError};
