//! How long the official worlds take: loaded for the first time, loaded again, respawned.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::folder::TempFolder;
use crate::support::rig::Rig;
use crate::support::switching::{loadable_worlds, switch_around};

const ROUNDS: usize = 5;
const RESPAWNS: usize = 5;

pub async fn run() {
    let rig = Rig::start(TempFolder::new(), &["--world=plain"]).await;
    let worlds = loadable_worlds(&rig).await;
    let cold = switch_around(&rig, &worlds, worlds.len()).await;
    let cached = switch_around(&rig, &worlds, worlds.len() * ROUNDS).await;
    let mut respawns = Vec::new();
    for world in &worlds {
        switch_around(&rig, std::slice::from_ref(world), 1).await;
        for _ in 0..RESPAWNS {
            let started = Instant::now();
            assert_eq!(rig.post("respawn", json!({})).await.status, 200);
            respawns.push(started.elapsed());
        }
    }
    crate::row("switch, files read for the first time: slowest (<= 2 s)", &slowest(&cold));
    crate::row("switch, files known: slowest (<= 500 ms)", &slowest(&cached));
    crate::row("respawn: slowest (<= 300 ms)", &slowest(&respawns));
}

fn slowest(took: &[Duration]) -> String {
    format!("{:.0} ms", took.iter().max().copied().unwrap_or_default().as_secs_f64() * 1e3)
}
