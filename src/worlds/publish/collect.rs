//! Which files of a folder are published.

use std::fs;
use std::path::Path;

use super::{PublishError, failed};
use crate::worlds::bundle_path::{BundlePath, FOLDERS, FileList};
use crate::worlds::install::InstallLimits;

/// Sorted, and within what a simulator would install. Hidden files, files at the top and unknown folders stay at home; a name that no simulator would accept is an error.
pub fn files(bundle: &Path) -> Result<Vec<BundlePath>, PublishError> {
    let top = bundle.canonicalize().map_err(failed(bundle))?;
    let mut list = FileList::default();
    for folder in FOLDERS {
        if top.join(folder).is_dir() {
            collect(&top, folder, &mut list)?;
        }
    }
    let mut files = list.files().to_vec();
    files.sort();
    let limits = InstallLimits::default();
    let mut all_bytes = 0;
    for file in &files {
        let path = top.join(file.as_str());
        let bytes = fs::metadata(&path).map_err(failed(&path))?.len();
        all_bytes += bytes;
        if bytes > limits.file_bytes || all_bytes > limits.all_bytes {
            return Err(PublishError::TooLarge);
        }
    }
    Ok(files)
}

fn collect(top: &Path, folder: &str, list: &mut FileList) -> Result<(), PublishError> {
    let path = top.join(folder);
    for entry in fs::read_dir(&path).map_err(failed(&path))? {
        let entry = entry.map_err(failed(&path))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let inner = format!("{folder}/{name}");
        let kind = entry.file_type().map_err(failed(&entry.path()))?;
        if kind.is_dir() {
            collect(top, &inner, list)?;
            continue;
        }
        if kind.is_symlink() {
            let target = entry.path().canonicalize().ok().filter(|target| target.starts_with(top) && target.is_file());
            target.ok_or_else(|| PublishError::Link(inner.clone()))?;
        } else if !kind.is_file() {
            return Err(PublishError::NotRegular(inner));
        }
        if let Some(path) = BundlePath::parse(&inner)? {
            list.add(path)?;
        }
        if list.files().len() > InstallLimits::default().files {
            return Err(PublishError::TooLarge);
        }
    }
    Ok(())
}
