//! What a session leaves behind.

mod store;
mod tape;
