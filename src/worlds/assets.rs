//! The files a world may use: its bundle's own first, then the shared ones, and nothing else on the disk.
//!
//! Paths come from world files and from requests and are hostile. They are put together as text first (`..` may not climb
//! above the top folder), and what is found must lie inside the roots after all links are followed.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::bundle_path::excerpt;
use crate::sdf::{Scheme, Uri};

/// Longer paths are mistakes or attacks.
const MAX_LEN: usize = 1024;

#[derive(Debug, Error)]
pub enum AssetError {
    #[error("\"{path}\" {fault}")]
    BadPath { path: String, fault: &'static str },
    #[error("there is no file \"{0}\" in the bundle or among the shared files")]
    NotFound(String),
    #[error("\"{0}\" leads out of the bundle")]
    LeadsOut(String),
    #[error("\"{0}\" is not a regular file")]
    NotAFile(String),
    #[error("\"{path}\" has more than {limit_bytes} bytes")]
    TooLarge { path: String, limit_bytes: u64 },
    #[error("\"{path}\" cannot be read: {source}")]
    Io { path: String, source: std::io::Error },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAsset {
    pub bytes: Vec<u8>,
    /// From the top folder of the bundle or of the shared files: what relative paths inside the file start from.
    pub path: String,
}

/// In the order of search.
#[derive(Debug, Clone)]
pub struct Assets {
    roots: Vec<PathBuf>,
}

impl Assets {
    pub fn new(bundle: &Path, shared: &[PathBuf]) -> Self {
        let all = std::iter::once(bundle).chain(shared.iter().map(PathBuf::as_path));
        Self { roots: all.filter_map(|root| root.canonicalize().ok()).collect() }
    }

    /// `model://name/rest`: below `models/` of a root, or below the root itself (`model://meshes/...`).
    pub fn resolve_model_uri(&self, uri: &str) -> Result<PathBuf, AssetError> {
        self.locate_model(uri).map(|found| found.file)
    }

    /// A path from the top folder, with or without `file://`.
    pub fn resolve(&self, relative: &str) -> Result<PathBuf, AssetError> {
        self.locate(relative).map(|found| found.file)
    }

    /// Where a file named by a world lies, from the top folder of the bundle or of the shared files.
    pub fn path_of(&self, uri: &Uri) -> Result<String, AssetError> {
        let found = match uri.scheme() {
            Scheme::Model => self.locate_model(&format!("model://{}", uri.path())),
            Scheme::Bundle => self.locate(uri.path()),
        };
        found.map(|found| found.path)
    }

    /// Opens a regular file.
    pub fn open(&self, relative: &str) -> Result<File, AssetError> {
        open(&self.locate(relative)?)
    }

    pub fn read(&self, relative: &str, limit_bytes: u64) -> Result<FoundAsset, AssetError> {
        read(self.locate(relative)?, limit_bytes)
    }

    pub fn read_model_uri(&self, uri: &str, limit_bytes: u64) -> Result<FoundAsset, AssetError> {
        read(self.locate_model(uri)?, limit_bytes)
    }

    fn locate(&self, relative: &str) -> Result<Located, AssetError> {
        let path = tidy(relative.strip_prefix("file://").unwrap_or(relative), relative)?;
        self.search(&[path], relative)
    }

    fn locate_model(&self, uri: &str) -> Result<Located, AssetError> {
        let rest = uri.strip_prefix("model://").ok_or_else(|| bad(uri, "does not begin with model://"))?;
        let path = tidy(rest, uri)?;
        self.search(&[format!("models/{path}"), path], uri)
    }

    fn search(&self, paths: &[String], shown: &str) -> Result<Located, AssetError> {
        for root in &self.roots {
            for path in paths {
                // What cannot be followed to its end is not there: a missing file, a broken link, a file used as a folder.
                let Ok(file) = root.join(path).canonicalize() else { continue };
                if !file.starts_with(root) {
                    return Err(AssetError::LeadsOut(excerpt(shown)));
                }
                return Ok(Located { file, path: path.clone() });
            }
        }
        Err(AssetError::NotFound(excerpt(shown)))
    }
}

struct Located {
    file: PathBuf,
    path: String,
}

fn open(found: &Located) -> Result<File, AssetError> {
    let failed = |source| AssetError::Io { path: found.path.clone(), source };
    // Asked before opening, because opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(&found.file).map_err(failed)?.is_file() {
        return Err(AssetError::NotAFile(found.path.clone()));
    }
    File::open(&found.file).map_err(failed)
}

fn read(found: Located, limit_bytes: u64) -> Result<FoundAsset, AssetError> {
    let mut bytes = Vec::new();
    let count = open(&found)?.take(limit_bytes.saturating_add(1)).read_to_end(&mut bytes);
    match count {
        Ok(count) if count as u64 > limit_bytes => Err(AssetError::TooLarge { path: found.path, limit_bytes }),
        Ok(_) => Ok(FoundAsset { bytes, path: found.path }),
        Err(source) => Err(AssetError::Io { path: found.path, source }),
    }
}

/// The path without `.` and `..`.
fn tidy(path: &str, shown: &str) -> Result<String, AssetError> {
    if path.len() > MAX_LEN {
        return Err(bad(shown, "is too long for a path"));
    }
    if path.starts_with('/') {
        return Err(bad(shown, "is an absolute path"));
    }
    if path.contains(|c: char| c == '\\' || c == ':' || c.is_control()) {
        return Err(bad(shown, "holds a backslash, a colon or a control character"));
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(|| bad(shown, "leaves the world's folder"))?;
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Err(bad(shown, "names no file"));
    }
    Ok(parts.join("/"))
}

fn bad(path: &str, fault: &'static str) -> AssetError {
    AssetError::BadPath { path: excerpt(path), fault }
}
