//! The renderer, against closed-form answers.

mod coverage;
mod files;
mod frame;
mod limits;
mod road;
mod surface;

use sim_api::domain::Pose;
use sim_api::render::{
    Background, Camera, Material, Mesh, MeshData, Picture, RenderOptions, Renderer, Scene, Texture, Transform,
};

const BACKGROUND: [u8; 3] = [255, 0, 255];
const FOV: f64 = 100.0 * std::f64::consts::PI / 180.0;

/// A scene whose background is a colour that nothing else has.
fn empty_scene() -> Scene {
    let mut scene = Scene::new();
    scene.background = Background::Plain(BACKGROUND);
    scene
}

/// At the origin, looking along +x.
fn camera() -> Camera {
    Camera::forward_from(&Pose::default(), FOV, 480, 360)
}

fn render(scene: &Scene, camera: &Camera) -> Picture {
    Renderer::new(RenderOptions::default()).render(scene, camera)
}

/// Four corners, counter-clockwise for who sees the front; the texture's bottom left is at the first.
fn quad(corners: [[f32; 3]; 4]) -> Mesh {
    road::mesh(&MeshData {
        positions: corners.to_vec(),
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..MeshData::default()
    })
}

/// Across the x axis, facing the origin.
fn wall(distance: f32, half_width: f32, half_height: f32) -> Mesh {
    let (d, w, h) = (distance, half_width, half_height);
    quad([[d, w, -h], [d, -w, -h], [d, -w, h], [d, w, h]])
}

fn add(scene: &mut Scene, mesh: Mesh, material: Material) {
    let mesh = scene.add_mesh(mesh);
    scene.add_instance(mesh, material, Transform::IDENTITY);
}

/// An unlit texture, so that its values can be read off the picture.
fn unlit(scene: &mut Scene, texture: Texture) -> Material {
    let texture = scene.add_texture(texture);
    Material { texture: Some(texture), ..Material::lamp([1.0; 3]) }
}

fn pixels(picture: &Picture) -> impl Iterator<Item = [u8; 3]> {
    picture.rgb.as_chunks::<3>().0.iter().copied()
}

/// A sequence without pattern, the same in every run; 0 to 1.
fn noise(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as f32 / (1 << 24) as f32
}
