//! Whether a change may be made now: a function of the snapshot and nothing else.
//!
//! Asked by the handle, so that what cannot be done troubles nobody, and again by the owner of the live state, who knows best.

use crate::bridge::change::Change;
use crate::bridge::error::BridgeError;
use crate::domain::Snapshot;

/// Whether this change may be made.
pub fn check(snapshot: &Snapshot, change: &Change) -> Result<(), BridgeError> {
    match change {
        Change::Load { world } => {
            check_alive(snapshot)?;
            if snapshot.transition.is_some() {
                Err(BridgeError::NotReady)
            } else if world.is_none() && snapshot.world.is_none() {
                Err(BridgeError::NoWorld)
            } else {
                Ok(())
            }
        }
        Change::Apply { advance_steps, .. } if *advance_steps > 0 => {
            check_ready(snapshot)?;
            if snapshot.paused() { Ok(()) } else { Err(BridgeError::NotPaused) }
        }
        // A session may end because the simulator has.
        Change::Evaluation { .. } => Ok(()),
        _ => check_ready(snapshot),
    }
}

/// Whether anything may be changed.
pub fn check_ready(snapshot: &Snapshot) -> Result<(), BridgeError> {
    check_alive(snapshot)?;
    if snapshot.ready() { Ok(()) } else { Err(BridgeError::NotReady) }
}

fn check_alive(snapshot: &Snapshot) -> Result<(), BridgeError> {
    if snapshot.simulator_alive { Ok(()) } else { Err(BridgeError::SimulatorNotRunning) }
}
