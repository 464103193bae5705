//! Working folders of judges that have no private file system: one per launch, below the data folder, gone afterwards.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PARENT: &str = "judge";

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Removed when it is dropped.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    pub fn create(data: &Path) -> io::Result<Self> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = data.join(PARENT).join(format!("{}-{number}", std::process::id()));
        fs::create_dir_all(&path)?;
        // A container sees this folder without those around it, as a user of its own.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        Ok(Self { path })
    }

    /// Unlike that of any other folder of this machine that lives now.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if let Err(err) = fs::remove_dir_all(&self.path) {
            tracing::warn!("the judge's folder {} stays behind: {err}", self.path.display());
        }
    }
}

/// Removes what killed programs left behind.
pub fn sweep(data: &Path) {
    for folder in fs::read_dir(data.join(PARENT)).into_iter().flatten().flatten() {
        if is_abandoned(&folder.file_name().to_string_lossy()) {
            drop(WorkFolder { path: folder.path() });
        }
    }
}

/// Whether the process that made something of this name is gone.
pub fn is_abandoned(name: &str) -> bool {
    let maker = name.split_once('-').map_or(name, |(maker, _)| maker);
    maker.parse::<u32>().is_ok_and(|pid| !Path::new("/proc").join(pid.to_string()).exists())
}
