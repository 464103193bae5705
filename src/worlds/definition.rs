//! What clients are told about a world that does not change while it runs: its objects, its route, its publication.

use std::fs;

use thiserror::Error;

use super::bundle::{Bundle, BundleError};
use super::catalogue::Catalogue;
use super::id::{Rev, WorldId};
use super::route::{Bounds, Route};
use crate::domain::{LightSpec, ModelName, Panel, Pose, WorldContents, WorldName};
use crate::sdf::conventions::{LightParts, MarkedModel, ObjectKind, ObjectType, marked_models};
use crate::sdf::{self, Geometry, Model, SdfError};

/// The lamp of a traffic light fills this share of the narrower side of its screen.
const LAMP_SHARE: f64 = 0.3;

#[derive(Debug, Error)]
pub enum DefinitionError {
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error(transparent)]
    Sdf(#[from] SdfError),
    #[error("{file} cannot be read: {source}")]
    Unreadable { file: String, source: std::io::Error },
}

#[derive(Debug, Clone, PartialEq)]
pub struct WorldDefinition {
    pub name: WorldName,
    pub publication: Option<(WorldId, Rev)>,
    pub display: String,
    pub route: Option<Route>,
    pub bounds: Option<Bounds>,
    /// The marked models, in the order of the file.
    pub objects: Vec<ObjectDefinition>,
    pub has_evaluation: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ObjectDefinition {
    pub name: ModelName,
    pub object_type: ObjectType,
    pub kind: &'static str,
    pub is_static: bool,
    pub is_movable: bool,
    pub origin: Pose,
    /// The box around its collisions; zero where they are meshes.
    pub size_m: [f64; 3],
    /// Of a traffic light.
    pub panel: Option<Panel>,
}

impl WorldDefinition {
    pub fn read(catalogue: &Catalogue, bundle: &Bundle) -> Result<Self, DefinitionError> {
        let world = read_sdf(catalogue, bundle)?;
        let (marked, _) = marked_models(&world)?;
        let route = bundle.route()?;
        Ok(Self {
            name: bundle.name().clone(),
            publication: bundle.publication(),
            display: bundle.display(),
            bounds: route.as_ref().map(Route::bounds),
            route,
            objects: marked.iter().map(|mark| object(mark, &world.models[mark.index])).collect(),
            has_evaluation: bundle.has_evaluation(),
        })
    }

    /// What the live state needs of it.
    pub fn contents(&self) -> WorldContents {
        let lights = self.objects.iter().filter(|object| object.object_type == ObjectType::Light);
        let fixed = self.objects.iter().filter(|object| !object.is_movable);
        WorldContents {
            lights: lights
                .map(|light| LightSpec {
                    name: light.name.clone(),
                    origin: light.origin,
                    panel: light.panel.unwrap_or_default(),
                })
                .collect(),
            fixed: fixed.map(|object| object.name.clone()).collect(),
            world_id: self.publication.as_ref().map(|(id, _)| id.to_string()),
        }
    }

    /// At the start of the route, facing along it; at the origin without one.
    pub fn start(&self) -> Pose {
        self.route.as_ref().map_or_else(Pose::default, Route::start_pose)
    }
}

/// The world file of a bundle.
pub fn read_sdf(catalogue: &Catalogue, bundle: &Bundle) -> Result<sdf::World, DefinitionError> {
    let path = bundle.world_file()?;
    let file = format!("worlds/{}", path.file_name().unwrap_or_default().to_string_lossy());
    let bytes = fs::read(&path).map_err(|source| DefinitionError::Unreadable { file: file.clone(), source })?;
    Ok(sdf::read_world(&bytes, &file, &catalogue.assets(bundle))?.content)
}

fn object(mark: &MarkedModel, model: &Model) -> ObjectDefinition {
    let object_type = mark.kind.object_type();
    ObjectDefinition {
        name: mark.name.clone(),
        object_type,
        kind: mark.kind.as_str(),
        is_static: mark.is_static,
        is_movable: mark.kind.is_movable(),
        origin: model.pose,
        size_m: mark.size_m.unwrap_or_default(),
        panel: match mark.kind {
            ObjectKind::Light(parts) => panel(parts, model),
            _ => None,
        },
    }
}

fn panel(parts: LightParts, model: &Model) -> Option<Panel> {
    let index = parts.screen?;
    let link = model.links.get(index.link)?;
    let visual = link.visuals.get(index.visual)?;
    let position = link.pose.position + link.pose.orientation * visual.pose.position;
    let (_, pitch, _) = (link.pose.orientation * visual.pose.orientation).euler_angles();
    let (depth, side) = match visual.geometry {
        Geometry::Box { size_m: [x, y, z] } => (x.min(y), x.max(y).min(z)),
        Geometry::Plane { size_m: [x, y], .. } => (0.0, x.min(y)),
        _ => (0.0, 0.0),
    };
    Some(Panel { x_m: position.x + depth / 2.0, z_m: position.z, pitch_rad: pitch, lamp_radius_m: side * LAMP_SHARE })
}
