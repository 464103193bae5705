//! One binary for all integration tests; each module names what it makes claims about.

mod engine;
mod ros;
mod support;
