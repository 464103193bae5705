//! A zip file from outside becomes files in the staging folder.
//!
//! Sizes in the headers are not believed: the bytes that really come out are counted. Everything is refused that is not a plain
//! file or a folder, also where it would not have been unpacked. Only what the list names is unpacked.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFile;

use super::download::create;
use super::plan::checked_list;
use super::{InstallError, InstallLimits, Unusable};
use crate::worlds::bundle_path::{BundlePath, excerpt};

/// The mark before every entry of a zip file's directory.
const ENTRY_MARK: &[u8] = b"PK\x01\x02";
/// Type of file in the upper half of the external attributes, as Unix writes it.
const TYPE_MASK: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;

/// Answers the files that were unpacked. `wanted` None: all that belong to a bundle.
pub fn unpack(
    archive: &Path,
    into: &Path,
    wanted: Option<&[BundlePath]>,
    limits: &InstallLimits,
) -> Result<Vec<BundlePath>, InstallError> {
    let disk = |err: std::io::Error| InstallError::disk(archive, &err);
    // The library builds its table of entries before it can be asked how many there are. Folders may be entries as well.
    if count_marks(File::open(archive).map_err(disk)?).map_err(disk)? > limits.files.saturating_mul(2) {
        return Err(Unusable::TooManyFiles { limit: limits.files }.into());
    }
    let file = BufReader::new(File::open(archive).map_err(disk)?);
    let mut zip = ZipArchive::new(file).map_err(broken)?;
    if zip.has_duplicate_names() {
        return Err(Unusable::TwiceInZip.into());
    }
    let entries = entries(&mut zip)?;
    let present = checked_list(entries.iter().map(|(_, name)| name.as_str()), limits)?;
    let present: HashSet<&BundlePath> = present.iter().collect();
    if let Some(missing) = wanted.unwrap_or_default().iter().find(|path| !present.contains(path)) {
        return Err(Unusable::Missing(missing.to_string()).into());
    }
    let wanted: Option<HashSet<&BundlePath>> = wanted.map(|paths| paths.iter().collect());
    let mut left = limits.all_bytes;
    let mut unpacked = Vec::new();
    for (index, name) in &entries {
        let Some(path) = BundlePath::parse(name).map_err(Unusable::from)? else { continue };
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&path)) {
            continue;
        }
        let entry = zip.by_index(*index).map_err(broken)?;
        left = unpack_file(entry, &path, into, left, limits)?;
        unpacked.push(path);
    }
    Ok(unpacked)
}

/// Index and name of every file, after a look at the kind of every entry.
fn entries<R: Read + std::io::Seek>(zip: &mut ZipArchive<R>) -> Result<Vec<(usize, String)>, InstallError> {
    let mut files = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index_raw(index).map_err(broken)?;
        let name = String::from_utf8(entry.name_raw().to_vec())
            .map_err(|_| Unusable::Zip("the name of a file is not UTF-8".into()))?;
        let kind = (entry.external_attributes() >> 16) & TYPE_MASK;
        let is_folder = name.ends_with('/');
        let fits = if is_folder { matches!(kind, 0 | FOLDER) } else { matches!(kind, 0 | REGULAR) };
        if !fits {
            return Err(Unusable::NotRegular(excerpt(&name)).into());
        }
        if entry.encrypted() {
            return Err(Unusable::Zip("a file in it is encrypted".into()).into());
        }
        if is_folder {
            // Folders are made as files need them, but a dangerous name is dangerous here as well.
            BundlePath::parse(name.trim_end_matches('/')).map_err(Unusable::from)?;
        } else {
            files.push((index, name));
        }
    }
    Ok(files)
}

/// Answers how many bytes may still follow.
fn unpack_file<R: Read>(
    mut entry: ZipFile<'_, R>,
    path: &BundlePath,
    into: &Path,
    mut left: u64,
    limits: &InstallLimits,
) -> Result<u64, InstallError> {
    let target = into.join(path.as_str());
    let disk = |err: std::io::Error| InstallError::disk(&target, &err);
    let mut file = create(&target).map_err(disk)?;
    let mut block = vec![0; 64 << 10];
    let mut own = 0;
    loop {
        let count = entry.read(&mut block).map_err(|err| Unusable::Zip(format!("{path}: {err}")))?;
        if count == 0 {
            break;
        }
        own += count as u64;
        if own > limits.file_bytes {
            return Err(Unusable::FileTooLarge { what: path.to_string(), limit_bytes: limits.file_bytes }.into());
        }
        left = left.checked_sub(count as u64).ok_or(Unusable::AllTooLarge { limit_bytes: limits.all_bytes })?;
        file.write_all(&block[..count]).map_err(disk)?;
    }
    file.sync_all().map_err(disk)?;
    Ok(left)
}

fn count_marks(file: File) -> std::io::Result<usize> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let (mut count, mut matched) = (0, 0);
    let mut block = vec![0; 1 << 16];
    loop {
        let read = reader.read(&mut block)?;
        if read == 0 {
            return Ok(count);
        }
        for byte in &block[..read] {
            // Only the first byte of the mark can begin a new match, since it occurs nowhere else in it.
            matched = if *byte == ENTRY_MARK[matched] { matched + 1 } else { usize::from(*byte == ENTRY_MARK[0]) };
            if matched == ENTRY_MARK.len() {
                count += 1;
                matched = 0;
            }
        }
    }
}

fn broken(err: zip::result::ZipError) -> InstallError {
    Unusable::Zip(err.to_string()).into()
}
