//! The data folder's worlds, as far as they change: new ones appear, old ones go, and the last one used is remembered.
//!
//! A bundle appears and disappears by one rename. Work in progress lies in hidden folders beside the bundles, which listings
//! pass over and [`Store::recover`] removes after a crash.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::durable::{self, TempFolder};
use crate::domain::WorldName;

const INSTALL: &str = "install";
const DELETED: &str = "deleted";
/// Where the bundle stands that is being replaced, on file systems that cannot exchange two folders.
const OLD_PREFIX: &str = ".old-";

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("world not found")]
    NotFound,
    #[error("cannot change {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
}

/// Cheap to clone; all clones take turns at changing the folder.
#[derive(Debug, Clone)]
pub struct Store {
    data: PathBuf,
    worlds: PathBuf,
    turn: Arc<Mutex<()>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    world: Option<String>,
}

impl Store {
    /// Touches nothing yet.
    pub fn new(data: &Path) -> Self {
        Self { data: data.to_owned(), worlds: data.join("worlds"), turn: Arc::default() }
    }

    /// Where the custom worlds are.
    pub fn worlds(&self) -> &Path {
        &self.worlds
    }

    /// Finishes or removes what a crash left behind. Only for the one process that owns the data folder, at its start.
    pub fn recover(&self) -> Result<(), StoreError> {
        let _turn = self.turn();
        let failed = |source| StoreError::Io { path: self.worlds.clone(), source };
        remove_drafts(&self.data).map_err(failed)?;
        for entry in entries(&self.worlds).map_err(failed)? {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(world) = name.strip_prefix(OLD_PREFIX) {
                let place = self.worlds.join(world);
                if place.symlink_metadata().is_err() {
                    fs::rename(entry.path(), place).map_err(failed)?;
                } else {
                    fs::remove_dir_all(entry.path()).map_err(failed)?;
                }
            } else if [INSTALL, DELETED].iter().any(|purpose| name.starts_with(&format!(".{purpose}-"))) {
                fs::remove_dir_all(entry.path()).map_err(failed)?;
            } else if entry.path().is_dir() {
                remove_drafts(&entry.path()).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Removes a custom world. Once it is out of the list it counts as deleted, even if its files take longer.
    pub fn delete(&self, name: &WorldName) -> Result<(), StoreError> {
        let turn = self.turn();
        let place = self.worlds.join(name.as_str());
        let grave = self.worlds.join(durable::unique_name(DELETED));
        match fs::rename(&place, &grave) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Err(StoreError::NotFound),
            renamed => renamed.map_err(|source| StoreError::Io { path: place, source })?,
        }
        let synced = durable::sync_folder(&self.worlds);
        drop(turn);
        // A bundle that is only a link loses the link, not what it points to.
        if let Err(err) = fs::remove_dir_all(&grave) {
            tracing::warn!(%err, folder = %grave.display(), "files of a deleted world stay until the next start");
        }
        synced.map_err(|source| StoreError::Io { path: self.worlds.clone(), source })
    }

    /// The world that ran last, if that is known.
    pub fn last_world(&self) -> Option<WorldName> {
        let bytes = fs::read(self.state_file()).ok()?;
        let state: State = serde_json::from_slice(&bytes).ok()?;
        WorldName::parse(&state.world?).ok()
    }

    pub fn remember_world(&self, name: &WorldName) -> Result<(), StoreError> {
        let path = self.state_file();
        let state = State { world: Some(name.to_string()) };
        let write = || {
            fs::create_dir_all(&self.data)?;
            durable::write_file(&path, &serde_json::to_vec(&state).map_err(io::Error::other)?)
        };
        write().map_err(|source| StoreError::Io { path: path.clone(), source })
    }

    fn state_file(&self) -> PathBuf {
        self.data.join("state")
    }

    /// A folder for an install, on the same file system as the worlds.
    pub(super) fn stage(&self) -> io::Result<TempFolder> {
        TempFolder::create(&self.worlds, INSTALL)
    }

    /// Makes the finished folder the bundle of this name; one that was there before is replaced.
    pub(super) fn put(&self, finished: &Path, name: &WorldName) -> io::Result<()> {
        let _turn = self.turn();
        let aside = self.worlds.join(format!("{OLD_PREFIX}{name}"));
        if aside.symlink_metadata().is_ok() {
            fs::remove_dir_all(&aside)?;
        }
        durable::put_in_place(finished, &self.worlds.join(name.as_str()), &aside)?;
        if aside.symlink_metadata().is_ok()
            && let Err(err) = fs::remove_dir_all(&aside)
        {
            tracing::warn!(%err, folder = %aside.display(), "files of a replaced world stay until the next start");
        }
        Ok(())
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is in this folder; nothing when there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.collect(),
    }
}

fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in entries(folder)? {
        let is_draft = entry.file_name().to_string_lossy().starts_with(&format!(".{}-", durable::DRAFT));
        if is_draft && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
