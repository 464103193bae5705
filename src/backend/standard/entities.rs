//! Which entities there are and what they are. Fixed models count too: their states never change.

use super::filter::Filter;
use super::{Face, failed, ok, unsupported};
use crate::backend::simulation::LoadedWorld;
use crate::engine::{Mobility, ModelInfo};
use crate::ros::msg::geometry_msgs::Vector3;
use crate::ros::msg::simulation_interfaces as si;

pub(super) async fn list(face: Face, request: si::GetEntitiesRequest) -> si::GetEntitiesResponse {
    match matching(&face, &request.filters) {
        Ok(entities) => si::GetEntitiesResponse { result: ok(), entities },
        Err(result) => si::GetEntitiesResponse { result, entities: Vec::new() },
    }
}

fn matching(face: &Face, filters: &si::EntityFilters) -> Result<Vec<String>, si::Result> {
    let world = face.world()?;
    let filter = Filter::new(filters)?;
    let state = face.simulation.states().borrow().clone();
    let models = world.models.iter().filter(|model| filter.matches(model, &state));
    Ok(models.map(|model| model.name.to_string()).collect())
}

pub(super) async fn info(face: Face, request: si::GetEntityInfoRequest) -> si::GetEntityInfoResponse {
    match face.world().and_then(|world| found(&world, &request.entity)) {
        Ok(model) => si::GetEntityInfoResponse { result: ok(), info: describe(&model) },
        Err(result) => si::GetEntityInfoResponse { result, info: si::EntityInfo::default() },
    }
}

pub(super) async fn bounds(face: Face, request: si::GetEntityBoundsRequest) -> si::GetEntityBoundsResponse {
    match face.world().and_then(|world| found(&world, &request.entity)) {
        Ok(model) => {
            let [min, max] = model.bounds_m.map(|[x, y, z]| Vector3 { x, y, z });
            let bounds = si::Bounds { r#type: si::Bounds::TYPE_BOX, points: vec![max, min] };
            si::GetEntityBoundsResponse { result: ok(), bounds }
        }
        Err(result) => si::GetEntityBoundsResponse { result, bounds: si::Bounds::default() },
    }
}

pub(super) async fn spawn(_: Face, _: si::SpawnEntityRequest) -> si::SpawnEntityResponse {
    let result = unsupported("entities cannot be added: a world is what its file says");
    si::SpawnEntityResponse { result, entity_name: String::new() }
}

pub(super) async fn delete(_: Face, _: si::DeleteEntityRequest) -> si::DeleteEntityResponse {
    si::DeleteEntityResponse { result: unsupported("entities cannot be removed: a world is what its file says") }
}

/// One place has a name: where the vehicle starts.
pub(super) async fn named_poses(face: Face, request: si::GetNamedPosesRequest) -> si::GetNamedPosesResponse {
    let world = match face.world() {
        Ok(world) => world,
        Err(result) => return si::GetNamedPosesResponse { result, poses: Vec::new() },
    };
    let start = si::NamedPose {
        name: "start".to_owned(),
        description: "where the vehicle stands after a reset".to_owned(),
        tags: vec!["vehicle".to_owned()],
        pose: (&world.start).into(),
    };
    let poses = if super::filter::tags_match(&request.tags, &["vehicle"]) { vec![start] } else { Vec::new() };
    si::GetNamedPosesResponse { result: ok(), poses }
}

/// The model of this name, or the answer that there is none.
pub(super) fn found(world: &LoadedWorld, name: &str) -> Result<ModelInfo, si::Result> {
    let model = world.models.iter().find(|model| model.name.as_str() == name);
    model.cloned().ok_or_else(|| failed(si::Result::RESULT_NOT_FOUND, format!("no such entity: `{name}`")))
}

pub(super) fn category(model: &ModelInfo) -> u8 {
    match (model.is_vehicle, model.mobility) {
        (true, _) => si::EntityCategory::CATEGORY_ROBOT,
        (_, Mobility::Dynamic) => si::EntityCategory::CATEGORY_DYNAMIC_OBJECT,
        (_, Mobility::Placeable | Mobility::Fixed) => si::EntityCategory::CATEGORY_STATIC_OBJECT,
    }
}

/// How the world file marks it; `vehicle` for the vehicle.
pub(super) fn tags(model: &ModelInfo) -> Vec<&'static str> {
    if model.is_vehicle { vec!["vehicle"] } else { model.marker.map(|marker| marker.as_str()).into_iter().collect() }
}

fn describe(model: &ModelInfo) -> si::EntityInfo {
    let description = match (model.is_vehicle, model.mobility) {
        (true, _) => "the vehicle",
        (_, Mobility::Dynamic) => "can be pushed and placed",
        (_, Mobility::Placeable) => "can be placed, not pushed",
        (_, Mobility::Fixed) => "part of the world, never moves",
    };
    si::EntityInfo {
        category: si::EntityCategory { category: category(model) },
        description: description.to_owned(),
        tags: tags(model).into_iter().map(str::to_owned).collect(),
    }
}
