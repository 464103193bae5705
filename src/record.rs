//! What a session leaves behind: its tape.

mod tape;

pub use tape::{Speaker, Tape, TapeError};
