//! What the models of a published world are, by the names that world builders give their parts.
//!
//! The name of a link marks its model: `object`, `wall`, `light` (older worlds: `signal`). A collision called `cone` tells a
//! cone from a box; the visuals `lamp_red`, `lamp_green` and `screen` are what a traffic light shows. Models without a marker
//! are scenery, such as the track.

use nalgebra::Vector3;

use super::error::{Problem, SdfError, Warning, excerpt};
use super::pose::{compose, to_isometry};
use super::tree::{Geometry, Link, Model, World};
use crate::domain::ModelName;

/// A marked model.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedModel {
    pub name: ModelName,
    /// In `World::models`.
    pub index: usize,
    pub kind: ObjectKind,
    pub is_static: bool,
    /// Edge lengths of the box around the collisions, in the model's frame; `None` when they are meshes or planes.
    pub size_m: Option<[f64; 3]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    Box,
    Cylinder,
    Sphere,
    Cone,
    /// An object with another shape or with several.
    Other,
    Light(LightParts),
    Wall,
}

/// What clients are told about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectType {
    Object,
    Wall,
    Light,
}

/// Where in `Model::links` the parts of a traffic light are; a missing one cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LightParts {
    pub lamp_red: Option<VisualIndex>,
    pub lamp_green: Option<VisualIndex>,
    pub screen: Option<VisualIndex>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisualIndex {
    pub link: usize,
    pub visual: usize,
}

impl ObjectKind {
    pub fn object_type(self) -> ObjectType {
        match self {
            Self::Light(_) => ObjectType::Light,
            Self::Wall => ObjectType::Wall,
            Self::Box | Self::Cylinder | Self::Sphere | Self::Cone | Self::Other => ObjectType::Object,
        }
    }

    /// What clients are told. They know these kinds only; whatever else there is takes up a box.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cylinder => "cylinder",
            Self::Sphere => "sphere",
            Self::Cone => "cone",
            Self::Light(_) => "light",
            Self::Wall => "wall",
            Self::Box | Self::Other => "box",
        }
    }

    /// Whether commands may move it. Pushes are another matter: they depend on `is_static`.
    pub fn is_movable(self) -> bool {
        self.object_type() != ObjectType::Wall
    }
}

impl ObjectType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Wall => "wall",
            Self::Light => "light",
        }
    }
}

/// The marked models of a world in its order, and what their authors should know. Names come out valid; that they are unique
/// is a promise of the tree.
pub fn marked_models(world: &World) -> Result<(Vec<MarkedModel>, Vec<Warning>), SdfError> {
    let mut marked = Vec::new();
    let mut warnings = Vec::new();
    for (index, model) in world.models.iter().enumerate() {
        let Some((object_type, link)) = marker(model)? else { continue };
        let bad_name = |_| SdfError {
            place: model.place.clone(),
            problem: Problem::BadName {
                name: excerpt(&model.name),
                why: "is not one for an object, which has 1 to 128 characters of A-Z, a-z, 0-9 and _",
            },
        };
        let name = ModelName::parse(&model.name).map_err(bad_name)?;
        let kind = match object_type {
            ObjectType::Wall => ObjectKind::Wall,
            ObjectType::Light => ObjectKind::Light(light_parts(model, &mut warnings)),
            ObjectType::Object => object_kind(link),
        };
        if model.links.iter().all(|link| link.collisions.is_empty()) {
            let message = format!("{name} has no collision: nothing can hit it");
            warnings.push(Warning { place: model.place.clone(), message });
        }
        marked.push(MarkedModel { name, index, kind, is_static: model.is_static, size_m: size(model) });
    }
    Ok((marked, warnings))
}

fn marker(model: &Model) -> Result<Option<(ObjectType, &Link)>, SdfError> {
    let mut found: Option<(ObjectType, &Link)> = None;
    for link in &model.links {
        let object_type = match link.name.as_str() {
            "object" => ObjectType::Object,
            "wall" => ObjectType::Wall,
            "light" | "signal" => ObjectType::Light,
            _ => continue,
        };
        if let Some((_, first)) = found {
            let problem = Problem::TwoMarkers {
                model: excerpt(&model.name),
                first: first.name.clone(),
                second: link.name.clone(),
            };
            return Err(SdfError { place: link.place.clone(), problem });
        }
        found = Some((object_type, link));
    }
    Ok(found)
}

fn object_kind(link: &Link) -> ObjectKind {
    if link.collisions.iter().any(|collision| collision.name == "cone") {
        return ObjectKind::Cone;
    }
    match link.collisions.as_slice() {
        [only] => match only.geometry {
            Geometry::Box { .. } => ObjectKind::Box,
            Geometry::Cylinder { .. } => ObjectKind::Cylinder,
            Geometry::Sphere { .. } => ObjectKind::Sphere,
            _ => ObjectKind::Other,
        },
        _ => ObjectKind::Other,
    }
}

fn light_parts(model: &Model, warnings: &mut Vec<Warning>) -> LightParts {
    let mut find = |name: &str| {
        let mut all = model.links.iter().enumerate().flat_map(|(link_index, link)| {
            let visuals = link.visuals.iter().enumerate().filter(|(_, visual)| visual.name == name);
            visuals.map(move |(visual, _)| VisualIndex { link: link_index, visual })
        });
        let found = all.next();
        if found.is_none() {
            let message = format!("the traffic light {:?} has no visual {name:?}", model.name);
            warnings.push(Warning { place: model.place.clone(), message });
        }
        found
    };
    LightParts { lamp_red: find("lamp_red"), lamp_green: find("lamp_green"), screen: find("screen") }
}

fn size(model: &Model) -> Option<[f64; 3]> {
    let mut bounds: Option<(Vector3<f64>, Vector3<f64>)> = None;
    for link in &model.links {
        for collision in &link.collisions {
            let pose = compose(&to_isometry(&link.pose), &to_isometry(&collision.pose));
            let turn = pose.rotation.to_rotation_matrix();
            let axis_reach = |half: [f64; 3]| turn.matrix().abs() * Vector3::from(half);
            let reach = match collision.geometry {
                Geometry::Box { size_m } => axis_reach(size_m.map(|edge| edge / 2.0)),
                Geometry::Cylinder { radius_m, length_m } => {
                    // A disc reaches r·sin of the angle between its axis and the direction, the axis length/2·cos.
                    let axis = turn.matrix().column(2).into_owned();
                    axis.map(|cos| radius_m * (1.0 - cos * cos).max(0.0).sqrt() + length_m / 2.0 * cos.abs())
                }
                Geometry::Capsule { radius_m, length_m } => {
                    turn.matrix().column(2).map(|cos| radius_m + length_m / 2.0 * cos.abs())
                }
                Geometry::Sphere { radius_m } => Vector3::repeat(radius_m),
                Geometry::Ellipsoid { radii_m } => {
                    let rows = turn.matrix();
                    Vector3::from_fn(|row, _| {
                        (0..3).map(|col| (rows[(row, col)] * radii_m[col]).powi(2)).sum::<f64>().sqrt()
                    })
                }
                Geometry::Plane { .. } | Geometry::Mesh { .. } => return None,
            };
            let middle = pose.translation.vector;
            let (low, high) = (middle - reach, middle + reach);
            bounds = Some(match bounds {
                Some((lowest, highest)) => (lowest.inf(&low), highest.sup(&high)),
                None => (low, high),
            });
        }
    }
    bounds.map(|(low, high)| (high - low).into())
}
