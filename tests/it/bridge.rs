//! The node's side of the simulator.

mod audio;
mod lights;
mod live;
mod older;
mod policy;
mod real;
mod rig;
mod saved;
pub mod stand_in;
mod standard;
