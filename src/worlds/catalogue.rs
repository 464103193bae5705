//! Which worlds there are: the official ones of the package and the custom ones of the data folder.
//!
//! Every folder is listed, also one that is broken (with its error), also one dropped in by hand. The catalogue is read from
//! the disk whenever it is asked; it keeps nothing.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::assets::Assets;
use super::bundle::{Bundle, BundleError, Metadata};
use super::display;
use super::id::{Rev, WorldId};
use super::meta::is_size;
use crate::domain::WorldName;

/// The folder beside the official worlds that holds what all worlds may use.
const SHARED: &str = "shared";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CatalogueError {
    #[error("a world file is named with letters, digits and _, and ends in .world")]
    BadFileName,
    #[error("a world ID has 32 hex digits")]
    BadId,
    #[error("name a world by `world` or by `world_id`")]
    NothingNamed,
    #[error("world not found")]
    NotFound,
    #[error("world not installed")]
    NotInstalled,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    pub file: String,
    pub display: String,
    pub world_id: Option<WorldId>,
    pub rev: Option<Rev>,
    /// Width and height in metres.
    pub size: Option<[f64; 2]>,
    pub official: bool,
    pub evaluation: bool,
    pub deletable: bool,
    /// Whether it has a picture of its track.
    pub picture: bool,
    /// Why it cannot be loaded.
    pub error: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Catalogue {
    official: Vec<PathBuf>,
    custom: PathBuf,
}

impl Catalogue {
    /// `official` are folders of worlds in the order of precedence, `custom` is the one that installs go to.
    pub fn new(official: Vec<PathBuf>, custom: PathBuf) -> Self {
        Self { official, custom }
    }

    /// Official worlds first, then by name.
    pub fn list(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let roots = self.official.iter().map(|root| (root, true)).chain([(&self.custom, false)]);
        for (root, official) in roots {
            let mut found: Vec<Entry> =
                world_folders(root, official).iter().map(|path| describe(path, official)).collect();
            for entry in &mut found {
                if entries.iter().any(|earlier| earlier.name == entry.name) {
                    entry.error = Some("an official world has the same name; rename the folder".into());
                    entry.deletable = false;
                }
            }
            entries.append(&mut found);
        }
        entries.sort_by(|a, b| (!a.official, &a.name).cmp(&(!b.official, &b.name)));
        entries
    }

    /// By what `POST /switch` calls `world`: `<name>.world`.
    pub fn find_file(&self, file: &str) -> Result<Bundle, CatalogueError> {
        let name = file.strip_suffix(".world").and_then(|name| WorldName::parse(name).ok());
        self.find(&name.ok_or(CatalogueError::BadFileName)?)
    }

    pub fn find(&self, name: &WorldName) -> Result<Bundle, CatalogueError> {
        let official = self.official.iter().filter(|_| name.as_str() != SHARED).map(|root| (root, true));
        let mut places = official.chain([(&self.custom, false)]).map(|(root, is)| (root.join(name.as_str()), is));
        let (folder, official) = places.find(|(folder, _)| folder.is_dir()).ok_or(CatalogueError::NotFound)?;
        Ok(Bundle::new(name.clone(), folder, official))
    }

    /// The installed world that was published under this id.
    pub fn find_id(&self, id: &WorldId) -> Result<Bundle, CatalogueError> {
        self.find(&id.world_name()).map_err(|_| CatalogueError::NotInstalled)
    }

    /// The files this world may use.
    pub fn assets(&self, bundle: &Bundle) -> Assets {
        let shared: Vec<PathBuf> = self.official.iter().map(|root| root.join(SHARED)).collect();
        Assets::new(bundle.folder(), &shared)
    }
}

impl Bundle {
    /// Id and revision of the publication this bundle was installed from. A copy under another name is no longer that world.
    pub fn publication(&self) -> Option<(WorldId, Rev)> {
        let metadata = self.metadata().ok().flatten()?;
        publication(self.name(), &metadata)
    }

    /// The name that people read.
    pub fn display(&self) -> String {
        display_name(self.name().as_str(), self.metadata().ok().flatten().as_ref())
    }
}

fn publication(name: &WorldName, metadata: &Metadata) -> Option<(WorldId, Rev)> {
    let id = metadata.world_id.clone().filter(|id| id.world_name() == *name)?;
    Some((id, metadata.rev.clone()?))
}

fn display_name(name: &str, metadata: Option<&Metadata>) -> String {
    let given = metadata.and_then(|metadata| display::clean(metadata.display.as_deref()?));
    given.or_else(|| display::clean(name)).unwrap_or_default()
}

/// A folder that is not there has no worlds; neither has one that cannot be read, but that is logged.
fn world_folders(root: &Path, official: bool) -> Vec<PathBuf> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(err) => {
            if err.kind() != std::io::ErrorKind::NotFound {
                tracing::warn!(%err, folder = %root.display(), "cannot list the worlds of this folder");
            }
            return Vec::new();
        }
    };
    let is_world = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        path.is_dir() && !name.starts_with('.') && !(official && name == SHARED)
    };
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_world).collect()
}

fn describe(folder: &Path, official: bool) -> Entry {
    let raw = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match WorldName::parse(&raw) {
        Ok(name) => describe_bundle(&Bundle::new(name, folder.to_owned(), official)),
        Err(err) => Entry {
            file: format!("{raw}.world"),
            display: display_name(&raw, None),
            name: raw,
            world_id: None,
            rev: None,
            size: None,
            official,
            evaluation: false,
            deletable: false,
            picture: false,
            error: Some(format!("{err}; rename the folder")),
        },
    }
}

fn describe_bundle(bundle: &Bundle) -> Entry {
    let (metadata, damage): (Option<Metadata>, Option<BundleError>) = match bundle.metadata() {
        Ok(metadata) => (metadata, None),
        Err(err) => (None, Some(err)),
    };
    let publication = metadata.as_ref().and_then(|metadata| publication(bundle.name(), metadata));
    let (world_id, rev) = publication.unzip();
    let error = bundle.world_file().err().or(damage);
    Entry {
        name: bundle.name().to_string(),
        file: bundle.name().file(),
        display: display_name(bundle.name().as_str(), metadata.as_ref()),
        world_id,
        rev,
        size: metadata.and_then(|metadata| metadata.size).filter(|size| is_size(*size)),
        official: bundle.is_official(),
        evaluation: bundle.has_evaluation(),
        deletable: !bundle.is_official(),
        picture: bundle.picture_file().is_ok_and(|file| file.is_some()),
        error: error.map(|err| err.to_string()),
    }
}
