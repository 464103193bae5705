//! Joins the parts of `sim_backend`: the world that advances and its ROS face.

use std::sync::Arc;

use super::settings::Surroundings;
use super::world_source::CatalogueWorlds;
use super::{Program, Settings, ros_node, shutdown, vehicle_file, worlds};
use crate::backend::simulation::SimulationOptions;
use crate::backend::{self, BackendOptions};
use crate::worlds::Store;

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let node = ros_node::open(Program::Backend.name(), &settings)?;
    let around = Surroundings::of_this_process();
    let catalogue = worlds::catalogue(&around, &settings.data);
    let (world, otherwise) = worlds::first(settings.world, &Store::new(&settings.data))?;
    let options = BackendOptions {
        data: settings.data,
        simulation: SimulationOptions {
            world,
            otherwise,
            worlds: Arc::new(CatalogueWorlds::new(catalogue)),
            vehicle: vehicle_file::load(&around)?,
            seed: settings.seed,
            real_time_factor: settings.rtf,
        },
    };
    Ok(backend::run(options, node, stop).await?)
}
