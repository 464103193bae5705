//! `GET /world`, `/route`, `/bounds`, `/objects`: what the present world consists of.

use std::sync::Arc;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{BoundsBody, ObjectBody, ObjectsResponse, RouteResponse, WorldResponse};
use crate::domain::Snapshot;
use crate::worlds::WorldDefinition;

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let (_, world) = present(&api)?;
    Ok(reply::json(&WorldResponse::of(&world)))
}

pub async fn route(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let (_, world) = present(&api)?;
    let route = world.route.as_ref().ok_or_else(|| ApiError::not_found("no_route", "route not available"))?;
    Ok(reply::json(&RouteResponse::of(&world.name, route)))
}

pub async fn bounds(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let (_, world) = present(&api)?;
    let bounds = world.bounds.as_ref().ok_or_else(|| ApiError::not_found("no_bounds", "bounds not available"))?;
    Ok(reply::json(&BoundsBody::of(bounds)))
}

pub async fn objects(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let (snapshot, world) = present(&api)?;
    let pose_now = |object: &crate::worlds::ObjectDefinition| {
        let entity = snapshot.objects.iter().find(|entity| entity.name == object.name);
        entity.map_or(object.origin, |entity| entity.pose)
    };
    let objects = world.objects.iter().map(|object| ObjectBody::of(object, &pose_now(object))).collect();
    Ok(reply::json(&ObjectsResponse { world: world.name.file(), objects }))
}

/// The world that runs, or ran last.
pub(super) fn present(api: &Api) -> Result<(Arc<Snapshot>, Arc<WorldDefinition>), ApiError> {
    let snapshot = api.bridge.snapshot();
    let no_world = || ApiError::not_found("no_world_running", "no world running");
    let name = snapshot.world.clone().ok_or_else(no_world)?;
    let world = api.worlds.known(&name).ok_or_else(no_world)?;
    Ok((snapshot, world))
}
