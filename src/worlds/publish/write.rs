//! The files of a published world: one by one below its revision, and all of them in one zip.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use ring::digest::{Context, SHA256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{PublishError, failed};
use crate::worlds::bundle_path::BundlePath;
use crate::worlds::durable;
use crate::worlds::id::Rev;

pub const ARCHIVE: &str = "bundle.zip";

pub struct Written {
    pub rev: Rev,
    /// Of all files together.
    pub bytes: u64,
}

/// Writes `<rev>/<path>` and `<rev>/bundle.zip` below `staged`. The revision depends on the content and on the names that the
/// files had before, so that publishing the same bundle again gives the same one.
pub fn files(bundle: &Path, staged: &Path, names: &[(BundlePath, BundlePath)]) -> Result<Written, PublishError> {
    let draft = staged.join("draft");
    fs::create_dir_all(&draft).map_err(failed(&draft))?;
    let (mut digest, mut bytes) = (Context::new(&SHA256), 0);
    let archive = draft.join(ARCHIVE);
    let mut zip = ZipWriter::new(File::create_new(&archive).map_err(failed(&archive))?);
    // Without times and rights of this machine, the same files make the same zip.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (old, new) in names {
        let source = bundle.join(old.as_str());
        let content = fs::read(&source).map_err(failed(&source))?;
        digest.update(old.as_str().as_bytes());
        digest.update(&[0]);
        digest.update(&(content.len() as u64).to_le_bytes());
        digest.update(&content);
        bytes += content.len() as u64;
        let target = draft.join(new.as_str());
        write_with_folders(&target, &content).map_err(failed(&target))?;
        let zipped =
            zip.start_file(new.as_str(), options).map_err(io::Error::from).and_then(|()| zip.write_all(&content));
        zipped.map_err(failed(&archive))?;
    }
    let finished = zip.finish().map_err(io::Error::from).and_then(|file| file.sync_all());
    finished.map_err(failed(&archive))?;
    let digest = digest.finish();
    let rev = Rev::from_digest(digest.as_ref().try_into().expect("SHA-256 has 32 bytes"));
    let place = staged.join(rev.as_str());
    fs::rename(&draft, &place).map_err(failed(&place))?;
    Ok(Written { rev, bytes })
}

fn write_with_folders(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    durable::write_new_file(path, content)
}
