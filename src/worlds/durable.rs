//! Changes to the disk that are either done or not done, whatever happens in between.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Purpose in the name of a file that is about to replace another.
pub const DRAFT: &str = "draft";

/// Replaces the file as a whole: a crash leaves the old content or the new one.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = parent(path)?;
    let draft = folder.join(unique_name(DRAFT));
    let written = write_new_file(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    if let Err(err) = written {
        // The draft may not even exist; the first error is the one to tell.
        let _ = fs::remove_file(&draft);
        return Err(err);
    }
    sync_folder(folder)
}

/// Writes a file that must not exist yet, and waits until it is on the disk.
pub fn write_new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names in this folder are on the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// As [`sync_folder`], for all folders below as well. The files themselves were synced when they were written.
pub fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Puts the folder `new` in the place of `place`. What stood there before ends up at `aside`, on the same file system.
pub fn put_in_place(new: &Path, place: &Path, aside: &Path) -> io::Result<()> {
    if place.symlink_metadata().is_err() {
        fs::rename(new, place)?;
        return sync_folder(parent(place)?);
    }
    match renameat_with(CWD, new, CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => fs::rename(new, aside)?,
        // A file system without the exchange needs two steps; a start after a crash between them finds the old folder aside.
        Err(_) => {
            fs::rename(place, aside)?;
            if let Err(err) = fs::rename(new, place) {
                fs::rename(aside, place)?;
                return Err(err);
            }
        }
    }
    sync_folder(parent(place)?)
}

/// A hidden name that no other thread or process uses: listings pass over it.
pub fn unique_name(purpose: &str) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    format!(".{purpose}-{}-{nanos}-{count}", std::process::id())
}

/// A folder for work in progress, removed with all its content when dropped.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    pub fn create(inside: &Path, purpose: &str) -> io::Result<Self> {
        fs::create_dir_all(inside)?;
        let path = inside.join(unique_name(purpose));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed at the next start.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parent(path: &Path) -> io::Result<&Path> {
    path.parent().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it has no parent folder"))
}
