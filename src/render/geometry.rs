//! From visible chunks to triangles on the picture: vertex transform, clipping, sorting into bands.
//!
//! The work is cut into lanes of consecutive chunks; reading the lanes one after the other gives the same triangles in
//! the same order for any number of lanes.

use std::ops::Range;

use super::Scene;
use super::clip::{Corner, Polygon};
use super::light::GainTable;
use super::mesh::{Chunk, Mesh, Vertex};
use super::triangle::{MAX_GAIN, ScreenCorner, Triangle, double_area, first_pixel, snap};
use super::view::{GUARD, View};
use super::visible::{Draw, Visible};

/// Rows of pixels per band, the unit of work of the rasteriser. Its colours and depths stay in the second-level cache.
pub(super) const BAND_ROWS: u32 = 24;

/// How much nearer one layer seems than the one below: more than the rounding of a depth, less than anyone can see.
const LAYER_STEP_PERSPECTIVE: f32 = 1.0 / 2048.0;
const LAYER_STEP_PARALLEL: f32 = 4e-6;

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
        for entry in visible.part(lane, lanes) {
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
