//! The node's side of the simulator: one task owns the live state, everybody else reads snapshots of it.
//!
//! The task is fed by the simulator's topics and by the answers to its own requests. An answer is folded in before it is passed
//! on, and older states are dropped, so that whoever changed something reads the change. Reads never wait for the simulator.

pub mod handle;
pub mod live;
mod owner;
mod wire;

pub use handle::{BridgeError, BridgeHandle, OwnerEnd, VehiclePlaced, Write, channel};
pub use owner::run;
