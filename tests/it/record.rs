//! What a session leaves behind.

mod recorder;
mod store;
mod tape;
