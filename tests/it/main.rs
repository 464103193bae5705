//! All tests, one binary: it links once, and its parts share what they need.

mod app;
mod support;
