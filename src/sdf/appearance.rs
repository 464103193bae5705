//! How the parts of a world look, by rules that every picture of it follows: the car's camera and the page alike.

use nalgebra::{UnitQuaternion, Vector3};

use super::tree::{Color, Geometry, LightKind, Material, World};
use crate::domain::Pose;

/// The yellow disc fills this share of the screen's width and stands this far in front of it.
const DISC_SHARE: f64 = 0.6;
const DISC_GAP_M: f64 = 0.004;
/// Colours that differ less than this are a grey.
const GREY: f32 = 0.02;
/// A plane that leans less than this is level ground.
const LEVEL: f64 = 1e-3;

/// The first directional light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sunlight {
    /// The way the light travels, in the world; not of length 1.
    pub direction: [f64; 3],
    /// The strongest part is 1.
    pub tint: [f32; 3],
}

pub fn sunlight(world: &World) -> Option<Sunlight> {
    let sun = world.lights.iter().find(|light| light.kind == LightKind::Directional)?;
    let direction = sun.pose.orientation * Vector3::from(sun.direction.unwrap_or([0.0, 0.0, -1.0]));
    let tint = sun.diffuse.map_or([1.0; 3], |[r, g, b, _]| {
        let strongest = r.max(g).max(b);
        if strongest > 0.0 { [r / strongest, g / strongest, b / strongest] } else { [1.0; 3] }
    });
    Some(Sunlight { direction: direction.into(), tint })
}

/// The colour behind everything; `None` where the sky is meant. A grey is what editors write by themselves: the sky, too.
pub fn plain_background(world: &World) -> Option<[f32; 3]> {
    let [r, g, b, _] = world.scene.background.filter(|_| !world.scene.sky)?;
    let is_grey = (r - g).abs() < GREY && (g - b).abs() < GREY;
    (!is_grey).then_some([r, g, b])
}

/// Colours of a surface, sRGB from 0 to 1: texture times (`diffuse` times light plus `emissive`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceColours {
    pub diffuse: [f32; 3],
    pub emissive: [f32; 3],
}

/// What a visual's material says; `None` when it says nothing about how the visual looks.
pub fn surface(material: &Material, has_texture: bool) -> Option<SurfaceColours> {
    let is_silent = material.diffuse.is_none() && material.emissive.is_none() && material.ambient.is_none();
    if is_silent && !has_texture {
        return None;
    }
    let rgb = |[r, g, b, _]: Color| [r, g, b];
    Some(SurfaceColours {
        diffuse: material.diffuse.or(material.ambient).map_or([1.0; 3], rgb),
        emissive: material.emissive.map_or([0.0; 3], rgb),
    })
}

/// The disc that a traffic light shows while it is yellow. Its axis is z, as that of every cylinder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YellowDisc {
    pub screen_from_disc: Pose,
    pub radius_m: f64,
}

/// In front of the middle of the screen, which looks along the shorter of its level sides.
pub fn yellow_disc(screen: &Geometry) -> Option<YellowDisc> {
    let Geometry::Box { size_m } = screen else { return None };
    let thin = if size_m[0] <= size_m[1] { 0 } else { 1 };
    let quarter = std::f64::consts::FRAC_PI_2;
    let (roll, pitch) = if thin == 0 { (0.0, quarter) } else { (quarter, 0.0) };
    let mut position = Vector3::zeros();
    position[thin] = size_m[thin] / 2.0 + DISC_GAP_M;
    let orientation = UnitQuaternion::from_euler_angles(roll, pitch, 0.0);
    let radius_m = size_m[1 - thin].min(size_m[2]) * DISC_SHARE / 2.0;
    Some(YellowDisc { screen_from_disc: Pose { position, orientation }, radius_m })
}

/// Whether this is a plane on which things can stand.
pub fn is_level(world_from_plane: &Pose, geometry: &Geometry) -> bool {
    let Geometry::Plane { normal, .. } = geometry else { return false };
    (world_from_plane.orientation * Vector3::from(*normal)).z > 1.0 - LEVEL
}
