//! A world as its SDF describes it: plain values, every name, number and pose already checked and every frame resolved.
//!
//! Lengths are metres, angles are gone into quaternions, colours are linear numbers from 0 to 1 as written.
//! `None` means that the file does not say; what to assume then is the reader's decision.

use crate::domain::Pose;
use crate::sdf::{Place, Uri};

/// Red, green, blue, alpha.
pub type Color = [f32; 4];

#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub name: String,
    pub physics: Physics,
    /// m/s², in the world frame.
    pub gravity: Option<[f64; 3]>,
    pub scene: Scene,
    pub lights: Vec<Light>,
    /// In the order of the file, included ones in place of their `<include>`. Names are unique.
    pub models: Vec<Model>,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Physics {
    pub step_s: Option<f64>,
    pub real_time_factor: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub ambient: Option<Color>,
    pub background: Option<Color>,
    /// Whether a `<sky>` is asked for.
    pub sky: bool,
    pub shadows: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    pub name: String,
    pub kind: LightKind,
    /// In the world frame.
    pub pose: Pose,
    pub diffuse: Option<Color>,
    pub specular: Option<Color>,
    /// Where it shines, in the light's own frame; not of length 1.
    pub direction: Option<[f64; 3]>,
    pub intensity: Option<f64>,
    /// Range and falloff of point and spot lights.
    pub attenuation: Attenuation,
    pub cast_shadows: Option<bool>,
    pub place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightKind {
    Directional,
    Point,
    Spot,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Attenuation {
    pub range_m: Option<f64>,
    pub constant: Option<f64>,
    pub linear: Option<f64>,
    pub quadratic: Option<f64>,
}

/// A model with all links at one level: those of nested models are here too, named `inner::link`, and move with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub name: String,
    /// Of the outermost model; a nested one has no say.
    pub is_static: bool,
    /// In the world frame.
    pub pose: Pose,
    /// Names are unique.
    pub links: Vec<Link>,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub name: String,
    /// In the model's frame.
    pub pose: Pose,
    pub inertial: Option<Inertial>,
    pub collisions: Vec<Collision>,
    pub visuals: Vec<Visual>,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inertial {
    /// Greater than 0.
    pub mass_kg: f64,
    /// Of the centre of mass, in the link's frame.
    pub pose: Pose,
    /// About the centre of mass; a possible one (positive definite).
    pub inertia: Option<Inertia>,
}

/// kg m².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    pub xx: f64,
    pub yy: f64,
    pub zz: f64,
    pub xy: f64,
    pub xz: f64,
    pub yz: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    pub name: String,
    /// In the link's frame.
    pub pose: Pose,
    pub geometry: Geometry,
    pub surface: Surface,
    pub place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surface {
    /// Along the first direction of friction.
    pub mu: Option<f64>,
    /// Across it.
    pub mu2: Option<f64>,
    /// From 0 to 1.
    pub restitution: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Visual {
    pub name: String,
    /// In the link's frame.
    pub pose: Pose,
    pub geometry: Geometry,
    pub material: Option<Material>,
    pub cast_shadows: Option<bool>,
    /// 0 = opaque, 1 = invisible.
    pub transparency: f64,
    pub place: Place,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    pub ambient: Option<Color>,
    pub diffuse: Option<Color>,
    pub specular: Option<Color>,
    pub emissive: Option<Color>,
    pub albedo_map: Option<Uri>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
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
    /// Its axis is z; `length_m` is that of the cylinder between the two half spheres.
    Capsule {
        radius_m: f64,
        length_m: f64,
    },
    Ellipsoid {
        radii_m: [f64; 3],
    },
    /// Endless as a collision, `size_m` large as a visual. `normal` has length 1.
    Plane {
        normal: [f64; 3],
        size_m: [f64; 2],
    },
    Mesh {
        uri: Uri,
        /// Not 0; negative mirrors.
        scale: [f64; 3],
        submesh: Option<Submesh>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submesh {
    pub name: String,
    /// Whether its middle is moved to the origin.
    pub center: bool,
}
