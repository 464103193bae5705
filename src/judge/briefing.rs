//! What a judging script knows of its world from the beginning, and where the car stands then.

use nalgebra::Vector3;
use serde_json::{Map, Value, json};

use crate::domain::{Command, EntityState, Pose, PoseChange, VehicleSpec};
use crate::worlds::{ObjectDefinition, Route, WorldDefinition};

/// Between the car's front and the start line.
const GAP_M: f64 = 0.05;
/// What stands within this of its place, and turned by no more, has not been moved: things settle a little.
const LEAST_MOVE_M: f64 = 1e-3;
const LEAST_TURN_RAD: f64 = 1e-3;
/// Where something can be put.
const MOST_XY_M: f64 = 100.0;
const Z_M: std::ops::RangeInclusive<f64> = -10.0..=100.0;

/// The static part of the object `sim`.
#[derive(Debug, Clone, PartialEq)]
pub struct Briefing {
    pub track: Value,
    /// Null without a route.
    pub route: Value,
    pub objects: Value,
    /// Of everything that can be moved.
    pub origins: Value,
}

impl Briefing {
    pub fn of(world: &WorldDefinition) -> Self {
        let lines = world.route.as_ref().map(lines);
        let mut track = lines.clone().unwrap_or_else(|| json!({"waypoints": [], "inner": null, "outer": null}));
        track["bounds"] = world.bounds.as_ref().map_or(
            Value::Null,
            |bounds| json!({"minX": bounds.min_x, "maxX": bounds.max_x, "minY": bounds.min_y, "maxY": bounds.max_y}),
        );
        let entry = |object: &ObjectDefinition| (object.name.to_string(), catalogued(object));
        let origin = |object: &ObjectDefinition| (object.name.to_string(), pose(&object.origin));
        let movable = world.objects.iter().filter(|object| object.is_movable);
        Self {
            track,
            route: lines.unwrap_or_default(),
            objects: Value::Object(world.objects.iter().map(entry).collect()),
            origins: Value::Object(movable.map(origin).collect()),
        }
    }
}

/// The car with its whole body behind the start line, facing along the route; at the origin of a world without one.
pub fn start(world: &WorldDefinition, vehicle: &VehicleSpec) -> PoseChange {
    let line = world.start();
    let back = match world.route {
        Some(_) => vehicle.chassis_m[0] / 2.0 + GAP_M,
        None => 0.0,
    };
    let yaw = line.yaw();
    PoseChange {
        x: Some(line.position.x - back * libm::cos(yaw)),
        y: Some(line.position.y - back * libm::sin(yaw)),
        z: None,
        yaw: Some(yaw),
    }
}

/// What puts everything back to where it is into a world that was just loaded: upright and at rest. What has fallen out of the
/// world stays where the world file has it, like everything that nobody has moved.
pub fn kept(world: &WorldDefinition, objects: &[EntityState]) -> Vec<Command> {
    let moved = objects.iter().filter(|object| {
        let known = world.objects.iter().find(|definition| definition.name == object.name);
        known.is_none_or(|definition| !is_at(&object.pose, &definition.origin)) && can_be_put(&object.pose)
    });
    let put = |object: &EntityState| {
        let (pose, at) = (&object.pose, object.pose.position);
        let is_leaning = (pose.orientation * Vector3::z()).z < libm::cos(LEAST_TURN_RAD);
        // The height of the origin of something that leans says nothing about where it stands.
        let z = (!is_leaning).then_some(at.z);
        let change = PoseChange { x: Some(at.x), y: Some(at.y), z, yaw: Some(pose.yaw()) };
        Command::SetPose { entity: object.name.clone(), change }
    };
    moved.map(put).collect()
}

fn is_at(pose: &Pose, place: &Pose) -> bool {
    (pose.position - place.position).norm() < LEAST_MOVE_M
        && pose.orientation.angle_to(&place.orientation) < LEAST_TURN_RAD
}

fn can_be_put(pose: &Pose) -> bool {
    let at = pose.position;
    pose.is_finite() && at.x.abs() <= MOST_XY_M && at.y.abs() <= MOST_XY_M && Z_M.contains(&at.z)
}

/// A pose as scripts read it.
pub fn pose(pose: &Pose) -> Value {
    let (roll, pitch, yaw) = pose.roll_pitch_yaw();
    let at = pose.position;
    json!({"x": at.x, "y": at.y, "z": at.z, "roll": roll, "pitch": pitch, "yaw": yaw})
}

fn lines(route: &Route) -> Value {
    json!({"waypoints": route.waypoints, "inner": route.inner, "outer": route.outer})
}

fn catalogued(object: &ObjectDefinition) -> Value {
    // Over HTTP a cone is an object of kind cone; scripts are told at once.
    let object_type = if object.kind == "cone" { "cone" } else { object.object_type.as_str() };
    let [x, y, z] = object.size_m;
    let mut entry = Map::new();
    entry.insert("type".to_owned(), object_type.into());
    entry.insert("static".to_owned(), object.is_static.into());
    entry.insert("movable".to_owned(), object.is_movable.into());
    entry.insert("origin".to_owned(), pose(&object.origin));
    entry.insert("size".to_owned(), json!({"x": x, "y": y, "z": z}));
    Value::Object(entry)
}
