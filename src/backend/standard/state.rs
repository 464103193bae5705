//! Where entities are and how they move, in the world.

use super::entities::found;
use super::filter::Filter;
use super::{Face, failed, ok, refused, unsupported};
use crate::backend::simulation::Refusal;
use crate::backend::wire;
use crate::domain::{Command, Pose, Twist, WorldState};
use crate::engine::{Mobility, ModelInfo};
use crate::ros::msg::simulation_interfaces as si;
use crate::ros::msg::std_msgs::Header;

/// The frame of every state; an empty name means the same.
const WORLD_FRAME: &str = "world";

pub(super) async fn get(face: Face, request: si::GetEntityStateRequest) -> si::GetEntityStateResponse {
    let state = face.simulation.states().borrow().clone();
    match face.world().and_then(|world| found(&world, &request.entity)) {
        Ok(model) => si::GetEntityStateResponse { result: ok(), state: entity_state(&model, &state) },
        Err(result) => si::GetEntityStateResponse { result, state: si::EntityState::default() },
    }
}

pub(super) async fn get_many(face: Face, request: si::GetEntitiesStatesRequest) -> si::GetEntitiesStatesResponse {
    let state = face.simulation.states().borrow().clone();
    let (world, filter) = match face.world().and_then(|world| Ok((world, Filter::new(&request.filters)?))) {
        Ok(both) => both,
        Err(result) => return si::GetEntitiesStatesResponse { result, ..Default::default() },
    };
    let models = world.models.iter().filter(|model| filter.matches(model, &state));
    let (entities, states) = models.map(|model| (model.name.to_string(), entity_state(model, &state))).unzip();
    si::GetEntitiesStatesResponse { result: ok(), entities, states }
}

/// Pose and velocity, as far as the request sets them; an acceleration cannot be set and must be zero.
pub(super) async fn set(face: Face, request: si::SetEntityStateRequest) -> si::SetEntityStateResponse {
    let result = match place(&face, &request).await {
        Ok(()) => ok(),
        Err(result) => result,
    };
    si::SetEntityStateResponse { result }
}

async fn place(face: &Face, request: &si::SetEntityStateRequest) -> Result<(), si::Result> {
    let world = face.world()?;
    let model = found(&world, &request.entity)?;
    let wanted = &request.state;
    if !["", WORLD_FRAME].contains(&wanted.header.frame_id.as_str()) {
        return Err(unsupported("states can be set in the frame `world` only"));
    }
    let vector = |v: &crate::ros::msg::geometry_msgs::Vector3| nalgebra::Vector3::new(v.x, v.y, v.z);
    let twist = Twist { linear: vector(&wanted.twist.linear), angular: vector(&wanted.twist.angular) };
    let accelerations = [wanted.acceleration.linear, wanted.acceleration.angular];
    if request.sets_acceleration() && accelerations.iter().any(|a| [a.x, a.y, a.z] != [0.0; 3]) {
        return Err(unsupported("accelerations cannot be set"));
    }
    if request.sets_twist() && twist != Twist::default() && model.mobility != Mobility::Dynamic {
        return Err(failed(si::Result::RESULT_OPERATION_FAILED, format!("`{}` cannot move by itself", model.name)));
    }
    let command = Command::SetState {
        entity: model.name,
        pose: request.sets_pose().then(|| pose_of(wanted)).transpose()?,
        twist: request.sets_twist().then_some(twist),
    };
    match face.apply(vec![command], 0).await {
        Ok(_) => Ok(()),
        Err(Refusal::Refused(message)) => Err(failed(si::SetEntityStateResponse::INVALID_POSE, message)),
        Err(refusal) => Err(refused(&refusal)),
    }
}

fn pose_of(wanted: &si::EntityState) -> Result<Pose, si::Result> {
    let (at, q) = (&wanted.pose.position, &wanted.pose.orientation);
    let turn = [q.x, q.y, q.z, q.w];
    let length: f64 = turn.iter().map(|part| part * part).sum();
    if !length.is_finite() || length < 1e-6 {
        return Err(failed(si::SetEntityStateResponse::INVALID_POSE, "the orientation is no quaternion"));
    }
    Ok(Pose::from_xyz_xyzw([at.x, at.y, at.z], turn))
}

fn entity_state(model: &ModelInfo, state: &WorldState) -> si::EntityState {
    let entity = state.entities.iter().find(|entity| entity.name == model.name);
    si::EntityState {
        header: Header { stamp: state.stamp.into(), frame_id: WORLD_FRAME.to_owned() },
        pose: entity.map_or(&model.start, |entity| &entity.pose).into(),
        twist: entity.map(|entity| wire::twist(&entity.twist)).unwrap_or_default(),
        ..Default::default()
    }
}
