//! Joins the parts of `sim_api_node`: the bridge to the simulator the HTTP API over it, and the judge.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;

use super::settings::{Backend, EvaluationCommands, Surroundings};
use super::supervise::reachable;
use super::{Program, Settings, evaluation, ros_node, shutdown, vehicle_file, worlds};
use crate::api::{self, ApiOptions, WorldStock};
use crate::bridge::{self, BridgeOptions, StandardOptions, WayIn};
use crate::domain::{ModelName, Snapshot, VehicleSpec};
use crate::judge::supervise::Supervisor;
use crate::judge::{self, JudgeOptions};
use crate::record;
use crate::worlds::{Cdn, InstallOptions, Installer, Library, Store};

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
    let address = listener.local_addr().unwrap_or(settings.bind);
    let stock = stock(&around, &settings, address)?;
    let library = stock.library.clone();
    let reading = stock.clone();
    let data = settings.data.clone();
    let read = move || {
        worlds::recover(&reading.store, &reading.cdn);
        reading.library.read_all();
        record::Store::open(&data)
    };
    let records = tokio::task::spawn_blocking(read).await.context("reading the worlds and records failed")?;
    let (judge, judge_end) = judge::channel(Arc::new(records));
    let probing = Supervisor::probe(evaluation::supervisor_options(&settings, &around));
    let judge_options = JudgeOptions {
        lockstep: settings.evaluation_lockstep || settings.rtf == 0.0,
        real_time_factor: settings.rtf,
        seed: settings.seed,
        vehicle: vehicle.clone(),
        workspace: std::env::current_dir().unwrap_or_else(|_| settings.data.clone()),
        student_env: evaluation::student_env(&settings, address),
        judge_limits: evaluation::judge_limits(&settings),
        student_limits: evaluation::student_limits(&settings),
        log_bytes: usize::try_from(settings.evaluation_log_mb << 20).unwrap_or(usize::MAX),
        tape_bytes: settings.evaluation_recording_mb << 20,
        all_tapes_bytes: Some(settings.evaluation_recordings_mb << 20).filter(|bytes| *bytes > 0),
        stands_still: Duration::from_secs(settings.evaluation_standstill_s),
        camera: settings.evaluation_camera,
    };
    let way_in = way_in(&settings, &vehicle)?;
    let bridge_options =
        BridgeOptions { data: settings.data, seed: settings.seed, catalogue: library.clone(), way_in: way_in.clone() };
    // An address in numbers cannot be a foreign name that resolves to this machine.
    let own_address = (!address.ip().is_unspecified()).then(|| address.to_string());
    let allowed_hosts = settings.allowed_hosts.into_iter().chain(own_address).collect();
    let options = ApiOptions {
        token: settings.token.map(|token| token.expose().to_owned()),
        allowed_hosts,
        backend: match way_in {
            WayIn::Apply => Program::Backend.name().to_owned(),
            WayIn::Standard(options) => options.prefix,
        },
        evaluation_commands: settings.evaluation_commands == EvaluationCommands::Allow,
        viewer: around.package_folder().map(|folder| folder.join("viewer/dist")),
        ..ApiOptions::default()
    };
    tracing::info!(%address, "serving");
    let remembering = worlds::remember(stock.store.clone(), handle.subscribe(), stop.clone());
    let judging = {
        let (bridge, stop) = (handle.clone(), stop.clone());
        async move {
            tokio::select! {
                () = stop.cancelled() => {}
                // Nobody waits for this but evaluations.
                supervisor = probing => judge::run(judge_options, bridge, library, supervisor, judge_end, stop).await,
            }
        }
    };
    // Whichever part ends first takes the others with it.
    let bridging = async {
        let _stops_the_other = stop.clone().drop_guard();
        bridge::run(&node, end, bridge_options, stop.clone()).await.context("the bridge to the simulator ended")
    };
    let serving = async {
        let _stops_the_other = stop.clone().drop_guard();
        api::serve(listener, options, vehicle, stock, handle, judge, stop.clone()).await.context("the HTTP API ended")
    };
    let (bridged, served, (), ()) = tokio::join!(bridging, serving, judging, remembering);
    bridged.and(served)
}

/// How the settings say that the simulator is reached.
fn way_in(settings: &Settings, vehicle: &VehicleSpec) -> anyhow::Result<WayIn> {
    Ok(match settings.backend {
        Backend::Embedded => WayIn::Apply,
        Backend::External => WayIn::Standard(StandardOptions {
            prefix: settings.backend_prefix.clone(),
            vehicle: ModelName::parse(&vehicle.model_name).context("model_name of the vehicle file")?,
            world: worlds::first(settings.world.clone(), &Store::new(&settings.data))?.0,
        }),
    })
}

fn stock(around: &Surroundings, settings: &Settings, address: SocketAddr) -> anyhow::Result<WorldStock> {
    let store = Store::new(&settings.data);
    let options = match &settings.worlds_url {
        Some(url) => InstallOptions::new(url),
        // The token opens private worlds here, and is nobody else's business.
        None => InstallOptions {
            token: settings.token.as_ref().map(|token| token.expose().to_owned()),
            ..InstallOptions::new(format!("http://{}{}", reachable(address), api::CDN_PREFIX))
        },
    };
    Ok(WorldStock {
        library: Arc::new(Library::new(worlds::catalogue(around, &settings.data))),
        installer: Installer::new(store.clone(), options)?,
        store,
        cdn: Cdn::new(&worlds::cdn_folder(&settings.data)),
        worlds_url: settings.worlds_url.clone(),
    })
}
