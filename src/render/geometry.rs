//! From instances to triangles on the picture: culling, vertex transform, clipping, sorting into bands.
//!
//! The visible chunks are sorted from near to far, so that most hidden pixels fail the depth test before they are shaded.
//! The work is cut into lanes of consecutive chunks; reading the lanes one after the other gives the same triangles in
//! the same order for any number of lanes.

use std::ops::Range;

use super::clip::{Corner, Polygon};
use super::light::GainTable;
use super::mesh::{Chunk, Mesh, Sphere, Vertex};
use super::triangle::{MAX_GAIN, ScreenCorner, Triangle, double_area, first_pixel, snap};
use super::view::{GUARD, View};
use super::{Instance, Material, Scene, Transform};

/// Rows of pixels per band, the unit of work of the rasteriser. Its colours and depths stay in the second-level cache.
pub(super) const BAND_ROWS: u32 = 24;

/// How much nearer one layer seems than the one below: more than the rounding of a depth, less than anyone can see.
const LAYER_STEP_PERSPECTIVE: f32 = 1.0 / 2048.0;
const LAYER_STEP_PARALLEL: f32 = 4e-6;

/// One visible instance, or its shadow.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    mesh: u32,
    pub material: Material,
    /// The shadow of an instance on the ground, which darkens what is there.
    pub shadow: bool,
    linear: [[f32; 3]; 3],
    translation: [f32; 3],
    /// Takes a normal to the world, not yet of unit length, and from there onto the direction to the sun.
    normal: [[f32; 3]; 3],
    to_sun: [f32; 3],
    mirrored: bool,
}

#[derive(Debug, Clone, Copy)]
struct VisibleChunk {
    /// Shadows come last, when the ground that they fall on has been drawn.
    shadow: bool,
    nearest: f32,
    draw: u32,
    chunk: u32,
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
            let place = a.shadow.cmp(&b.shadow).then(a.nearest.total_cmp(&b.nearest));
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
                self.chunks.push(VisibleChunk { shadow, nearest, draw, chunk: number as u32, triangles });
            }
        }
    }

    /// The chunks of lane `lane` of `lanes`, about the same number of triangles for each.
    fn part(&self, lane: usize, lanes: usize) -> Range<usize> {
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
        start..end
    }
}

/// The normal matrix without its size, which a tiny or huge scale would take out of the range of f32.
fn unit_scale(rows: [[f64; 3]; 3]) -> [[f32; 3]; 3] {
    let largest = rows.iter().flatten().fold(f64::MIN_POSITIVE, |a, v| a.max(v.abs()));
    rows.map(|row| row.map(|v| (v / largest) as f32))
}

/// Where a vertex lies; a triangle whose corners share one of the first five is not in the picture.
const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const ABOVE: u8 = 4;
const BELOW: u8 = 8;
const NEAR: u8 = 16;
/// Too far out for the rasteriser's integers.
const FAR_OUT: u8 = 32;

#[derive(Debug, Clone, Copy)]
struct Placed {
    corner: Corner,
    /// Pixel coordinates and closeness.
    screen: [f32; 3],
    code: u8,
}

/// The triangles of one part of the visible chunks.
#[derive(Debug, Default)]
pub(super) struct Lane {
    vertices: Vec<Placed>,
    pub triangles: Vec<Triangle>,
    /// For each band the triangles that touch it.
    pub bands: Vec<Vec<u32>>,
}

impl Lane {
    /// Forget the last frame, keep its memory.
    pub fn clear(&mut self, bands: usize) {
        self.triangles.clear();
        self.bands.iter_mut().for_each(Vec::clear);
        self.bands.resize_with(bands, Vec::new);
    }

    pub fn fill(
        &mut self,
        scene: &Scene,
        view: &View,
        gains: &GainTable,
        visible: &Visible,
        lane: usize,
        lanes: usize,
    ) {
        for entry in &visible.chunks[visible.part(lane, lanes)] {
            let draw = &visible.draws[entry.draw as usize];
            let Some(mesh) = scene.mesh(super::MeshId(draw.mesh)) else { continue };
            let Some(chunk) = mesh.chunks.get(entry.chunk as usize) else { continue };
            self.draw_chunk(mesh, chunk, &Pass { view, gains, draw, number: entry.draw });
        }
    }

