//! Where the worlds are: the official ones in the package, the custom ones in the data folder, and which one is the first to run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::settings::Surroundings;
use crate::domain::{Snapshot, WorldName};
use crate::worlds::{Catalogue, Cdn, DEFAULT_WORLD, Store};

pub fn catalogue(around: &Surroundings, data: &Path) -> Catalogue {
    let official = around.package_folder().map(|folder| folder.join("worlds")).into_iter().collect();
    Catalogue::new(official, data.join("worlds"))
}

/// What is published on this machine.
pub fn cdn_folder(data: &Path) -> PathBuf {
    data.join("cdn")
}

/// The world to start with, and the one to take when that cannot be loaded. Who names a world wants that one or an error.
pub fn first(named: Option<WorldName>, store: &Store) -> anyhow::Result<(WorldName, Option<WorldName>)> {
    let default = WorldName::parse(DEFAULT_WORLD)?;
    Ok(match (named, store.last_world()) {
        (Some(named), _) => (named, None),
        (None, Some(last)) => (last, Some(default)),
        (None, None) => (default, None),
    })
}

/// Finishes or removes what a crash left behind; what cannot be mended is told, and stays.
pub fn recover(store: &Store, cdn: &Cdn) {
    if let Err(err) = store.recover() {
        warn!(%err, "leftovers of an interrupted install stay");
    }
    if let Err(err) = cdn.recover() {
        warn!(%err, "leftovers of an interrupted publishing stay");
    }
}

/// Notes which world runs, for the next start, until `stop`.
pub async fn remember(store: Store, mut snapshots: watch::Receiver<Arc<Snapshot>>, stop: CancellationToken) {
    let mut noted = None;
    loop {
        let running = snapshots.borrow_and_update().world.clone();
        if let Some(world) = running.filter(|world| noted.as_ref() != Some(world)) {
            let (store, name) = (store.clone(), world.clone());
            match tokio::task::spawn_blocking(move || store.remember_world(&name)).await {
                Ok(Ok(())) => {}
                Ok(Err(err)) => warn!(%err, %world, "the next start will not know which world ran last"),
                Err(err) => warn!(%err, %world, "the next start will not know which world ran last"),
            }
            noted = Some(world);
        } else if stop.is_cancelled() {
            return;
        } else {
            tokio::select! {
                () = stop.cancelled() => {}
                changed = snapshots.changed() => if changed.is_err() { return },
            }
        }
    }
}
