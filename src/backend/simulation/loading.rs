//! Building worlds beside the one that runs: a thread of its own per load, at most one at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;

use tracing::warn;

use crate::backend::catalogue::{SourceError, WorldSource};
use crate::backend::simulation::owner::Reply;
use crate::backend::simulation::{Refusal, Request, SimulationOptions, StartError};
use crate::domain::{Command, VehicleSpec, WorldName};
use crate::engine::World;

/// A request that waits for its worlds.
pub(super) struct Loading {
    pub(super) request: Request,
    pub(super) reply: Reply,
    thread: JoinHandle<Result<VecDeque<World>, StartError>>,
}

impl Loading {
    /// Starts to build the worlds that the request asks for; gives both back when there is no thread to be had.
    pub(super) fn start(
        worlds: &Arc<dyn WorldSource>,
        vehicle: &VehicleSpec,
        request: Request,
        reply: Reply,
    ) -> Result<Self, (Reply, Refusal)> {
        let wanted: Vec<(WorldName, u64)> = request.commands.iter().filter_map(wanted).collect();
        let (worlds, vehicle) = (worlds.clone(), vehicle.clone());
        let build_all = move || wanted.iter().map(|(name, seed)| build(&*worlds, name, &vehicle, *seed)).collect();
        match std::thread::Builder::new().name("loader".into()).spawn(build_all) {
            Ok(thread) => Ok(Self { request, reply, thread }),
            Err(err) => Err((reply, Refusal::NotReady(format!("no thread for loading: {err}")))),
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the end of the build: the request, whom to answer, and the worlds in the order of the commands.
    pub(super) fn finish(self) -> (Request, Reply, Result<VecDeque<World>, Refusal>) {
        let worlds = match self.thread.join() {
            Ok(Ok(worlds)) => Ok(worlds),
            Ok(Err(err @ StartError::Source(SourceError::NoSuchWorld(_)))) => Err(Refusal::NotFound(err.to_string())),
            Ok(Err(err)) => Err(Refusal::Refused(err.to_string())),
            // The panic itself was reported where it happened; the old world is untouched by it.
            Err(_) => Err(Refusal::Refused("the world could not be built: the loader failed".to_owned())),
        };
        (self.request, self.reply, worlds)
    }
}

/// The world that a command loads, and its seed.
pub(super) fn wanted(command: &Command) -> Option<(WorldName, u64)> {
    match command {
        Command::LoadWorld { world, seed } => Some((world.clone(), *seed)),
        _ => None,
    }
}

/// The world to start with.
pub(super) fn first(options: &SimulationOptions) -> Result<(WorldName, World), StartError> {
    let build = |name: &WorldName| {
        let world = build(&*options.worlds, name, &options.vehicle, options.seed)?;
        Ok((name.clone(), world))
    };
    match (build(&options.world), &options.otherwise) {
        (Err(err), Some(other)) => {
            warn!(world = %options.world, %err, "starting in {other} instead");
            build(other)
        }
        (built, _) => built,
    }
}

/// Reads and builds one world.
pub(super) fn build(
    worlds: &dyn WorldSource,
    name: &WorldName,
    vehicle: &VehicleSpec,
    seed: u64,
) -> Result<World, StartError> {
    let sourced = worlds.load(name)?;
    Ok(World::build(&sourced.description, vehicle, seed)?.with_look(sourced.look))
}
