//! What a viewer draws, on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::rounded;
use super::world::{BoundsBody, SizeBody};
use super::{PoseBody, VehicleLookBody};
use crate::domain::light::{LAMP_GREEN, LAMP_GREEN_OFF, LAMP_RED, LAMP_RED_OFF, LAMP_YELLOW};
use crate::domain::{Epoch, Pose, VehicleSpec};
use crate::scene::{
    Geometry, Light, LightPart, SceneBackground, SceneModel, SceneSurface, SceneVisual, Sky, WorldScene,
};
use crate::worlds::WorldDefinition;

/// Colours are sRGB from 0 to 1, files are named by their path below `/worlds/<name>/files/`, and a surface is shown as texture
/// times (diffuse times light plus emissive).
#[derive(Debug, Serialize, JsonSchema)]
pub struct SceneResponse {
    /// The world's name, for the addresses of its files.
    pub world: String,
    pub display: String,
    pub epoch: u64,
    /// Of the world's files. An address of a file with `?rev=` and this value never changes its content.
    pub rev: String,
    /// The rectangle around the track.
    pub bounds: Option<BoundsBody>,
    pub light: SceneLightBody,
    pub background: BackgroundBody,
    /// Height of the ground on which shadows fall; null in a world without shadows.
    pub shadow_plane: Option<f64>,
    pub lamps: LampColoursBody,
    pub models: Vec<SceneModelBody>,
    pub vehicle: VehicleLookBody,
}

/// Linear light: a surface's gain is (ambient * (1 + ambient_fall * min(c, 0)) + sun * max(c, 0)) ^ (1 / 2.2), where c is the
/// cosine between its normal and the way to the sun.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SceneLightBody {
    /// The way the sunlight travels; not of length 1.
    pub direction: [f64; 3],
    pub sun: [f64; 3],
    pub ambient: [f64; 3],
    pub ambient_fall: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BackgroundBody {
    /// From the horizon to the zenith by 1 - (1 - s)^2, where s is the sine of the elevation; below the horizon to the ground
    /// by min(-s * haze, 1).
    Sky {
        zenith: [f64; 3],
        horizon: [f64; 3],
        ground: [f64; 3],
        haze: f64,
    },
    Plain {
        colour: [f64; 3],
    },
}

