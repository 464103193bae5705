//! From a world file to what the engine steps and what its camera sees: read, convert, collect what was left out.
//!
//! Nothing here touches a running world: a world that cannot be loaded is an error with file and line, and that is all.

mod asset;
mod look;
mod mass;
mod solid;

use thiserror::Error;

use crate::domain::{ModelName, Pose, WorldName};
use crate::engine::description::{Ground, Marker, Mobility, ModelDescription, WorldDescription};
use crate::mesh::MeshError;
use crate::sdf::conventions::{MarkedModel, ObjectType, marked_models};
use crate::sdf::{self, Files, SdfError, Uri};

pub use asset::AssetCache;
pub use look::{Look, TrafficLightLook};

/// Friction of what the file says nothing about: rubber and cardboard on carpet.
const DEFAULT_FRICTION: f64 = 0.8;
/// More friction than any pair of materials has; keeps the solver honest.
const MAX_FRICTION: f64 = 10.0;

/// A world ready to be built.
#[derive(Debug)]
pub struct LoadedWorld {
    pub description: WorldDescription,
    pub look: Look,
    /// What was left out or assumed, each with its place.
    pub warnings: Vec<String>,
}

#[derive(Debug, Error)]
pub enum LoadError {
    #[error(transparent)]
    Sdf(#[from] SdfError),
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error("{place}: {file}: {reason}")]
    File { place: String, file: String, reason: String },
}

/// What is loaded from where.
pub struct Source<'a> {
    pub name: &'a WorldName,
    pub bytes: &'a [u8],
    /// Of the world file, from the top folder of its bundle.
    pub path: &'a str,
    pub files: &'a dyn Files,
    /// Where the vehicle starts: at the start of the route, or at the origin.
    pub start: Pose,
}

pub fn load(source: &Source, cache: &mut AssetCache) -> Result<LoadedWorld, LoadError> {
    let loaded = sdf::read_world(source.bytes, source.path, source.files)?;
    let world = loaded.content;
    let (marked, convention_warnings) = marked_models(&world)?;
    let mut warnings: Vec<String> =
        loaded.warnings.iter().chain(&convention_warnings).map(ToString::to_string).collect();
    if loaded.warnings_omitted > 0 {
        warnings.push(format!("{} further warnings are not shown", loaded.warnings_omitted));
    }

    let mut ground = None;
    let mut models = Vec::new();
    for (index, model) in world.models.iter().enumerate() {
        let mark = marked.iter().find(|mark| mark.index == index);
        let solids = solid::of_model(model, source.files, cache, &mut warnings)?;
        ground = ground.or(solids.ground);
        if solids.parts.is_empty() {
            continue;
        }
        let mobility = mobility(mark, model.is_static);
        let (mass_kg, spread) = match mobility {
            Mobility::Dynamic => mass::of_model(model, &solids.parts, &mut warnings),
            // Nothing that stays where it is put needs a mass.
            Mobility::Fixed | Mobility::Placeable => (0.0, None),
        };
        models.push(ModelDescription {
            name: mark.map_or_else(|| scenery_name(&model.name, index), |mark| mark.name.clone()),
            mobility,
            marker: mark.map(marker),
            pose: model.pose,
            parts: solids.parts,
            mass_kg,
            spread,
            friction: solids.friction.unwrap_or(DEFAULT_FRICTION).min(MAX_FRICTION),
        });
    }
    let ground = ground.unwrap_or(Ground { height_m: 0.0, friction: DEFAULT_FRICTION });
    let look = look::of_world(&world, &marked, ground.height_m, source.files, cache, &mut warnings)?;
    let description = WorldDescription { name: source.name.clone(), ground, models, start: source.start };
    Ok(LoadedWorld { description, look, warnings })
}

fn mobility(mark: Option<&MarkedModel>, is_static: bool) -> Mobility {
    match mark.map(|mark| mark.kind.object_type()) {
        Some(ObjectType::Wall) => Mobility::Fixed,
        Some(ObjectType::Light) => Mobility::Placeable,
        Some(ObjectType::Object) if is_static => Mobility::Placeable,
        None if is_static => Mobility::Fixed,
        Some(ObjectType::Object) | None => Mobility::Dynamic,
    }
}

fn marker(mark: &MarkedModel) -> Marker {
    match mark.kind.object_type() {
        ObjectType::Object => Marker::Object,
        ObjectType::Wall => Marker::Wall,
        ObjectType::Light => Marker::Light,
    }
}

/// Scenery may have any name; the engine wants one that it can tell apart.
fn scenery_name(raw: &str, index: usize) -> ModelName {
    ModelName::parse(raw)
        .unwrap_or_else(|_| ModelName::parse(&format!("scenery_{index}")).expect("made of letters, digits and _"))
}

/// An asset that cannot be used, where the world file names it.
fn file_error(place: &sdf::Place, uri: &Uri, reason: impl ToString) -> LoadError {
    LoadError::File { place: place.to_string(), file: uri.path().to_owned(), reason: reason.to_string() }
}
