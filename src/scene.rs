//! What a viewer draws of a world: its models, how they look, the light and the sky.
//!
//! Follows the same rules as the car's camera, so that a page shows what the robot sees. Nothing here draws, and nothing
//! moves: poses are those of the world file. Reading is plain blocking file access.

mod triangles;

use nalgebra::Vector3;

use crate::domain::Pose;
use crate::sdf::appearance::{self, SurfaceColours, YellowDisc, is_level, plain_background, sunlight};
use crate::sdf::conventions::{LightParts, MarkedModel, ObjectKind, VisualIndex, marked_models};
use crate::sdf::{self, Uri};
use crate::worlds::definition::read_sdf;
use crate::worlds::{Assets, Bundle, Catalogue, DefinitionError};

pub use crate::render::{Light, Sky};
pub use crate::sdf::Geometry;
pub use triangles::{TrianglesError, TrianglesPart, read_triangles};

#[derive(Debug, Clone, PartialEq)]
pub struct WorldScene {
    /// In the order of the world file.
    pub models: Vec<SceneModel>,
    pub light: Light,
    pub background: SceneBackground,
    /// Height of the ground on which shadows fall; none for a world without shadows.
    pub shadow_plane_m: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneBackground {
    Sky(Sky),
    /// sRGB from 0 to 1.
    Plain([f32; 3]),
}

#[derive(Debug, Clone, PartialEq)]
pub struct SceneModel {
    pub name: String,
    /// `None` for scenery.
    pub mark: Option<MarkedModel>,
    pub is_static: bool,
    /// At the start.
    pub pose: Pose,
    /// Of all links.
    pub visuals: Vec<SceneVisual>,
    /// Shown while a traffic light is yellow, in the model's frame.
    pub disc: Option<YellowDisc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SceneVisual {
    pub name: String,
    pub link: String,
    pub part: Option<LightPart>,
    pub model_from_visual: Pose,
    pub geometry: Geometry,
    /// The mesh's file, from the top folder; `None` for other shapes and for a file that is missing.
    pub mesh_file: Option<String>,
    /// `None`: a mesh looks as its own file says, everything else is white.
    pub surface: Option<SceneSurface>,
    /// From 0, which is invisible, to 1.
    pub opacity: f64,
    pub casts_shadow: bool,
}

/// What a visual is to a traffic light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightPart {
    LampRed,
    LampGreen,
    Screen,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SceneSurface {
    pub colours: SurfaceColours,
    /// The picture's file, from the top folder.
    pub texture: Option<String>,
}

/// Reads the world file of a bundle. A mesh or a picture that is missing is left out of the scene; that the simulator refuses
/// a world for it is not decided here.
pub fn read(catalogue: &Catalogue, bundle: &Bundle) -> Result<WorldScene, DefinitionError> {
    let world = read_sdf(catalogue, bundle)?;
    let (marked, _) = marked_models(&world)?;
    let assets = catalogue.assets(bundle);
    let standard = Light::default();
    let light = sunlight(&world).map_or(standard, |sun| Light {
        sun_direction: sun.direction.map(|part| part as f32),
        sun: std::array::from_fn(|i| standard.sun[i] * sun.tint[i]),
        ..standard
    });
    let models = world.models.iter().enumerate().map(|(index, model)| {
        let mark = marked.iter().find(|mark| mark.index == index);
        scene_model(model, mark, &assets)
    });
    Ok(WorldScene {
        models: models.collect(),
        light,
        background: plain_background(&world)
            .map_or_else(|| SceneBackground::Sky(Sky::default()), SceneBackground::Plain),
        shadow_plane_m: (world.scene.shadows != Some(false)).then(|| ground_m(&world)),
    })
}

fn scene_model(model: &sdf::Model, mark: Option<&MarkedModel>, assets: &Assets) -> SceneModel {
    let parts = match mark {
        Some(MarkedModel { kind: ObjectKind::Light(parts), .. }) => *parts,
        _ => LightParts::default(),
    };
    let mut visuals = Vec::new();
    let mut disc = None;
    for (link_index, link) in model.links.iter().enumerate() {
        for (visual_index, visual) in link.visuals.iter().enumerate() {
            let part = light_part(&parts, VisualIndex { link: link_index, visual: visual_index });
            let model_from_visual = link.pose.compose(&visual.pose);
            if part == Some(LightPart::Screen) {
                disc = appearance::yellow_disc(&visual.geometry).map(|disc| YellowDisc {
                    screen_from_disc: model_from_visual.compose(&disc.screen_from_disc),
                    ..disc
                });
            }
            visuals.push(SceneVisual {
                name: visual.name.clone(),
                link: link.name.clone(),
                part,
                model_from_visual: with_normal(&model_from_visual, &visual.geometry),
                geometry: visual.geometry.clone(),
                mesh_file: match &visual.geometry {
                    Geometry::Mesh { uri, .. } => assets.path_of(uri).ok(),
                    _ => None,
                },
                surface: visual.material.as_ref().and_then(|material| surface(material, assets)),
                opacity: 1.0 - visual.transparency,
                casts_shadow: mark.is_some() && visual.cast_shadows != Some(false),
            });
        }
    }
    SceneModel {
        name: model.name.clone(),
        mark: mark.cloned(),
        is_static: model.is_static,
        pose: model.pose,
        visuals,
        disc,
    }
}

fn light_part(parts: &LightParts, here: VisualIndex) -> Option<LightPart> {
    let all = [
        (parts.lamp_red, LightPart::LampRed),
        (parts.lamp_green, LightPart::LampGreen),
        (parts.screen, LightPart::Screen),
    ];
    all.into_iter().find(|(index, _)| *index == Some(here)).map(|(_, part)| part)
}

/// A plane is drawn level in its own frame; one with another normal is turned that way.
fn with_normal(pose: &Pose, geometry: &Geometry) -> Pose {
    let Geometry::Plane { normal, .. } = geometry else { return *pose };
    let turn = nalgebra::UnitQuaternion::rotation_between(&Vector3::z(), &Vector3::from(*normal));
    Pose { orientation: pose.orientation * turn.unwrap_or_default(), ..*pose }
}

fn surface(material: &sdf::Material, assets: &Assets) -> Option<SceneSurface> {
    let texture = material.albedo_map.as_ref().and_then(|uri: &Uri| assets.path_of(uri).ok());
    let colours = appearance::surface(material, texture.is_some())?;
    Some(SceneSurface { colours, texture })
}

/// The height of the first level plane that cannot be moved; 0 without one, as in the simulator.
fn ground_m(world: &sdf::World) -> f64 {
    for model in world.models.iter().filter(|model| model.is_static) {
        for link in &model.links {
            for collision in &link.collisions {
                let world_from_plane = model.pose.compose(&link.pose).compose(&collision.pose);
                if is_level(&world_from_plane, &collision.geometry) {
                    return world_from_plane.position.z;
                }
            }
        }
    }
    0.0
}
