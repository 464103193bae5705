//! Installing published worlds from the worlds server.
//!
//! An install runs in a task of its own: who asked for it may go away, who asks for the same world meanwhile shares it, and
//! everybody can watch it. Everything is downloaded into a hidden folder and checked there; the bundle then appears by one
//! rename, so that at any moment there is the old state or the new one. A failed install leaves nothing behind.

mod address;
mod download;
mod error;
mod fetch;
mod finish;
mod plan;
mod progress;
mod unpack;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{broadcast, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::id::{Rev, WorldId};
use super::store::Store;
use crate::domain::WorldName;
use download::{Download, Staging};
pub use error::{InstallError, Unusable};
use fetch::Fetcher;
pub use fetch::is_worlds_url;
pub(super) use finish::check_content;
use plan::Plan;
use progress::Reporter;
pub use progress::{InstallPhase, InstallProgress};

const META_LIMIT_BYTES: u64 = 2 << 20;
/// Messages that a slow watcher may be behind before it misses some; progress is of no use when it is old.
const PROGRESS_QUEUE: usize = 64;

#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// The address under which `worlds/<id>/meta.json` is found.
    pub worlds_url: String,
    /// Sent to that origin alone, for private worlds.
    pub token: Option<String>,
    pub limits: InstallLimits,
    pub connect_timeout: Duration,
    /// How long a server may be silent.
    pub idle_timeout: Duration,
    /// For the whole download.
    pub overall_timeout: Duration,
}

impl InstallOptions {
    pub fn new(worlds_url: impl Into<String>) -> Self {
        Self {
            worlds_url: worlds_url.into(),
            token: None,
            limits: InstallLimits::default(),
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(20),
            overall_timeout: Duration::from_secs(15 * 60),
        }
    }
}

/// Far above real worlds, far below what hurts.
#[derive(Debug, Clone)]
pub struct InstallLimits {
    pub files: usize,
    pub file_bytes: u64,
    pub all_bytes: u64,
}

impl Default for InstallLimits {
    fn default() -> Self {
        Self { files: 4096, file_bytes: 128 << 20, all_bytes: 512 << 20 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub name: WorldName,
    pub world_id: WorldId,
    pub rev: Rev,
    /// It was there already; nothing was downloaded.
    pub cached: bool,
}

/// Cheap to clone. When the last clone is dropped, running installs are aborted.
#[derive(Debug, Clone)]
pub struct Installer {
    work: Arc<Work>,
    running: Arc<Mutex<Running>>,
}

#[derive(Debug)]
struct Work {
    store: Store,
    options: InstallOptions,
    progress: broadcast::Sender<InstallProgress>,
}

type Outcome = Result<Installed, InstallError>;

#[derive(Debug, Default)]
struct Running {
    outcomes: HashMap<WorldId, watch::Receiver<Option<Outcome>>>,
    tasks: JoinSet<()>,
    is_closed: bool,
}

impl Installer {
    /// Connects nowhere yet. Fails when the address cannot be one.
    pub fn new(store: Store, options: InstallOptions) -> Result<Self, InstallError> {
        fetch::parse_base(&options.worlds_url)?;
        let (progress, _) = broadcast::channel(PROGRESS_QUEUE);
        Ok(Self { work: Arc::new(Work { store, options, progress }), running: Arc::default() })
    }

    /// From now on, of all installs.
    pub fn progress(&self) -> broadcast::Receiver<InstallProgress> {
        self.work.progress.subscribe()
    }

    /// Answers when the world is installed, was installed already, or cannot be. Dropping this future stops only the waiting.
    pub async fn install(&self, id: &WorldId) -> Result<Installed, InstallError> {
        let mut outcome = self.join_or_start(id)?;
        let finished = outcome.wait_for(Option::is_some).await.map_err(|_| InstallError::Interrupted)?;
        finished.clone().unwrap_or(Err(InstallError::Interrupted))
    }

    /// Aborts what is running and waits for its end; later installs are refused.
    pub async fn shutdown(&self) {
        let mut tasks = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.is_closed = true;
            std::mem::take(&mut running.tasks)
        };
        tasks.shutdown().await;
    }

    fn join_or_start(&self, id: &WorldId) -> Result<watch::Receiver<Option<Outcome>>, InstallError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_closed {
            return Err(InstallError::Interrupted);
        }
        while running.tasks.try_join_next().is_some() {}
        running.outcomes.retain(|_, outcome| outcome.borrow().is_none() && outcome.has_changed().is_ok());
        if let Some(outcome) = running.outcomes.get(id) {
            return Ok(outcome.clone());
        }
        let (sender, receiver) = watch::channel(None);
        let (work, task_id) = (self.work.clone(), id.clone());
        running.tasks.spawn(async move {
            let outcome = work.run(&task_id).await;
            // Nobody may be waiting any more.
            let _ = sender.send(Some(outcome));
        });
        running.outcomes.insert(id.clone(), receiver.clone());
        Ok(receiver)
    }
}

