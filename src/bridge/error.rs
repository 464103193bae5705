//! Why a change was not made.

use thiserror::Error;

use crate::bridge::lights::LightError;

/// Nothing has changed then, unless the variant says otherwise.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BridgeError {
    #[error("world not ready")]
    NotReady,
    #[error("no world running")]
    NoWorld,
    #[error("world not found")]
    NoSuchWorld,
    #[error("simulator not running")]
    SimulatorNotRunning,
    /// The simulator took too long; the change may or may not be in effect.
    #[error("simulator not running: no answer in time")]
    NoAnswer,
    #[error("too many changes are waiting for the simulator")]
    Busy,
    #[error("the simulation is not paused")]
    NotPaused,
    #[error("nobody drives the vehicle: the robot stack is not running")]
    RobotNotRunning,
    #[error("{0}")]
    Refused(String),
    /// Never possible with this simulator.
    #[error("{0}")]
    Unsupported(String),
    /// The simulator took the change and does not show it; it may still come.
    #[error("the simulator has not shown the change in time")]
    NotConfirmed,
    #[error("no such model: {0}")]
    NoSuchModel(String),
    #[error("{0} cannot be moved")]
    NotMovable(String),
    #[error("use POST /pose for the vehicle")]
    IsTheVehicle,
    #[error(transparent)]
    Light(#[from] LightError),
}