/// A lamp that is on shines by itself, one that is off is lit like any surface; yellow is a disc.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LampColoursBody {
    pub red: [f64; 3],
    pub red_off: [f64; 3],
    pub green: [f64; 3],
    pub green_off: [f64; 3],
    pub yellow: [f64; 3],
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SceneModelBody {
    pub name: String,
    /// `object`, `light`, `wall` or `scenery`.
    #[serde(rename = "type")]
    pub model_type: &'static str,
    /// As in `/objects`; null for scenery.
    pub kind: Option<&'static str>,
    #[serde(rename = "static")]
    pub is_static: bool,
    pub movable: bool,
    /// At the start, in the world.
    pub pose: PlaceBody,
    /// The box around its collisions; null where that is not known.
    pub size: Option<SizeBody>,
    /// In drawing order.
    pub visuals: Vec<VisualBody>,
    /// Of a traffic light: shown while it is yellow.
    pub disc: Option<DiscBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    /// In the order x, y, z, w.
    pub q: [f64; 4],
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct VisualBody {
    pub name: String,
    pub link: String,
    /// Of a traffic light: `lamp_red`, `lamp_green`, `screen` or null.
    pub part: Option<&'static str>,
    /// In the model's frame.
    pub pose: PlaceBody,
    pub geometry: GeometryBody,
    /// Null: a mesh looks as its own file says, everything else is white.
    pub material: Option<MaterialBody>,
    pub opacity: f64,
    pub shadow: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GeometryBody {
    Box {
        size: [f64; 3],
    },
    /// Its axis is z, as that of the capsule.
    Cylinder {
        radius: f64,
        length: f64,
    },
    Sphere {
        radius: f64,
    },
    /// `length` is that of the cylinder between the two half spheres.
    Capsule {
        radius: f64,
        length: f64,
    },
    Ellipsoid {
        radii: [f64; 3],
    },
    /// Its normal is z.
    Plane {
        size: [f64; 2],
    },
    Mesh {
        /// Null when the file is missing. With `?format=triangles` (and `submesh`, `center`) it comes as triangles.
        file: Option<String>,
        scale: [f64; 3],
        submesh: Option<String>,
        center: bool,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MaterialBody {
    pub diffuse: [f64; 3],
    pub emissive: [f64; 3],
    pub texture: Option<String>,
}

/// A cylinder of no height; its axis is z.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscBody {
    /// In the model's frame.
    pub pose: PlaceBody,
    pub radius: f64,
}

impl SceneResponse {
    pub fn of(scene: &WorldScene, world: &WorldDefinition, vehicle: &VehicleSpec, epoch: Epoch, rev: &str) -> Self {
        Self {
            world: world.name.to_string(),
            display: world.display.clone(),
            epoch: epoch.0,
            rev: rev.to_owned(),
            bounds: world.bounds.as_ref().map(BoundsBody::of),
            light: SceneLightBody {
                direction: floats(scene.light.sun_direction),
                sun: floats(scene.light.sun),
                ambient: floats(scene.light.ambient),
                ambient_fall: rounded(Light::AMBIENT_FALL.into()),
            },
            background: BackgroundBody::of(&scene.background),
            shadow_plane: scene.shadow_plane_m.map(rounded),
            lamps: LampColoursBody {
                red: floats(LAMP_RED),
                red_off: floats(LAMP_RED_OFF),
                green: floats(LAMP_GREEN),
                green_off: floats(LAMP_GREEN_OFF),
                yellow: floats(LAMP_YELLOW),
            },
            models: scene.models.iter().map(SceneModelBody::of).collect(),
            vehicle: VehicleLookBody::of(vehicle),
        }
    }
}

impl BackgroundBody {
    fn of(background: &SceneBackground) -> Self {
        let bytes = |colour: [u8; 3]| colour.map(|part| rounded(f64::from(part) / 255.0));
        match background {
            SceneBackground::Sky(sky) => Self::Sky {
                zenith: bytes(sky.zenith),
                horizon: bytes(sky.horizon),
                ground: bytes(sky.ground),
                haze: rounded(Sky::HAZE.into()),
            },
            SceneBackground::Plain(colour) => Self::Plain { colour: floats(*colour) },
        }
    }
}

impl SceneModelBody {
    fn of(model: &SceneModel) -> Self {
        let kind = model.mark.as_ref().map(|mark| mark.kind);
        let size = model.mark.as_ref().and_then(|mark| mark.size_m);
        Self {
            name: model.name.clone(),
            model_type: kind.map_or("scenery", |kind| kind.object_type().as_str()),
            kind: kind.map(|kind| kind.as_str()),
            is_static: model.is_static,
            movable: kind.is_some_and(|kind| kind.is_movable()),
            pose: PlaceBody::of(&model.pose),
            size: size.map(|size| size.map(rounded)).map(|[x, y, z]| SizeBody { x, y, z }),
            visuals: model.visuals.iter().map(VisualBody::of).collect(),
            disc: model
                .disc
                .map(|disc| DiscBody { pose: PlaceBody::of(&disc.screen_from_disc), radius: rounded(disc.radius_m) }),
        }
    }
}

impl VisualBody {
    fn of(visual: &SceneVisual) -> Self {
        Self {
            name: visual.name.clone(),
            link: visual.link.clone(),
            part: visual.part.map(|part| match part {
                LightPart::LampRed => "lamp_red",
                LightPart::LampGreen => "lamp_green",
                LightPart::Screen => "screen",
            }),
            pose: PlaceBody::of(&visual.model_from_visual),
            geometry: GeometryBody::of(&visual.geometry, visual.mesh_file.as_deref()),
            material: visual.surface.as_ref().map(MaterialBody::of),
            opacity: rounded(visual.opacity),
            shadow: visual.casts_shadow,
        }
    }
}

impl GeometryBody {
    fn of(geometry: &Geometry, mesh_file: Option<&str>) -> Self {
        match geometry {
            Geometry::Box { size_m } => Self::Box { size: size_m.map(rounded) },
            Geometry::Cylinder { radius_m, length_m } => {
                Self::Cylinder { radius: rounded(*radius_m), length: rounded(*length_m) }
            }
            Geometry::Sphere { radius_m } => Self::Sphere { radius: rounded(*radius_m) },
            Geometry::Capsule { radius_m, length_m } => {
                Self::Capsule { radius: rounded(*radius_m), length: rounded(*length_m) }
            }
            Geometry::Ellipsoid { radii_m } => Self::Ellipsoid { radii: radii_m.map(rounded) },
            Geometry::Plane { size_m, .. } => Self::Plane { size: size_m.map(rounded) },
            Geometry::Mesh { scale, submesh, .. } => Self::Mesh {
                file: mesh_file.map(str::to_owned),
                scale: scale.map(rounded),
                submesh: submesh.as_ref().map(|part| part.name.clone()),
                center: submesh.as_ref().is_some_and(|part| part.center),
            },
        }
    }
}

impl MaterialBody {
    fn of(surface: &SceneSurface) -> Self {
        Self {
            diffuse: floats(surface.colours.diffuse),
            emissive: floats(surface.colours.emissive),
            texture: surface.texture.clone(),
        }
    }
}

impl PlaceBody {
    fn of(pose: &Pose) -> Self {
        let PoseBody { x, y, z, q, .. } = PoseBody::of(pose);
        Self { x, y, z, q }
    }
}

fn floats(values: [f32; 3]) -> [f64; 3] {
    values.map(|value| rounded(value.into()))
}