impl Work {
    async fn run(&self, id: &WorldId) -> Outcome {
        let reporter = Reporter::new(id.clone(), self.progress.clone());
        let outcome = self.install(id, &reporter).await;
        reporter.end(&outcome);
        outcome
    }

    async fn install(&self, id: &WorldId, reporter: &Reporter) -> Outcome {
        let fetcher = Fetcher::new(&self.options)?;
        let deadline = Instant::now() + self.options.overall_timeout;
        let plan = Arc::new(in_time(deadline, self.plan(id, &fetcher)).await?);
        let rev = plan.meta.rev.clone();
        let cached = self.is_cached(id, &plan).await?;
        if !cached {
            let store = self.store.clone();
            let stage = move || store.stage().map_err(|err| InstallError::disk(store.worlds(), &err));
            let (staging, removed) = Staging::new(blocking(stage).await?);
            let limits = &self.options.limits;
            let download = Download { fetcher: &fetcher, limits, reporter, id, plan: &plan, staging: &staging };
            if let Err(err) = in_time(deadline, download.run()).await {
                // A failure is told when nothing is left of it: other files may still be on their way to the disk.
                blocking(move || {
                    drop(staging);
                    Ok(())
                })
                .await?;
                removed.wait().await;
                return Err(err);
            }
            reporter.check();
            let (id, store, limits) = (id.clone(), self.store.clone(), limits.clone());
            // The staging folder moves along: if this task is aborted now, it lives until the blocking part has ended.
            blocking(move || finish::finish(&staging, &plan, &id, &store, &limits)).await?;
        }
        Ok(Installed { name: id.world_name(), world_id: id.clone(), rev, cached })
    }

    async fn plan(&self, id: &WorldId, fetcher: &Fetcher) -> Result<Plan, InstallError> {
        let meta = fetcher.get(fetcher.url(&[id.as_str(), "meta.json"]), "meta.json").await?;
        let meta = meta.ok_or_else(|| InstallError::NotFound(id.clone()))?.read_all(META_LIMIT_BYTES).await?;
        Plan::parse(&meta, &self.options.limits)
    }

    async fn is_cached(&self, id: &WorldId, plan: &Arc<Plan>) -> Result<bool, InstallError> {
        let (plan, folder) = (plan.clone(), self.store.worlds().join(id.world_name().as_str()));
        let look = move || match finish::is_installed(&folder, &plan) {
            Some(metadata) => finish::refresh_metadata(&folder, metadata, &plan).map(|()| true),
            None => Ok(false),
        };
        blocking(look).await
    }
}

async fn in_time<T>(deadline: Instant, work: impl Future<Output = Result<T, InstallError>>) -> Result<T, InstallError> {
    tokio::time::timeout_at(deadline, work).await.map_err(|_| Unusable::TooSlow)?
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, InstallError> + Send + 'static,
) -> Result<T, InstallError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| InstallError::Interrupted)?
}
