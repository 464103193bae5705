//! What a world consists of, as plain values: what a loader produces and `World::build` turns into bodies.
//!
//! Nothing here knows rapier, files or formats.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domain::{ModelName, Pose, WorldName};
use crate::engine::{EngineError, Spread};

/// Largest measure and heaviest mass that still makes sense beside a vehicle of 3 kg; keeps every sum finite in f32.
const MAX_MEASURE: f64 = 1_000.0;
/// Thinner bodies or lighter masses than this upset the solver at 5 ms steps.
const MIN_MEASURE: f64 = 1e-4;
const MAX_FRICTION: f64 = 10.0;
/// Of one mesh; ten times what a detailed track needs, and bounds memory and the time of a load.
const MAX_TRIANGLES: usize = 2_000_000;

#[derive(Debug, Clone, PartialEq)]
pub struct WorldDescription {
    pub name: WorldName,
    pub ground: Ground,
    /// In the order in which they are reported.
    pub models: Vec<ModelDescription>,
    /// Where the vehicle starts; only x, y and yaw count, because it stands on the ground.
    pub start: Pose,
}

/// An endless horizontal plane, facing up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    pub height_m: f64,
    pub friction: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelDescription {
    pub name: ModelName,
    pub mobility: Mobility,
    /// What it counts as when the vehicle touches it; nothing for the track and the like.
    pub marker: Option<Marker>,
    pub pose: Pose,
    pub parts: Vec<Part>,
    /// Of all parts together; counts for `Mobility::Dynamic` only.
    pub mass_kg: f64,
    /// How that mass is spread; nothing is evenly over the volume of the parts.
    pub spread: Option<Spread>,
    pub friction: f64,
}

/// What can move a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mobility {
    /// Nothing: walls, the track. It is not reported as an entity.
    Fixed,
    /// Commands, but no push: a traffic light.
    Placeable,
    /// Commands and pushes.
    Dynamic,
}

/// What a world file marks a model as. The vehicle's contacts with marked models are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Object,
    Wall,
    Light,
}

impl Marker {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Wall => "wall",
            Self::Light => "light",
        }
    }
}

/// One solid piece of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub shape: Shape,
    /// Of the shape's centre in the model's frame.
    pub pose: Pose,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Edge lengths along x, y and z.
    Box {
        size_m: [f64; 3],
    },
    /// Its axis is z.
    Cylinder {
        radius_m: f64,
        length_m: f64,
    },
    Sphere {
        radius_m: f64,
    },
    /// Triangles, each of three places in `vertices`, facing where their corners run counter-clockwise. Solid from both sides.
    /// Of a dynamic model only the convex hull counts. Shared, so that a copy costs nothing.
    TriMesh {
        vertices: Arc<[[f32; 3]]>,
        indices: Arc<[[u32; 3]]>,
    },
}

impl WorldDescription {
    /// The built-in world: the plane, `box1` beside the lane, the vehicle at the origin.
    pub fn plain() -> Self {
        let size = 0.2;
        Self {
            name: WorldName::parse("plain").expect("the name is valid"),
            ground: Ground::default(),
            models: vec![ModelDescription {
                name: ModelName::parse("box1").expect("the name is valid"),
                mobility: Mobility::Dynamic,
                marker: Some(Marker::Object),
                pose: Pose::upright(1.5, 0.5, 0.0, 0.0),
                parts: vec![Part {
                    shape: Shape::Box { size_m: [size; 3] },
                    // The model's origin is the middle of the underside, so that z = 0 stands on the ground.
                    pose: Pose::upright(0.0, 0.0, size / 2.0, 0.0),
                }],
                mass_kg: 0.5,
                spread: None,
                friction: 0.5,
            }],
            start: Pose::default(),
        }
    }

    /// Everything `World::build` relies on, except what concerns the vehicle.
    pub(super) fn check(&self) -> Result<(), EngineError> {
        within("the height of the ground", self.ground.height_m, -MAX_MEASURE, MAX_MEASURE)?;
        within("the friction of the ground", self.ground.friction, 0.0, MAX_FRICTION)?;
        check_pose("the start pose", &self.start)?;
        let mut names = BTreeSet::new();
        for model in &self.models {
            if !names.insert(&model.name) {
                return Err(EngineError::DuplicateName(model.name.clone()));
            }
            model.check()?;
        }
        Ok(())
    }
}

impl Default for Ground {
    fn default() -> Self {
        Self { height_m: 0.0, friction: 0.8 }
    }
}

impl ModelDescription {
    fn check(&self) -> Result<(), EngineError> {
        check_pose("the pose of a model", &self.pose)?;
        within("the friction of a model", self.friction, 0.0, MAX_FRICTION)?;
        if self.mobility == Mobility::Dynamic {
            within("the mass of a model", self.mass_kg, MIN_MEASURE, MAX_MEASURE)?;
        }
        if self.parts.is_empty() {
            return Err(EngineError::NoShape(self.name.clone()));
        }
        self.parts.iter().try_for_each(|part| {
            check_pose("the pose of a part", &part.pose)?;
            part.shape.check()
        })?;
        let fault = self.spread.and_then(|spread| spread.fault(self.mass_kg, &self.parts));
        match fault.filter(|_| self.mobility == Mobility::Dynamic) {
            Some(fault) => Err(EngineError::ImpossibleSpread { model: self.name.clone(), fault }),
            None => Ok(()),
        }
    }
}

impl Shape {
    fn check(&self) -> Result<(), EngineError> {
        let measure = |value| within("a measure of a shape", value, MIN_MEASURE, MAX_MEASURE);
        match self {
            Self::Box { size_m } => size_m.iter().copied().try_for_each(measure),
            Self::Cylinder { radius_m, length_m } => measure(*radius_m).and(measure(*length_m)),
            Self::Sphere { radius_m } => measure(*radius_m),
            Self::TriMesh { vertices, indices } => check_mesh(vertices, indices),
        }
    }
}

fn check_mesh(vertices: &[[f32; 3]], indices: &[[u32; 3]]) -> Result<(), EngineError> {
    if indices.len() > MAX_TRIANGLES || vertices.len() > 3 * MAX_TRIANGLES {
        return Err(EngineError::MeshTooLarge(MAX_TRIANGLES));
    }
    let limit = MAX_MEASURE;
    vertices.iter().flatten().try_for_each(|&value| within("a vertex of a mesh", value.into(), -limit, limit))?;
    match indices.iter().flatten().find(|&&index| index as usize >= vertices.len()) {
        Some(index) => Err(EngineError::NoSuchVertex(*index)),
        None => Ok(()),
    }
}

/// A finite number between the two, both included.
pub(super) fn within(what: &'static str, value: f64, min: f64, max: f64) -> Result<(), EngineError> {
    if !value.is_finite() {
        return Err(EngineError::NotFinite(what));
    }
    if value < min || value > max {
        return Err(EngineError::OutOfRange { what, min, max });
    }
    Ok(())
}

fn check_pose(what: &'static str, pose: &Pose) -> Result<(), EngineError> {
    if !pose.is_finite() {
        return Err(EngineError::NotFinite(what));
    }
    pose.position.iter().try_for_each(|&value| within(what, value, -MAX_MEASURE, MAX_MEASURE))
}
