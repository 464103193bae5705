//! Why the engine refuses a description or a command. A refusal leaves everything as it was.

use thiserror::Error;

use crate::domain::{ModelName, NameError};

#[derive(Debug, Clone, PartialEq, Error)]
pub enum EngineError {
    #[error("no such model: {0}")]
    UnknownEntity(ModelName),
    #[error("{0} is part of the world and cannot be moved")]
    NotMovable(ModelName),
    #[error("{0} is not a finite number")]
    NotFinite(&'static str),
    #[error("{what} must be from {min} to {max}")]
    OutOfRange { what: &'static str, min: f64, max: f64 },
    #[error("{0} must be greater than 0")]
    NotPositive(&'static str),
    #[error("a path needs at least one point")]
    EmptyPath,
    #[error("a path may have at most {0} points")]
    PathTooLong(usize),
    /// Loading, pausing, pacing and what is only seen are decided by whoever owns the world.
    #[error("this command is not one for a world")]
    NotForWorld,
    #[error("the name {0} occurs twice")]
    DuplicateName(ModelName),
    #[error("the vehicle's model name: {0}")]
    VehicleName(NameError),
    #[error("{0} has no shape")]
    NoShape(ModelName),
    #[error("a mesh may have at most {0} triangles")]
    MeshTooLarge(usize),
    #[error("a mesh has no vertex {0}")]
    NoSuchVertex(u32),
    #[error("the mass of {model} cannot be spread so: {fault}")]
    ImpossibleSpread { model: ModelName, fault: &'static str },
    #[error("a mesh of {0} has no surface")]
    FlatMesh(ModelName),
}
