//! The objects of a track with everything decided: name, place, shape, look and weight.
//!
//! An object's frame lies in the middle of its foot (of a sphere in its centre), x to its front.

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::path::{Path as FilePath, PathBuf};

use serde_saphyr::Spanned;

use super::error::BuildError;
use super::path::Path;
use super::place::Place;
use super::surface::{Paint, Surface};
use super::track::{self, Color, ObjectKind, Track};
use super::traffic_light::TrafficLight;
use super::{shared, solids};

const CYLINDER_HEIGHT_M: f64 = 0.21;
const CYLINDER_CIRCUMFERENCE_M: f64 = 0.297;
const CYLINDER_COLOR: Color = Color([52, 120, 196]);

#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    pub name: String,
    pub place: Place,
    pub shape: Shape,
    pub look: Look,
    pub is_static: bool,
    pub mass_kg: f64,
    /// What is seen of it, in its own frame.
    pub surfaces: Vec<Surface>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Box { size: [f64; 3] },
    Cylinder { radius: f64, height: f64 },
    Sphere { radius: f64 },
    Cone { base: f64, height: f64 },
    Light(TrafficLight),
}

/// How the world file shows it.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// A mesh of the shared folder.
    Shared { mesh: &'static str, scale: [f64; 3] },
    /// Its own shape in one colour.
    Plain(Color),
    /// A mesh of its own in the bundle, made of its surfaces.
    Own,
    /// The parts of a traffic light.
    Parts,
}

/// A picture that the bundle must carry: where it is now and its path there.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub file: PathBuf,
    pub path: String,
}

/// All objects of a track in its order, and the pictures they need. `folder` is the track's.
pub fn resolve(
    track: &Track,
    path: &Path,
    folder: &FilePath,
    file: &str,
) -> Result<(Vec<Object>, Vec<Picture>), BuildError> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for Spanned { value, referenced, .. } in &track.objects {
        if let Some(name) = value.name.clone().filter(|name| !taken.insert(name.clone())) {
            let at = format!("{file}:{}", referenced.line());
            return Err(BuildError::Track { at, message: format!("the name {name} is there twice") });
        }
    }
    let (mut objects, mut pictures) = (Vec::new(), Vec::new());
    for Spanned { value, referenced, .. } in &track.objects {
        let name = value.name.clone().unwrap_or_else(|| {
            let mut numbered = (1..).map(|number| format!("{}{number}", value.kind.stem()));
            numbered.find(|name| !taken.contains(name)).expect("there are more numbers than objects")
        });
        taken.insert(name.clone());
        let place = Place::new(path, value.at, value.along_m, value.across_m, value.yaw_deg);
        let is_inside = |axis: usize| place.at[axis].abs() <= track.size_m[axis] / 2.0;
        if !is_inside(0) || !is_inside(1) {
            let at = format!("{file}:{}", referenced.line());
            let [x, y] = place.at;
            return Err(BuildError::Track {
                at,
                message: format!("{name} stands outside the field, at {x:.2}, {y:.2}"),
            });
        }
        objects.push(object(value, name, place, folder, &mut pictures));
    }
    Ok((objects, pictures))
}

fn object(entry: &track::Object, name: String, place: Place, folder: &FilePath, pictures: &mut Vec<Picture>) -> Object {
    // The paint of a part: its picture, else the object's colour, else what the part has by itself.
    let mut paint = |part: &str, otherwise: Paint| match (entry.textures.get(part), entry.color) {
        (Some(image), _) => {
            let ending = if image.extension().is_some_and(|ending| ending == "png") { "png" } else { "jpg" };
            let path = format!("textures/{name}_{part}.{ending}");
            pictures.push(Picture { file: folder.join(image), path: path.clone() });
            Paint::Texture(path)
        }
        (None, Some(color)) => Paint::Color(color),
        (None, None) => otherwise,
    };
    let has_own_skin = !entry.textures.is_empty();
    let (shape, surfaces, plain, shared_mesh) = match entry.kind {
        ObjectKind::Box => {
            let size = entry.size_m.unwrap_or(shared::BOX_M);
            let paints = solids::FACES.map(|face| paint(face, shared::box_paint()));
            let scale = std::array::from_fn(|axis| size[axis] / shared::BOX_M[axis]);
            (Shape::Box { size }, solids::cuboid(size, paints), entry.color, Some((shared::BOX, scale)))
        }
        ObjectKind::Cylinder => {
            let radius = entry.diameter_m.unwrap_or(CYLINDER_CIRCUMFERENCE_M / PI) / 2.0;
            let height = entry.height_m.unwrap_or(CYLINDER_HEIGHT_M);
            let paints = ["side", "top", "bottom"].map(|part| paint(part, Paint::Color(CYLINDER_COLOR)));
            let color = entry.color.unwrap_or(CYLINDER_COLOR);
            (Shape::Cylinder { radius, height }, solids::cylinder(radius, height, paints), Some(color), None)
        }
        ObjectKind::Sphere => {
            let diameter = entry.diameter_m.unwrap_or(shared::BALL_DIAMETER_M);
            let radius = diameter / 2.0;
            let surfaces = solids::sphere(radius, paint("surface", shared::ball_paint()));
            let scale = [diameter / shared::BALL_DIAMETER_M; 3];
            (Shape::Sphere { radius }, surfaces, entry.color, Some((shared::BALL, scale)))
        }
        ObjectKind::Cone => {
            let base = entry.base_m.unwrap_or(shared::CONE_BASE_M);
            let height = entry.height_m.unwrap_or(shared::CONE_HEIGHT_M);
            let body = Paint::Color(entry.color.unwrap_or(shared::CONE_COLOR));
            let surfaces = solids::cone(base, height, paint("side", shared::cone_paint()), body);
            let wide = base / shared::CONE_BASE_M;
            let scale = [wide, wide, height / shared::CONE_HEIGHT_M];
            (Shape::Cone { base, height }, surfaces, None, Some((shared::CONE, scale)))
        }
        ObjectKind::Light => {
            let light = TrafficLight::new(entry.width_m, entry.tilt_deg, entry.color);
            let surfaces = light.surfaces();
            (Shape::Light(light), surfaces, None, None)
        }
    };
    let look = match (entry.kind, plain, shared_mesh) {
        (ObjectKind::Light, ..) => Look::Parts,
        _ if has_own_skin => Look::Own,
        (ObjectKind::Cone, ..) if entry.color.is_some() => Look::Own,
        (_, Some(color), _) => Look::Plain(color),
        (_, None, Some((mesh, scale))) => Look::Shared { mesh, scale },
        (_, None, None) => Look::Own,
    };
    let is_static = entry.is_static.unwrap_or(entry.kind == ObjectKind::Light);
    let mass_kg = entry.mass_kg.unwrap_or(match entry.kind {
        ObjectKind::Box => 0.4,
        ObjectKind::Cylinder | ObjectKind::Cone => 0.25,
        ObjectKind::Sphere => 0.3,
        ObjectKind::Light => 1.0,
    });
    Object { name, place, shape, look, is_static, mass_kg, surfaces }
}

impl Object {
    /// Height of its frame above the ground.
    pub fn z(&self) -> f64 {
        match self.shape {
            Shape::Sphere { radius } => radius,
            _ => 0.0,
        }
    }
}
