//! What is known of a world without asking the simulator.

use crate::domain::{LightSpec, ModelName};

/// The part of a world's files that the live state needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorldContents {
    pub lights: Vec<LightSpec>,
    /// Models that nobody can move: walls, the track.
    pub fixed: Vec<ModelName>,
    /// Under which it was published; nothing for all others.
    pub world_id: Option<String>,
}
