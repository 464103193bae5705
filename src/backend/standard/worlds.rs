//! Which worlds there are, which one is loaded, and loading another.

use super::{Face, failed, ok, refused, unsupported};
use crate::domain::{Command, WorldName};
use crate::ros::msg::simulation_interfaces as si;

/// Builds the world beside the present one, swaps it in and, as the standard wants it, leaves the simulation stopped.
pub(super) async fn load(face: Face, request: si::LoadWorldRequest) -> si::LoadWorldResponse {
    match swap(&face, &request).await {
        Ok(world) => si::LoadWorldResponse { result: ok(), world: resource(&world) },
        Err(result) => si::LoadWorldResponse { result, world: si::WorldResource::default() },
    }
}

async fn swap(face: &Face, request: &si::LoadWorldRequest) -> Result<WorldName, si::Result> {
    let named = request.resource();
    if named.uri.is_empty() {
        return Err(if named.resource_string.is_empty() {
            failed(si::LoadWorldResponse::NO_RESOURCE, "no world is named")
        } else {
            unsupported("worlds are loaded by name, not as text")
        });
    }
    let missing = |why: String| failed(si::Result::RESULT_NOT_FOUND, why);
    let world = name_in(&named.uri).ok_or_else(|| missing(format!("`{}` names no world", named.uri)))?;
    let commands = vec![Command::LoadWorld { world: world.clone(), seed: face.seed }, Command::SetPaused(true)];
    match face.apply(commands, 0).await {
        Ok(state) => {
            face.note_stopped(Some(state.step));
            Ok(world)
        }
        Err(crate::backend::simulation::Refusal::Refused(message)) => {
            Err(failed(si::LoadWorldResponse::RESOURCE_PARSE_ERROR, message))
        }
        Err(refusal) => Err(refused(&refusal)),
    }
}

pub(super) async fn unload(face: Face, _: si::UnloadWorldRequest) -> si::UnloadWorldResponse {
    let result = if face.simulation.loaded().is_none() {
        failed(si::UnloadWorldResponse::NO_WORLD_LOADED, "no world is loaded")
    } else {
        match face.apply(vec![Command::UnloadWorld], 0).await {
            Ok(_) => ok(),
            Err(refusal) => refused(&refusal),
        }
    };
    si::UnloadWorldResponse { result }
}

pub(super) async fn current(face: Face, _: si::GetCurrentWorldRequest) -> si::GetCurrentWorldResponse {
    match face.simulation.loaded() {
        Some(world) => si::GetCurrentWorldResponse { result: ok(), world: resource(&world.name) },
        None => si::GetCurrentWorldResponse {
            result: failed(si::GetCurrentWorldResponse::NO_WORLD_LOADED, "no world is loaded"),
            world: si::WorldResource::default(),
        },
    }
}

/// Worlds have no tags here, so a filter by tags leaves none.
pub(super) async fn available(face: Face, request: si::GetAvailableWorldsRequest) -> si::GetAvailableWorldsResponse {
    if !request.additional_sources.is_empty() && !request.continue_on_error {
        let result = unsupported("worlds come from this simulator's own folder only");
        return si::GetAvailableWorldsResponse { result, worlds: Vec::new() };
    }
    let source = face.worlds.clone();
    // The list may come from a disk.
    let names = tokio::task::spawn_blocking(move || source.names()).await.unwrap_or_default();
    let fitting = names.iter().filter(|_| super::filter::tags_match(&request.filter, &[]));
    si::GetAvailableWorldsResponse { result: ok(), worlds: fitting.map(resource).collect() }
}

fn resource(world: &WorldName) -> si::WorldResource {
    si::WorldResource {
        name: world.to_string(),
        world_resource: si::Resource { uri: world.file(), resource_string: String::new() },
        ..Default::default()
    }
}

/// `plain`, `plain.world` and `file:///somewhere/plain.world` all name the world `plain` of this simulator.
fn name_in(uri: &str) -> Option<WorldName> {
    let last = uri.rsplit('/').next()?;
    let stem = last.strip_suffix(".world").or_else(|| last.strip_suffix(".sdf")).unwrap_or(last);
    WorldName::parse(stem).ok()
}
