//! From the worlds server into the staging folder.
//!
//! Every blocking write holds on to the folder it writes to, so that an aborted install removes it only when nobody is
//! writing any more.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::{StreamExt, TryStreamExt};
use tokio::sync::oneshot;

use super::fetch::{Body, Fetcher};
use super::plan::{Plan, Source};
use super::progress::Reporter;
use super::{InstallError, InstallLimits, Unusable};
use crate::worlds::bundle_path::BundlePath;
use crate::worlds::durable::TempFolder;
use crate::worlds::id::WorldId;

/// Enough to hide the latency, little enough not to be a burden.
const PARALLEL: usize = 4;
/// Written to the disk at once.
const BLOCK_BYTES: usize = 256 << 10;

/// The staging folder: `bundle/` becomes the bundle, everything else is scaffolding. It is removed with its last clone.
#[derive(Debug, Clone)]
pub struct Staging(Arc<StagingFolder>);

/// Fields are dropped in order: the folder is gone when the sender goes.
#[derive(Debug)]
struct StagingFolder {
    folder: TempFolder,
    _removed: oneshot::Sender<()>,
}

/// Tells when the folder is gone.
pub struct Removed(oneshot::Receiver<()>);

impl Removed {
    pub async fn wait(self) {
        // Nothing is ever sent; the end of the sender is the message.
        let _ = self.0.await;
    }
}

impl Staging {
    pub fn new(folder: TempFolder) -> (Self, Removed) {
        let (sender, receiver) = oneshot::channel();
        (Self(Arc::new(StagingFolder { folder, _removed: sender })), Removed(receiver))
    }

    pub fn bundle(&self) -> PathBuf {
        self.0.folder.path().join("bundle")
    }

    pub fn archive(&self) -> PathBuf {
        self.0.folder.path().join("archive.zip")
    }
}

pub struct Download<'a> {
    pub fetcher: &'a Fetcher,
    pub limits: &'a InstallLimits,
    pub reporter: &'a Reporter,
    pub id: &'a WorldId,
    pub plan: &'a Plan,
    pub staging: &'a Staging,
}

impl Download<'_> {
    pub async fn run(&self) -> Result<(), InstallError> {
        match &self.plan.source {
            Source::Files(files) => self.files(files).await,
            Source::Archive { file, .. } => self.archive(file).await,
        }
    }

    async fn files(&self, files: &[BundlePath]) -> Result<(), InstallError> {
        self.reporter.start(self.plan.meta.bytes);
        let all = AtomicU64::new(0);
        let downloads: Vec<_> = files.iter().map(|path| self.file(path, &all)).collect();
        futures::stream::iter(downloads).buffer_unordered(PARALLEL).try_collect().await
    }

    async fn file(&self, path: &BundlePath, all: &AtomicU64) -> Result<(), InstallError> {
        let url = self.fetcher.url(&self.plan.address(self.id, path.as_str()));
        let body = self.fetcher.get(url, path.as_str()).await?;
        let body = body.ok_or_else(|| Unusable::Missing(path.to_string()))?;
        let target = self.staging.bundle().join(path.as_str());
        self.save(body, path.as_str(), target, self.limits.file_bytes, all).await
    }

    /// The zip file lies beside the files of its revision, or, on servers that keep one revision only, beside meta.json.
    async fn archive(&self, file: &str) -> Result<(), InstallError> {
        let beside_files = self.fetcher.url(&self.plan.address(self.id, file));
        let beside_meta = self.fetcher.url(&[self.id.as_str(), file]);
        let body = match self.fetcher.get(beside_files, file).await? {
            None => self.fetcher.get(beside_meta, file).await?,
            found => found,
        };
        let body = body.ok_or_else(|| Unusable::Missing(file.to_owned()))?;
        self.reporter.start(body.announced_bytes());
        self.save(body, file, self.staging.archive(), self.limits.all_bytes, &AtomicU64::new(0)).await
    }

    async fn save(
        &self,
        mut body: Body,
        what: &str,
        target: PathBuf,
        limit_bytes: u64,
        all: &AtomicU64,
    ) -> Result<(), InstallError> {
        let too_large = || InstallError::from(Unusable::FileTooLarge { what: what.to_owned(), limit_bytes });
        if body.announced_bytes().is_some_and(|bytes| bytes > limit_bytes) {
            return Err(too_large());
        }
        let mut sink = Sink { _staging: self.staging.clone(), target, file: None, block: Vec::new() };
        let mut own = 0;
        while let Some(chunk) = body.next().await? {
            let count = chunk.len() as u64;
            own += count;
            if own > limit_bytes {
                return Err(too_large());
            }
            if all.fetch_add(count, Ordering::Relaxed) + count > self.limits.all_bytes {
                return Err(Unusable::AllTooLarge { limit_bytes: self.limits.all_bytes }.into());
            }
            self.reporter.received(count);
            sink.block.extend_from_slice(&chunk);
            if sink.block.len() >= BLOCK_BYTES {
                sink = sink.flush(false).await?;
            }
        }
        sink.flush(true).await.map(drop)
    }
}

/// A file that grows by whole blocks.
struct Sink {
    /// Held so that the folder outlives every write into it.
    _staging: Staging,
    target: PathBuf,
    file: Option<File>,
    block: Vec<u8>,
}

impl Sink {
    async fn flush(mut self, is_last: bool) -> Result<Self, InstallError> {
        let write = move || {
            let written = self.write_block(is_last);
            written.map_err(|err| InstallError::disk(&self.target, &err)).map(|()| self)
        };
        tokio::task::spawn_blocking(write).await.map_err(|_| InstallError::Interrupted)?
    }

    fn write_block(&mut self, is_last: bool) -> std::io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => create(&self.target)?,
        };
        file.write_all(&self.block)?;
        self.block.clear();
        if is_last {
            file.sync_all()?;
        }
        self.file = Some(file);
        Ok(())
    }
}

/// A new file with the folders it needs.
pub fn create(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create_new(path)
}
