//! Which parts of a scene can be in the picture, and in which order they are drawn.
//!
//! The upper layers first and from near to far, so that most hidden pixels fail the depth test before they are shaded: the field
//! under a road costs nothing. Shadows at the end.

use super::light::GainTable;
use super::mesh::{Mesh, Sphere};
use super::view::View;
use super::{Instance, Material, Scene, Transform};

/// One visible instance, or its shadow.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    pub mesh: u32,
    pub material: Material,
    /// The shadow of an instance on the ground, which darkens what is there.
    pub shadow: bool,
    pub linear: [[f32; 3]; 3],
    pub translation: [f32; 3],
    /// Takes a normal to the world, not yet of unit length, and from there onto the direction to the sun.
    pub normal: [[f32; 3]; 3],
    pub to_sun: [f32; 3],
    pub mirrored: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct VisibleChunk {
    /// Shadows come last, when the ground that they fall on has been drawn.
    shadow: bool,
    layer: u8,
    nearest: f32,
    pub draw: u32,
    pub chunk: u32,
    triangles: u32,
}

/// What is to be drawn in this frame.
#[derive(Debug, Default)]
pub(super) struct Visible {
    pub draws: Vec<Draw>,
    chunks: Vec<VisibleChunk>,
    pub triangles: usize,
}

impl Visible {
    pub fn collect(&mut self, scene: &Scene, view: &View, gains: &GainTable) {
        self.draws.clear();
        self.chunks.clear();
        self.triangles = 0;
        let shadow = scene.shadow_plane_m.and_then(|plane| gains.shadow_on(plane));
        for instance in scene.instances() {
            let Some(mesh) = scene.mesh(instance.mesh).filter(|_| instance.visible) else { continue };
            self.add(mesh, instance, &instance.world_from_mesh, view, gains, false);
            if let Some(shadow) = shadow.filter(|_| instance.casts_shadow) {
                self.add(mesh, instance, &shadow.after(&instance.world_from_mesh), view, gains, true);
            }
        }
        self.chunks.sort_unstable_by(|a, b| {
            let place = a.shadow.cmp(&b.shadow).then(b.layer.cmp(&a.layer)).then(a.nearest.total_cmp(&b.nearest));
            place.then(a.draw.cmp(&b.draw)).then(a.chunk.cmp(&b.chunk))
        });
    }

    fn add(
        &mut self,
        mesh: &Mesh,
        instance: &Instance,
        world_from_mesh: &Transform,
        view: &View,
        gains: &GainTable,
        shadow: bool,
    ) {
        let optical_from_mesh = view.optical_from_world.after(world_from_mesh);
        if !optical_from_mesh.is_finite() || mesh.triangles.is_empty() {
            return;
        }
        let stretch = optical_from_mesh.max_stretch();
        let seen = |s: &Sphere| {
            let sphere = Sphere { centre: optical_from_mesh.point(s.centre), radius: s.radius * stretch };
            view.may_see(&sphere).then_some((sphere.centre[2] - sphere.radius) as f32)
        };
        if seen(&mesh.bounds).is_none() {
            return;
        }
        let draw = self.draws.len() as u32;
        self.draws.push(Draw {
            mesh: instance.mesh.0,
            material: if shadow { Material { two_sided: true, ..Material::WHITE } } else { instance.material },
            shadow,
            linear: optical_from_mesh.linear.map(|row| row.map(|v| v as f32)),
            translation: optical_from_mesh.translation.map(|v| v as f32),
            normal: unit_scale(world_from_mesh.cofactors()),
            to_sun: gains.to_sun.map(|v| v as f32),
            mirrored: optical_from_mesh.determinant() < 0.0,
        });
        for (number, chunk) in mesh.chunks.iter().enumerate() {
            if let Some(nearest) = seen(&chunk.bounds) {
                let triangles = chunk.triangles.len() as u32;
                self.triangles += triangles as usize;
                let layer = instance.material.layer;
                self.chunks.push(VisibleChunk { shadow, layer, nearest, draw, chunk: number as u32, triangles });
            }
        }
    }

    /// The chunks of lane `lane` of `lanes`, about the same number of triangles for each.
    pub fn part(&self, lane: usize, lanes: usize) -> &[VisibleChunk] {
        let boundary = |number: usize| {
            let goal = self.triangles * number / lanes;
            let mut before = 0;
            self.chunks
                .iter()
                .position(|c| {
                    before += c.triangles as usize;
                    before > goal
                })
                .unwrap_or(self.chunks.len())
        };
        let end = if lane + 1 == lanes { self.chunks.len() } else { boundary(lane + 1) };
        let start = if lane == 0 { 0 } else { boundary(lane) };
        &self.chunks[start..end]
    }
}

/// The normal matrix without its size, which a tiny or huge scale would take out of the range of f32.
fn unit_scale(rows: [[f64; 3]; 3]) -> [[f32; 3]; 3] {
    let largest = rows.iter().flatten().fold(f64::MIN_POSITIVE, |a, v| a.max(v.abs()));
    rows.map(|row| row.map(|v| (v / largest) as f32))
}
