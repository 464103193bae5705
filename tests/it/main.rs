//! One binary for all integration tests; each module names what it makes claims about.

mod api;
mod backend;
mod bridge;
mod engine;
mod messages;
mod ros;
mod support;
mod worlds;
