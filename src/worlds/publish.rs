//! Publishing: a bundle becomes a folder that any static web server can hand out as a worlds server.
//!
//! A published world gets a new id every time and never changes afterwards, except for its name and who may have it. It
//! appears by one rename; before that it was checked like a download.

mod collect;
mod hand_out;
mod write;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use thiserror::Error;

use super::bundle::{BundleError, Metadata};
use super::bundle_path::{ListError, PathError};
use super::display;
use super::durable::{self, TempFolder};
use super::id::{IdError, Rev, WorldId};
use super::install::Unusable;
use super::layout::{self, LayoutError};
use super::meta::{Access, Meta, is_size};

const PUBLISH: &str = "publish";
const META: &str = "meta.json";

#[derive(Debug, Error)]
pub enum PublishError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("the folder is not a bundle: {0}")]
    Layout(#[from] LayoutError),
    #[error("the bundle has a fault: {0}")]
    Content(Unusable),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("the bundle has more or larger files than a simulator would install")]
    TooLarge,
    #[error("{0} is a link that leads out of the bundle, or to a folder")]
    Link(String),
    #[error("{0} is neither a file nor a folder")]
    NotRegular(String),
    #[error(transparent)]
    Id(#[from] IdError),
    #[error("a name must have at least one visible character and at most {} in all", display::MAX_CHARS)]
    BadName,
    #[error("no world {0} is published here")]
    NotFound(WorldId),
    #[error("meta.json of {0} is damaged")]
    Damaged(WorldId),
    #[error("cannot use {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedWorld {
    pub world_id: WorldId,
    pub rev: Rev,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PublishedEntry {
    pub world_id: WorldId,
    /// None when its meta.json is damaged.
    pub meta: Option<Meta>,
}

/// The folder of a worlds server.
#[derive(Debug, Clone)]
pub struct Cdn {
    worlds: PathBuf,
}

impl Cdn {
    /// Touches nothing yet.
    pub fn new(folder: &Path) -> Self {
        Self { worlds: folder.join("worlds") }
    }

    /// Without a name it is called as its bundle.json says, or like its world file.
    pub fn publish(&self, bundle: &Path, name: Option<&str>, access: Access) -> Result<PublishedWorld, PublishError> {
        let files = collect::files(bundle)?;
        let stem = layout::world_stem(&files)?.to_owned();
        let note = Metadata::read(bundle)?.unwrap_or_default();
        let name = match name {
            Some(name) => display::given(name).ok_or(PublishError::BadName)?,
            None => note.display.as_deref().and_then(display::clean).unwrap_or_else(|| stem.clone()),
        };
        let world_id = WorldId::random()?;
        fs::create_dir_all(&self.worlds).map_err(failed(&self.worlds))?;
        // Shared by those who publish, so that nobody takes their work in progress for a leftover.
        let folder = File::open(&self.worlds).map_err(failed(&self.worlds))?;
        folder.lock_shared().map_err(failed(&self.worlds))?;
        let temp = TempFolder::create(&self.worlds, PUBLISH).map_err(failed(&self.worlds))?;
        let staged = temp.path().join("world");
        let names = layout::renamed(&files, &stem, world_id.world_name().as_str());
        let written = write::files(bundle, &staged, &names)?;
        super::install::check_content(&staged.join(written.rev.as_str()), &world_id.world_name())
            .map_err(PublishError::Content)?;
        let meta = Meta {
            rev: written.rev.clone(),
            name: Some(name),
            access: Some(access),
            files: names.iter().map(|(_, new)| new.to_string()).collect(),
            size: note.size.filter(|size| is_size(*size)),
            archive: Some(write::ARCHIVE.into()),
            bytes: Some(written.bytes),
        };
        let place = self.worlds.join(world_id.as_str());
        let put = || {
            let json = serde_json::to_vec_pretty(&meta).map_err(io::Error::other)?;
            durable::write_new_file(&staged.join(META), &json)?;
            durable::sync_folders(&staged)?;
            fs::rename(&staged, &place)?;
            durable::sync_folder(&self.worlds)
        };
        put().map_err(failed(&place))?;
        Ok(PublishedWorld { world_id, rev: written.rev })
    }

    /// By id.
    pub fn list(&self) -> Result<Vec<PublishedEntry>, PublishError> {
        let entries = match fs::read_dir(&self.worlds) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed(&self.worlds))?,
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut ids: Vec<WorldId> = names.filter_map(|name| WorldId::parse(&name).ok()).collect();
        ids.sort();
        Ok(ids.into_iter().map(|world_id| PublishedEntry { meta: self.meta(&world_id).ok(), world_id }).collect())
    }

    /// What the server says about one world.
    pub fn meta(&self, id: &WorldId) -> Result<Meta, PublishError> {
        Ok(self.meta_with_text(id)?.0)
    }

    pub fn rename(&self, id: &WorldId, name: &str) -> Result<(), PublishError> {
        let name = display::given(name).ok_or(PublishError::BadName)?;
        self.change(id, "name", Value::from(name))
    }

    pub fn set_access(&self, id: &WorldId, access: Access) -> Result<(), PublishError> {
        let word = serde_json::to_value(access).map_err(|_| PublishError::Damaged(id.clone()))?;
        self.change(id, "access", word)
    }

    /// Removes what interrupted publishing left behind; nothing while somebody publishes.
    pub fn recover(&self) -> Result<(), PublishError> {
        let Ok(entries) = fs::read_dir(&self.worlds) else { return Ok(()) };
        let folder = File::open(&self.worlds).map_err(failed(&self.worlds))?;
        if folder.try_lock().is_err() {
            return Ok(());
        }
        for entry in entries.filter_map(Result::ok) {
            if entry.file_name().to_string_lossy().starts_with(&format!(".{PUBLISH}-")) {
                fs::remove_dir_all(entry.path()).map_err(failed(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// Everything else in the file stays as it is, also what we do not know.
    fn change(&self, id: &WorldId, key: &str, value: Value) -> Result<(), PublishError> {
        let mut meta: Map<String, Value> =
            serde_json::from_slice(&self.read_meta(id)?).map_err(|_| PublishError::Damaged(id.clone()))?;
        meta.insert(key.to_owned(), value);
        let path = self.meta_file(id);
        let json = serde_json::to_vec_pretty(&meta).map_err(|_| PublishError::Damaged(id.clone()))?;
        durable::write_file(&path, &json).map_err(failed(&path))
    }

    fn read_meta(&self, id: &WorldId) -> Result<Vec<u8>, PublishError> {
        let path = self.meta_file(id);
        fs::read(&path).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => PublishError::NotFound(id.clone()),
            _ => failed(&path)(err),
        })
    }

    fn meta_file(&self, id: &WorldId) -> PathBuf {
        self.worlds.join(id.as_str()).join(META)
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> PublishError {
    let path = path.to_owned();
    move |source| PublishError::Io { path, source }
}
