//! Joins the parts of `sim_api_node`: the bridge to the simulator the HTTP API over it, and the judge.

use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;

use super::settings::Surroundings;
use super::{Program, Settings, ros_node, shutdown, vehicle_file, worlds};
use crate::api::{self, ApiOptions};
use crate::bridge::{self, BridgeOptions};
use crate::domain::Snapshot;
use crate::judge::supervise::{Limits, Supervisor, SupervisorOptions};
use crate::judge::{self, JudgeOptions};
use crate::record::Store;
use crate::worlds::Library;

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let listener = TcpListener::bind(settings.bind)
        .await
        .with_context(|| format!("cannot listen on {}: choose another address with --bind", settings.bind))?;
    let node = ros_node::open(Program::Node.name(), &settings)?;
    let (handle, end) = bridge::channel(Snapshot::default());
    let around = Surroundings::of_this_process();
    let vehicle = vehicle_file::load(&around)?;
    let library = Arc::new(Library::new(worlds::catalogue(&around, &settings.data)));
    let reading = library.clone();
    tokio::task::spawn_blocking(move || reading.read_all()).await.context("reading the worlds failed")?;
    let data = settings.data.clone();
    let (judge, judge_end) = tokio::task::spawn_blocking(move || judge::channel(Arc::new(Store::open(&data))))
        .await
        .context("reading the records failed")?;
    let supervisor = Supervisor::probe(SupervisorOptions::new(settings.data.clone()))
        .await
        .context("evaluations are not possible")?;
    let judge_options = JudgeOptions {
        lockstep: settings.evaluation_lockstep || settings.rtf == 0.0,
        real_time_factor: settings.rtf,
        seed: settings.seed,
        vehicle: vehicle.clone(),
        workspace: std::env::current_dir().unwrap_or_else(|_| settings.data.clone()),
        judge_limits: Limits::JUDGE,
        student_limits: Limits::STUDENT,
    };
    let bridge_options = BridgeOptions { data: settings.data, seed: settings.seed, catalogue: library.clone() };
    let options = ApiOptions {
        token: settings.token.map(|token| token.expose().to_owned()),
        allowed_hosts: settings.allowed_hosts,
        ..ApiOptions::default()
    };
    tracing::info!(address = %listener.local_addr().unwrap_or(settings.bind), "serving");
    let judging = judge::run(judge_options, handle.clone(), library.clone(), supervisor, judge_end, stop.clone());
    // Whichever part ends first takes the others with it.
    let bridging = async {
        let _stops_the_other = stop.clone().drop_guard();
        bridge::run(&node, end, bridge_options, stop.clone()).await.context("the bridge to the simulator ended")
    };
    let serving = async {
        let _stops_the_other = stop.clone().drop_guard();
        api::serve(listener, options, vehicle, library, handle, judge, stop.clone()).await.context("the HTTP API ended")
    };
    let (bridged, served, ()) = tokio::join!(bridging, serving, judging);
    bridged.and(served)
}
