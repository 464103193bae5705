//! What meta.json asks to be downloaded, after every line of it was checked.

use super::{InstallError, InstallLimits, Unusable};
use crate::worlds::bundle_path::{BundlePath, FileList};
use crate::worlds::display;
use crate::worlds::id::WorldId;
use crate::worlds::layout;
use crate::worlds::meta::{Meta, is_size};

pub struct Plan {
    pub meta: Meta,
    /// The name that people read.
    pub display: Option<String>,
    pub source: Source,
}

pub enum Source {
    Files(Vec<BundlePath>),
    /// All in one zip; without a list, everything in it counts.
    Archive {
        file: String,
        files: Option<Vec<BundlePath>>,
    },
}

impl Plan {
    pub fn parse(json: &[u8], limits: &InstallLimits) -> Result<Self, InstallError> {
        let meta: Meta = serde_json::from_slice(json).map_err(|err| Unusable::Meta(err.to_string()))?;
        if meta.size.is_some_and(|size| !is_size(size)) {
            return Err(Unusable::Meta("its size makes no sense".into()).into());
        }
        let files = checked_list(meta.files.iter().map(String::as_str), limits)?;
        let source = match meta.archive.as_deref() {
            Some(archive) if !is_archive_name(archive) => {
                return Err(Unusable::Meta("its archive is not the name of a zip file".into()).into());
            }
            Some(archive) => {
                let listed = (!meta.files.is_empty()).then_some(files);
                Source::Archive { file: archive.to_owned(), files: listed }
            }
            None => Source::Files(files),
        };
        if let Source::Files(files) | Source::Archive { files: Some(files), .. } = &source {
            layout::world_stem(files).map_err(Unusable::from)?;
        }
        Ok(Self { display: meta.name.as_deref().and_then(display::clean), meta, source })
    }

    /// Parts of the address of a file, below `worlds/`.
    pub fn address<'a>(&'a self, id: &'a WorldId, file: &'a str) -> Vec<&'a str> {
        [id.as_str(), self.meta.rev.as_str()].into_iter().chain(file.split('/')).collect()
    }
}

/// The paths that belong to a bundle; an error when a single one of all is dangerous.
pub fn checked_list<'a>(
    raw: impl Iterator<Item = &'a str>,
    limits: &InstallLimits,
) -> Result<Vec<BundlePath>, InstallError> {
    let mut list = FileList::default();
    for (count, path) in raw.enumerate() {
        if count >= limits.files {
            return Err(Unusable::TooManyFiles { limit: limits.files }.into());
        }
        if let Some(path) = BundlePath::parse(path).map_err(Unusable::from)? {
            list.add(path).map_err(Unusable::from)?;
        }
    }
    Ok(list.files().to_vec())
}

fn is_archive_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    name.len() <= 64 && name.ends_with(".zip") && !name.starts_with('.') && name.bytes().all(plain)
}
