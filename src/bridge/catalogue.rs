//! What the bridge wants to know of a world's files, from whoever keeps them.

use std::fmt;
use std::sync::Arc;

use crate::domain::{WorldContents, WorldName};
use crate::worlds::Library;

/// Looked up when a world is loaded, on the task that owns the live state: answers at once, without touching a disk.
pub trait WorldCatalogue: fmt::Debug + Send + Sync {
    /// Nothing in particular for a world it does not know.
    fn contents(&self, world: &WorldName) -> Arc<WorldContents>;
}

impl WorldCatalogue for Library {
    fn contents(&self, world: &WorldName) -> Arc<WorldContents> {
        self.known(world).map(|definition| Arc::new(definition.contents())).unwrap_or_default()
    }
}

/// Knows no world.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCatalogue;

impl WorldCatalogue for NoCatalogue {
    fn contents(&self, _world: &WorldName) -> Arc<WorldContents> {
        Arc::default()
    }
}