    fn draw_chunk(&mut self, mesh: &Mesh, chunk: &Chunk, pass: &Pass) {
        self.vertices.clear();
        self.vertices.extend(mesh.vertices[chunk.vertices.clone()].iter().map(|v| pass.place(v)));
        for triangle in &mesh.triangles[chunk.triangles.clone()] {
            let [a, b, c] = triangle.map(|i| &self.vertices[usize::from(i)]);
            if a.code & b.code & c.code & !FAR_OUT != 0 {
                continue;
            }
            if (a.code | b.code | c.code) & (NEAR | FAR_OUT) == 0 {
                if let Some((triangle, rows)) = pass.triangle([a, b, c].map(|v| (&v.corner, v.screen))) {
                    self.push(triangle, rows);
                }
                continue;
            }
            let polygon = Polygon::cut([a.corner, b.corner, c.corner], pass.view);
            let corners = polygon.corners();
            for i in 2..corners.len() {
                let fan = [&corners[0], &corners[i - 1], &corners[i]];
                if let Some((triangle, rows)) = pass.triangle(fan.map(|c| (c, pass.view.project(c.position)))) {
                    self.push(triangle, rows);
                }
            }
        }
    }

    fn push(&mut self, triangle: Triangle, rows: Range<u32>) {
        let number = self.triangles.len() as u32;
        self.triangles.push(triangle);
        for band in rows.start / BAND_ROWS..=(rows.end - 1) / BAND_ROWS {
            self.bands[band as usize].push(number);
        }
    }
}

/// All that one chunk's triangles have in common.
struct Pass<'a> {
    view: &'a View,
    gains: &'a GainTable,
    draw: &'a Draw,
    number: u32,
}

impl Pass<'_> {
    #[inline(always)]
    fn place(&self, vertex: &Vertex) -> Placed {
        let dot = |row: [f32; 3], v: [f32; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        let Draw { linear, translation, normal, to_sun, .. } = self.draw;
        let position: [f32; 3] = std::array::from_fn(|i| dot(linear[i], vertex.position) + translation[i]);
        let n: [f32; 3] = std::array::from_fn(|i| dot(normal[i], vertex.normal));
        let cosine = dot(n, *to_sun) / dot(n, n).sqrt().max(f32::MIN_POSITIVE);
        let corner = Corner { position, uv: vertex.uv, cosine };
        let screen = self.view.project(position);
        let [x, y, _] = screen;
        let flag = |condition: bool, bit: u8| if condition { bit } else { 0 };
        // Behind the near plane the projection means nothing. Written so that what is not a number is cut away.
        let code = if position[2] >= self.view.near {
            flag(x < 0.0, LEFT)
                | flag(x > self.view.width as f32, RIGHT)
                | flag(y < 0.0, ABOVE)
                | flag(y > self.view.height as f32, BELOW)
                | flag(!(x.abs() <= GUARD && y.abs() <= GUARD), FAR_OUT)
        } else {
            NEAR
        };
        Placed { corner, screen, code }
    }

    /// The triangle and the rows that it touches; nothing if no centre of a pixel can lie in it or if it looks away.
    #[inline(always)]
    fn triangle(&self, corners: [(&Corner, [f32; 3]); 3]) -> Option<(Triangle, Range<u32>)> {
        let material = &self.draw.material;
        let mut c = [ScreenCorner::default(); 3];
        for (to, (_, screen)) in c.iter_mut().zip(&corners) {
            to.x = snap(screen[0])?;
            to.y = snap(screen[1])?;
            to.closeness = screen[2];
        }
        let span = |values: [i32; 3], limit: u32| {
            let low = values[0].min(values[1]).min(values[2]);
            let high = values[0].max(values[1]).max(values[2]);
            let (first, last) = (first_pixel(low).max(0), first_pixel(high).min(limit as i32));
            (first < last).then_some(first as u32..last as u32)
        };
        let rows = span(c.map(|c| c.y), self.view.height)?;
        span(c.map(|c| c.x), self.view.width)?;
        let area = double_area(&c);
        let front = (area < 0) != self.draw.mirrored;
        if area == 0 || !(front || material.two_sided) {
            return None;
        }
        let step = if self.view.parallel { LAYER_STEP_PARALLEL } else { LAYER_STEP_PERSPECTIVE };
        let layer = 1.0 + f32::from(material.layer) * step;
        for (to, (corner, _)) in c.iter_mut().zip(&corners) {
            to.closeness *= layer;
            to.uv = corner.uv;
            to.gain = if self.draw.shadow {
                self.gains.shadow_gain().map(gain)
            } else {
                let light = self.gains.at(if front { corner.cosine } else { -corner.cosine });
                std::array::from_fn(|k| gain(material.diffuse[k] * light[k] + material.emissive[k]))
            };
        }
        let textured = material.texture.is_some();
        Some((Triangle::new(&c, area, !self.view.parallel, textured, self.number), rows))
    }
}

/// In 256ths; what is not a number is black.
#[inline(always)]
fn gain(factor: f32) -> f32 {
    if factor.is_nan() { 0.0 } else { (factor * 256.0).clamp(0.0, MAX_GAIN) }
}
