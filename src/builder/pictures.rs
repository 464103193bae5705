//! Pictures of the finished world from straight above: a small one with everything in it, and a large one of the bare floor,
//! for printing.

use std::collections::BTreeMap;

use super::error::BuildError;
use super::fence::THICKNESS_M;
use super::files::FileTree;
use super::objects::Object;
use super::png;
use super::surface::{Paint, Surface};
use super::track::Track;
use crate::render::{
    Background, Camera, Material, Mesh, MeshData, Picture, RenderOptions, Renderer, Scene, Texture, TextureId,
    Transform,
};

/// Longest side of the small picture.
const ICON_PIXELS: f64 = 640.0;
/// Longest side of the large one.
const PRINT_PIXELS: f64 = 2400.0;
const PRINT_QUALITY: u8 = 80;
/// From where the camera looks down.
const TOP_M: f64 = 20.0;

/// What is to be seen, and the files its textures are in.
pub struct View<'a> {
    pub track: &'a Track,
    pub floor: &'a [Surface],
    pub fence: Option<&'a Surface>,
    pub objects: &'a [Object],
    pub bundle: &'a FileTree,
    pub shared: &'a FileTree,
}

impl View<'_> {
    /// With fence, objects and shadows; a PNG file.
    pub fn icon(&self) -> Result<Vec<u8>, BuildError> {
        let mut stage = Stage::new(self);
        stage.scene.shadow_plane_m = Some(0.0);
        self.floor.iter().try_for_each(|surface| stage.add(surface, Transform::IDENTITY, false))?;
        self.fence.iter().try_for_each(|fence| stage.add(fence, Transform::IDENTITY, true))?;
        for object in self.objects {
            let (sin, cos) = libm::sincos(object.place.yaw_rad);
            let place = Transform {
                linear: [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]],
                translation: [object.place.at[0], object.place.at[1], object.z()],
            };
            object.surfaces.iter().try_for_each(|surface| stage.add(surface, place, true))?;
        }
        let margin = if self.fence.is_some() { 2.0 * THICKNESS_M } else { 0.0 };
        let picture = stage.take(self.track.size_m.map(|side| side + margin), ICON_PIXELS, 3);
        Ok(png::encode_rgb(picture.width as usize, &picture.rgb))
    }

    /// The floor alone, evenly lit; a JPEG file.
    pub fn print(&self) -> Result<Vec<u8>, BuildError> {
        let mut stage = Stage::new(self);
        stage.scene.light.sun = [0.0; 3];
        stage.scene.light.ambient = [1.0; 3];
        self.floor.iter().try_for_each(|surface| stage.add(surface, Transform::IDENTITY, false))?;
        let picture = stage.take(self.track.size_m, PRINT_PIXELS, 2);
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, PRINT_QUALITY);
        encoder.set_optimized_huffman_tables(true);
        let [width, height] = [picture.width, picture.height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let outcome = encoder.encode(&picture.rgb, width, height, jpeg_encoder::ColorType::Rgb);
        outcome.map_err(|err| BuildError::Drawing(err.to_string()))?;
        Ok(file)
    }
}

struct Stage<'a> {
    view: &'a View<'a>,
    scene: Scene,
    textures: BTreeMap<String, TextureId>,
}

impl<'a> Stage<'a> {
    fn new(view: &'a View<'a>) -> Self {
        let mut scene = Scene::new();
        scene.background = Background::Plain([255; 3]);
        Self { view, scene, textures: BTreeMap::new() }
    }

    fn add(&mut self, surface: &Surface, place: Transform, casts_shadow: bool) -> Result<(), BuildError> {
        let data = MeshData {
            positions: surface.positions.iter().map(|p| p.map(|v| v as f32)).collect(),
            normals: surface.normals.iter().map(|n| n.map(|v| v as f32)).collect(),
            uvs: surface.uvs.iter().map(|t| t.map(|v| v as f32)).collect(),
            indices: surface.triangles.as_flattened().to_vec(),
        };
        let mesh = Mesh::new(&data).map_err(|err| BuildError::Drawing(err.to_string()))?;
        let mesh = self.scene.add_mesh(mesh);
        let material = match &surface.paint {
            Paint::Color(color) => Material::colour(color.parts().map(|part| part as f32)),
            Paint::Texture(path) => Material::textured(self.texture(path)?),
        };
        let id = self.scene.add_instance(mesh, material, place);
        if let Some(instance) = self.scene.instance_mut(id) {
            instance.casts_shadow = casts_shadow;
        }
        Ok(())
    }

    fn texture(&mut self, path: &str) -> Result<TextureId, BuildError> {
        if let Some(known) = self.textures.get(path) {
            return Ok(*known);
        }
        let bytes = self.view.bundle.get(path).or(self.view.shared.get(path));
        let bytes = bytes.ok_or_else(|| BuildError::Drawing(format!("there is no picture {path}")))?;
        let texture = Texture::decode(bytes).map_err(|err| BuildError::Drawing(format!("{path}: {err}")))?;
        let id = self.scene.add_texture(texture);
        self.textures.insert(path.to_owned(), id);
        Ok(id)
    }

    fn take(&self, size_m: [f64; 2], longest: f64, supersample: u32) -> Picture {
        let scale = longest / size_m[0].max(size_m[1]);
        let [width, height] = size_m.map(|side| ((side * scale).round() as u32).max(2));
        let camera = Camera::top_down([0.0, 0.0], TOP_M, size_m[0], width, height);
        let options = RenderOptions { supersample, threads: 1, ..RenderOptions::default() };
        Renderer::new(options).render(&self.scene, &camera)
    }
}
