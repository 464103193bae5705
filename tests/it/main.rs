//! One binary for all integration tests; each module names what it makes claims about.

mod api;
mod engine;
mod messages;
mod render;
mod ros;
mod support;
