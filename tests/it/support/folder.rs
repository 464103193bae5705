//! Private folders.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// A folder of its own for one test, removed at its end.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    pub fn new() -> Self {
        Self::below(&env::temp_dir())
    }

    pub fn below(parent: &Path) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("sim_api_test_{}_{number}", process::id()));
            match fs::create_dir(&path) {
                // Left by an earlier process of this number that was killed.
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made.expect("a fresh folder");
                    return Self(path);
                }
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("writable folder");
        path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
