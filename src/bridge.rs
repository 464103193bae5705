//! The node's side of the simulator: one task owns the live state, everybody else reads snapshots of it.

pub mod handle;

pub use handle::{BridgeError, BridgeHandle, OwnerEnd, VehiclePlaced, Write, channel};
