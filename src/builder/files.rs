//! Files in memory, and the folder they become.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::BuildError;
use crate::worlds::bundle_path::FOLDERS;

/// By their paths from the top folder, parts separated by `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree(BTreeMap<String, Vec<u8>>);

impl FileTree {
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.0.insert(path.to_owned(), bytes);
    }

    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// By path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Makes `folder` hold exactly these files. What was there is replaced, if it is a bundle; anything else is refused.
    pub fn write(&self, folder: &Path) -> Result<(), BuildError> {
        check_free(folder)?;
        let beside = |suffix: &str| {
            let mut name = std::ffi::OsString::from(".");
            name.push(folder.file_name().unwrap_or_default());
            name.push(suffix);
            folder.with_file_name(name)
        };
        let (new, old) = (beside(".new"), beside(".old"));
        for leftover in [&new, &old] {
            if leftover.exists() {
                at(leftover, fs::remove_dir_all(leftover))?;
            }
        }
        at(&new, fs::create_dir_all(&new))?;
        for (path, bytes) in self.iter() {
            let file = new.join(path);
            if let Some(parent) = file.parent() {
                at(parent, fs::create_dir_all(parent))?;
            }
            at(&file, fs::write(&file, bytes))?;
        }
        if folder.exists() {
            at(folder, fs::rename(folder, &old))?;
        }
        at(folder, fs::rename(&new, folder))?;
        if old.exists() {
            at(&old, fs::remove_dir_all(&old))?;
        }
        Ok(())
    }
}

/// Nobody's photographs are replaced by a race track because of a slip of the fingers.
fn check_free(folder: &Path) -> Result<(), BuildError> {
    let Ok(entries) = fs::read_dir(folder) else {
        if folder.exists() {
            return Err(BuildError::InTheWay { folder: folder.to_owned(), what: "a file".into() });
        }
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !FOLDERS.contains(&name.as_str()) && name != "bundle.json" {
            return Err(BuildError::InTheWay { folder: folder.to_owned(), what: name });
        }
    }
    Ok(())
}

fn at<T>(path: &Path, outcome: std::io::Result<T>) -> Result<T, BuildError> {
    outcome.map_err(|source| BuildError::Unwritable { file: PathBuf::from(path), source })
}
