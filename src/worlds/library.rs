//! What is known of the worlds, read once and at hand: whoever owns the live state must not wait for a disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tracing::warn;

use super::bundle::BundleError;
use super::catalogue::{Catalogue, CatalogueError};
use super::definition::{DefinitionError, WorldDefinition};
use crate::domain::WorldName;

#[derive(Debug, Error)]
pub enum LibraryError {
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Definition(#[from] DefinitionError),
}

#[derive(Debug)]
struct Kept {
    fingerprint: String,
    definition: Arc<WorldDefinition>,
}

#[derive(Debug)]
pub struct Library {
    catalogue: Catalogue,
    kept: Mutex<BTreeMap<WorldName, Kept>>,
}

impl Library {
    pub fn new(catalogue: Catalogue) -> Self {
        Self { catalogue, kept: Mutex::default() }
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Reads every world that there is. A broken one is left to whoever asks for it.
    pub fn read_all(&self) {
        for entry in self.catalogue.list() {
            let Ok(name) = WorldName::parse(&entry.name) else { continue };
            if let Err(err) = self.read(&name) {
                warn!(world = %name, %err, "this world cannot be read");
            }
        }
    }

    /// From memory, or from the disk if its files have changed.
    pub fn read(&self, world: &WorldName) -> Result<Arc<WorldDefinition>, LibraryError> {
        let bundle = self.catalogue.find(world)?;
        let fingerprint = bundle.fingerprint()?;
        if let Some(kept) = self.lock().get(world).filter(|kept| kept.fingerprint == fingerprint) {
            return Ok(kept.definition.clone());
        }
        let definition = Arc::new(WorldDefinition::read(&self.catalogue, &bundle)?);
        self.lock().insert(world.clone(), Kept { fingerprint, definition: definition.clone() });
        Ok(definition)
    }

    /// At once, as it was last read.
    pub fn known(&self, world: &WorldName) -> Option<Arc<WorldDefinition>> {
        self.lock().get(world).map(|kept| kept.definition.clone())
    }

    /// Of a world that is no more.
    pub fn forget(&self, world: &WorldName) {
        self.lock().remove(world);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<WorldName, Kept>> {
        // Every value in it is complete, whoever panicked beside it.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
