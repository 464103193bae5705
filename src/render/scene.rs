//! What there is to see.
//!
//! Meshes and textures are shared and never change; instances are plain values that may be changed before every frame at
//! no cost. Cloning a scene copies its instances only, so a frame can be drawn beside a world that goes on.

use std::sync::Arc;

use super::{Background, Light, Mesh, Texture, Transform};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MeshId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextureId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InstanceId(pub(super) u32);

/// How a surface looks: texture times (`diffuse` times light plus `emissive`). Colours are sRGB values, 1.0 is full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    pub diffuse: [f32; 3],
    /// Light of its own: black `diffuse` with some `emissive` is a lamp, which no sun changes.
    pub emissive: [f32; 3],
    pub texture: Option<TextureId>,
    /// Visible from behind as well, lit on the side that is seen.
    pub two_sided: bool,
    /// Where surfaces lie in one plane, the higher layer is seen: markings on a floor.
    pub layer: u8,
}

impl Material {
    pub const WHITE: Self = Self { diffuse: [1.0; 3], emissive: [0.0; 3], texture: None, two_sided: false, layer: 0 };

    pub fn colour(diffuse: [f32; 3]) -> Self {
        Self { diffuse, ..Self::WHITE }
    }

    pub fn textured(texture: TextureId) -> Self {
        Self { texture: Some(texture), ..Self::WHITE }
    }

    /// Unlit, always of exactly this colour.
    pub fn lamp(emissive: [f32; 3]) -> Self {
        Self { diffuse: [0.0; 3], emissive, ..Self::WHITE }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self::WHITE
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    pub mesh: MeshId,
    pub material: Material,
    pub world_from_mesh: Transform,
    pub visible: bool,
    /// Darkens the shadow plane of the scene. Not for the ground itself, which would lie in its own shadow.
    pub casts_shadow: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Scene {
    pub light: Light,
    pub background: Background,
    /// Height of the level ground on which shadows fall; none for a world without shadows.
    pub shadow_plane_m: Option<f64>,
    meshes: Vec<Arc<Mesh>>,
    textures: Vec<Arc<Texture>>,
    instances: Vec<Instance>,
}

impl Scene {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add_mesh(&mut self, mesh: impl Into<Arc<Mesh>>) -> MeshId {
        self.meshes.push(mesh.into());
        MeshId(last_index(self.meshes.len()))
    }

    pub fn add_texture(&mut self, texture: impl Into<Arc<Texture>>) -> TextureId {
        self.textures.push(texture.into());
        TextureId(last_index(self.textures.len()))
    }

    pub fn add_instance(&mut self, mesh: MeshId, material: Material, world_from_mesh: Transform) -> InstanceId {
        self.instances.push(Instance { mesh, material, world_from_mesh, visible: true, casts_shadow: false });
        InstanceId(last_index(self.instances.len()))
    }

    /// Nothing for the id of another scene that has more instances than this one.
    pub fn instance_mut(&mut self, id: InstanceId) -> Option<&mut Instance> {
        self.instances.get_mut(id.0 as usize)
    }

    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    pub fn mesh(&self, id: MeshId) -> Option<&Arc<Mesh>> {
        self.meshes.get(id.0 as usize)
    }

    pub fn texture(&self, id: TextureId) -> Option<&Arc<Texture>> {
        self.textures.get(id.0 as usize)
    }
}

fn last_index(length: usize) -> u32 {
    u32::try_from(length - 1).expect("four thousand million entries do not fit into memory")
}
