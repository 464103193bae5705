//! One binary for all integration tests; each module names what it makes claims about.

mod api;
mod app;
mod backend;
mod bridge;
mod builder;
mod engine;
mod faults;
mod judge;
mod mesh;
mod messages;
mod mutation;
mod record;
mod render;
mod robot;
mod ros;
mod sdf;
mod support;
mod tidy;
mod worlds;
