//! What all worlds have in common and no bundle carries: the meshes of the default objects and the pictures of the ground.
//!
//! Worlds name these files by their paths from the top folder, so the paths never change.

use super::collada;
use super::files::FileTree;
use super::solids;
use super::surface::{Paint, Surface};
use super::textures;
use super::track::Color;

pub const ASPHALT: &str = "meshes/world_builder/textures/asphalt.png";
pub const CARPET: &str = "meshes/world_builder/textures/carpet.png";
pub const GRASS: &str = "meshes/world_builder/textures/grass.png";
pub const WHITE_LINE: &str = "meshes/world_builder/textures/line_white.png";
pub const CHECKER: &str = "meshes/world_builder/textures/start_line.png";

pub const BOX: &str = "meshes/vehicle_box_obstacle/vehicle_box_obstacle.dae";
pub const BALL: &str = "meshes/vehicle_ball/vehicle_ball.dae";
pub const CONE: &str = "meshes/vehicle_cone/vehicle_cone.dae";

const BOX_PICTURE: &str = "meshes/vehicle_box_obstacle/vehicle_box_obstacle.png";
const BALL_PICTURE: &str = "meshes/vehicle_ball/vehicle_ball.png";
const CONE_PICTURE: &str = "meshes/vehicle_cone/vehicle_cone.png";

/// Of the mesh, and of a box that says nothing else.
pub const BOX_M: [f64; 3] = [0.2, 0.2, 0.2];
pub const BALL_DIAMETER_M: f64 = 0.22;
pub const CONE_BASE_M: f64 = 0.135;
pub const CONE_HEIGHT_M: f64 = 0.23;
/// Of a cone's base plate and top.
pub const CONE_COLOR: Color = Color([236, 96, 28]);

/// Makes the bytes of a picture file.
type Drawing = fn() -> Vec<u8>;

/// The skin of a box that has none of its own.
pub fn box_paint() -> Paint {
    Paint::Texture(BOX_PICTURE.to_owned())
}

pub fn ball_paint() -> Paint {
    Paint::Texture(BALL_PICTURE.to_owned())
}

pub fn cone_paint() -> Paint {
    Paint::Texture(CONE_PICTURE.to_owned())
}

/// The shared folder.
pub fn files() -> FileTree {
    let mut files = FileTree::default();
    let pictures: [(&str, Drawing); 8] = [
        (ASPHALT, textures::asphalt),
        (CARPET, textures::carpet),
        (GRASS, textures::grass),
        (WHITE_LINE, textures::white_line),
        (CHECKER, textures::checker),
        (BOX_PICTURE, textures::obstacle_box),
        (BALL_PICTURE, textures::ball),
        (CONE_PICTURE, textures::cone),
    ];
    for (path, draw) in pictures {
        files.add(path, draw());
    }
    let mut mesh = |path: &str, surfaces: &[Surface]| files.add(path, collada::write(surfaces).into_bytes());
    mesh(BOX, &solids::cuboid(BOX_M, std::array::from_fn(|_| box_paint())));
    mesh(BALL, &solids::sphere(BALL_DIAMETER_M / 2.0, ball_paint()));
    mesh(CONE, &solids::cone(CONE_BASE_M, CONE_HEIGHT_M, cone_paint(), Paint::Color(CONE_COLOR)));
    files
}
