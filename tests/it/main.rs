//! One binary for all integration tests; each module names what it makes claims about.

mod api;
mod engine;
mod mesh;
mod messages;
mod mutation;
mod ros;
mod sdf;
mod support;
