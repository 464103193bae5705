//! A robot-vehicle simulator that people reach in three ways over one state: HTTP, a page in the browser, and ROS 2.
//!
//! `ARCHITECTURE.md` has the map; `tests/it/tidy.rs` keeps the modules to it.

pub mod api;
pub mod app;
pub mod backend;
pub mod bridge;
pub mod builder;
pub mod domain;
pub mod engine;
pub mod judge;
pub mod mesh;
pub mod record;
pub mod render;
pub mod robot;
pub mod ros;
pub mod scene;
pub mod sdf;
pub mod worlds;
pub mod xml;
