//! What a session leaves behind.

mod tape;
