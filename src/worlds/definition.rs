//! What clients are told about a world that does not change while it runs: its objects, its route, its publication.

use std::fs;

use thiserror::Error;

use super::bundle::{Bundle, BundleError};
use super::catalogue::Catalogue;
use super::id::{Rev, WorldId};
use super::route::{Bounds, Route};
use crate::domain::{ModelName, Pose, WorldName};
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

/// Where the disc of a traffic light sits, in the model's frame: forward and up of its origin, leaning back by `pitch`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Panel {
    pub forward_m: f64,
    pub up_m: f64,
    pub pitch_rad: f64,
    pub lamp_radius_m: f64,
}

impl WorldDefinition {
    pub fn read(catalogue: &Catalogue, bundle: &Bundle) -> Result<Self, DefinitionError> {
        let path = bundle.world_file()?;
        let file = format!("worlds/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let bytes = fs::read(&path).map_err(|source| DefinitionError::Unreadable { file: file.clone(), source })?;
        let world = sdf::read_world(&bytes, &file, &catalogue.assets(bundle))?.content;
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

    /// At the start of the route, facing along it; at the origin without one.
    pub fn start(&self) -> Pose {
        self.route.as_ref().map_or_else(Pose::default, Route::start_pose)
    }
}

fn object(mark: &MarkedModel, model: &Model) -> ObjectDefinition {
    let object_type = mark.kind.object_type();
    ObjectDefinition {
        name: mark.name.clone(),
        object_type,
        kind: match mark.kind {
            ObjectKind::Cylinder => "cylinder",
            ObjectKind::Sphere => "sphere",
            ObjectKind::Cone => "cone",
            ObjectKind::Light(_) => "light",
            ObjectKind::Wall => "wall",
            // Clients know these kinds only; whatever else there is takes up a box.
            ObjectKind::Box | ObjectKind::Other => "box",
        },
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
    Some(Panel {
        forward_m: position.x + depth / 2.0,
        up_m: position.z,
        pitch_rad: pitch,
        lamp_radius_m: side * LAMP_SHARE,
    })
}
