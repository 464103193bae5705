//! A loaded world and how it advances, the only user of rapier.
//!
//! `World` is built from a `WorldDescription`, changed by commands between steps, advanced by `step` and read without side
//! effects. The same description, vehicle, seed and command sequence give the same states, bit for bit: there is no wall
//! clock, no hash order and no system mathematics library in here. No argument of a public function makes it panic or
//! lets a state become other than finite.
//!
//! It does not pace itself, number its steps, keep simulation time or speak ROS; all of that is the backend's.

mod build;
mod commands;
mod contacts;
mod convert;
mod description;
mod error;
pub mod load;
mod model;
mod motion;
mod painter;
pub mod sensors;
mod solid;
mod spread;
mod vehicle;
mod world;

pub use description::{Ground, Marker, Mobility, ModelDescription, Part, Shape, WorldDescription};
pub use error::EngineError;
pub use model::ModelInfo;
pub use painter::{Painter, View};
pub use spread::Spread;
pub use world::World;
