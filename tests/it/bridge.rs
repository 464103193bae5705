//! The node's side of the simulator.

mod audio;
mod lights;
mod live;
mod policy;
mod real;
mod saved;
