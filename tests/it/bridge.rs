//! The node's side of the simulator.

mod audio;
mod lights;
mod live;
mod policy;
mod real;
mod rig;
mod saved;
mod stand_in;
mod standard;
