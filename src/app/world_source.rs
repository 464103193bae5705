//! Worlds for the simulator: those of the catalogue, loaded from their bundles.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tracing::{info, warn};

use crate::backend::catalogue::{BuiltIn, SourceError, SourcedWorld, WorldSource};
use crate::domain::{Pose, WorldName};
use crate::engine::load::{self, AssetCache, Source};
use crate::sdf;
use crate::worlds::{Bundle, Catalogue, CatalogueError, Route};

/// Warnings of one world that are worth a line each in the log.
const SHOWN_WARNINGS: usize = 10;

#[derive(Debug)]
pub struct CatalogueWorlds {
    catalogue: Catalogue,
    /// Kept between loads, so that a respawn decodes nothing anew.
    cache: Mutex<AssetCache>,
}

impl CatalogueWorlds {
    pub fn new(catalogue: Catalogue) -> Self {
        Self { catalogue, cache: Mutex::default() }
    }

    fn load(&self, bundle: &Bundle) -> Result<SourcedWorld, String> {
        let path = bundle.world_file().map_err(|err| err.to_string())?;
        let bytes = read_some(&path).map_err(|err| format!("{}: {err}", path.display()))?;
        let route = bundle.route().map_err(|err| err.to_string())?;
        let source = Source {
            name: bundle.name(),
            bytes: &bytes,
            path: &format!("worlds/{}", path.file_name().unwrap_or_default().to_string_lossy()),
            files: &self.catalogue.assets(bundle),
            start: route.as_ref().map_or_else(Pose::default, Route::start_pose),
        };
        // The cache holds finished values only, whoever panicked beside it.
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = load::load(&source, &mut cache).map_err(|err| err.to_string())?;
        for warning in loaded.warnings.iter().take(SHOWN_WARNINGS) {
            warn!(world = %bundle.name(), "{warning}");
        }
        if loaded.warnings.len() > SHOWN_WARNINGS {
            info!(world = %bundle.name(), "{} further warnings", loaded.warnings.len() - SHOWN_WARNINGS);
        }
        Ok(SourcedWorld { description: loaded.description, look: Some(loaded.look) })
    }
}

/// A file as far as it can be a world; the reader refuses one that is longer.
fn read_some(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(sdf::limits::MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl WorldSource for CatalogueWorlds {
    fn names(&self) -> Vec<WorldName> {
        let listed = self.catalogue.list().into_iter().filter(|entry| entry.error.is_none());
        let mut names: Vec<WorldName> = listed.filter_map(|entry| WorldName::parse(&entry.name).ok()).collect();
        names.extend(BuiltIn.names());
        names.sort();
        names
    }

    fn load(&self, world: &WorldName) -> Result<SourcedWorld, SourceError> {
        match self.catalogue.find(world) {
            Ok(bundle) => {
                let broken = |reason| SourceError::Broken { world: world.clone(), reason };
                CatalogueWorlds::load(self, &bundle).map_err(broken)
            }
            Err(CatalogueError::NotFound) => BuiltIn.load(world),
            Err(other) => Err(SourceError::Broken { world: world.clone(), reason: other.to_string() }),
        }
    }
}
