//! The HTTP edge, served for real on loopback.

#![allow(clippy::approx_constant, reason = "answers are rounded, and that is what is tested")]

mod body;
mod connections;
mod crowd;
mod description;
mod display;
mod endpoints;
mod events;
mod guard;
mod nonsense;
mod numbers;
mod rules;
mod scene;
mod sensors;
mod shown;
mod viewer;
mod world_files;
mod writes;
