//! Joins the parts of `sim_api_node`: the bridge to the simulator and the HTTP API over it.

use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;

use super::settings::{Backend, EvaluationCommands, Surroundings};
use super::{Program, Settings, ros_node, shutdown, vehicle_file, worlds};
use crate::api::{self, ApiOptions};
use crate::bridge::{self, BridgeOptions, StandardOptions, WayIn};
use crate::domain::{ModelName, Snapshot, VehicleSpec};
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
    let way_in = way_in(&settings, &vehicle)?;
    let bridge_options =
        BridgeOptions { data: settings.data, seed: settings.seed, catalogue: library.clone(), way_in: way_in.clone() };
    let options = ApiOptions {
        token: settings.token.map(|token| token.expose().to_owned()),
        allowed_hosts: settings.allowed_hosts,
        backend: match way_in {
            WayIn::Apply => Program::Backend.name().to_owned(),
            WayIn::Standard(options) => options.prefix,
        },
        evaluation_commands: settings.evaluation_commands == EvaluationCommands::Allow,
        ..ApiOptions::default()
    };
    tracing::info!(address = %listener.local_addr().unwrap_or(settings.bind), "serving");
    // Whichever part ends first takes the other with it.
    let bridging = async {
        let _stops_the_other = stop.clone().drop_guard();
        bridge::run(&node, end, bridge_options, stop.clone()).await.context("the bridge to the simulator ended")
    };
    let serving = async {
        let _stops_the_other = stop.clone().drop_guard();
        api::serve(listener, options, vehicle, library, handle, stop.clone()).await.context("the HTTP API ended")
    };
    let (bridged, served) = tokio::join!(bridging, serving);
    bridged.and(served)
}

/// How the settings say that the simulator is reached.
fn way_in(settings: &Settings, vehicle: &VehicleSpec) -> anyhow::Result<WayIn> {
    Ok(match settings.backend {
        Backend::Embedded => WayIn::Apply,
        Backend::External => WayIn::Standard(StandardOptions {
            prefix: settings.backend_prefix.clone(),
            vehicle: ModelName::parse(&vehicle.model_name).context("model_name of the vehicle file")?,
            world: settings.world.clone(),
        }),
    })
}
