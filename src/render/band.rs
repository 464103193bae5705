//! One band of the picture: drawing its triangles, filling what is left with sky, and handing out the pixels.

use super::Scene;
use super::fixed::round;
use super::geometry::{BAND_ROWS, Lane};
use super::scan::scan;
use super::shade::{GROUP, Row, Surface, shade};
use super::sky::{ENTRIES, HALF, SkyTable};
use super::view::View;
use super::visible::Visible;

/// How far above or below its plane a surface may lie and still be in the shadow.
const SHADOW_REACH_M: f32 = 0.005;

/// The scratch memory of one worker.
#[derive(Debug, Default)]
pub(super) struct Band {
    closeness: Vec<f32>,
    colour: Vec<u32>,
}

/// What all bands of a frame have in common.
pub(super) struct Frame<'a> {
    pub scene: &'a Scene,
    pub view: &'a View,
    pub visible: &'a Visible,
    pub lanes: &'a [Lane],
    pub sky: &'a SkyTable,
    pub supersample: u32,
    /// Final value of each 8-bit value.
    pub brightness: &'a [u8; 256],
}

impl Frame<'_> {
    /// How much the closeness of the ground may differ from that of the shadow plane, relative to it.
    fn shadow_tolerance(&self) -> f32 {
        let below = match self.scene.shadow_plane_m {
            Some(plane) if !self.view.parallel => (self.view.eye_height - plane).abs() as f32,
            _ => self.view.far - self.view.near,
        };
        SHADOW_REACH_M / below.max(4.0 * SHADOW_REACH_M)
    }
}

impl Band {
    /// Draws band `number` into its part of the picture, rgb8.
    pub fn draw(&mut self, frame: &Frame, number: usize, out: &mut [u8]) {
        let view = frame.view;
        let first = number as u32 * BAND_ROWS;
        let rows = BAND_ROWS.min(view.height - first) as usize;
        let stride = view.width as usize + GROUP;
        self.closeness.clear();
        self.closeness.resize(stride * rows, 0.0);
        self.colour.resize(stride * BAND_ROWS as usize, 0);
        for lane in frame.lanes {
            for index in &lane.bands[number] {
                let triangle = &lane.triangles[*index as usize];
                let draw = &frame.visible.draws[triangle.draw as usize];
                let texture = draw.material.texture.and_then(|id| frame.scene.texture(id));
                let surface = match texture {
                    _ if draw.shadow => Surface::Shadow { tolerance: frame.shadow_tolerance() },
                    None => Surface::Plain,
                    Some(texture) if view.parallel => Surface::Parallel(texture),
                    Some(texture) => Surface::Perspective(texture),
                };
                let first = first as i32;
                scan(triangle, first..first + rows as i32, view.width as i32, |row, columns| {
                    let start = (row - first) as usize * stride;
                    let row = Row {
                        number: row,
                        closeness: &mut self.closeness[start..start + stride],
                        colour: &mut self.colour[start..start + stride],
                    };
                    shade(triangle, surface, row, columns.start as usize..columns.end as usize);
                });
            }
        }
        for row in 0..rows {
            let start = row * stride;
            let cells = start..start + stride;
            fill(frame, first + row as u32, &self.closeness[cells.clone()], &mut self.colour[cells]);
        }
        self.resolve(frame, stride, out);
    }

    /// Averages supersampled pixels and applies the brightness.
    fn resolve(&self, frame: &Frame, stride: usize, out: &mut [u8]) {
        let factor = frame.supersample as usize;
        let width = frame.view.width as usize / factor;
        for (row, line) in out.chunks_exact_mut(width * 3).enumerate() {
            if factor == 1 {
                let source = &self.colour[row * stride..row * stride + width];
                for (pixel, colour) in line.as_chunks_mut::<3>().0.iter_mut().zip(source) {
                    let [r, g, b, _] = colour.to_le_bytes();
                    *pixel = [r, g, b].map(|v| frame.brightness[usize::from(v)]);
                }
                continue;
            }
            for (column, pixel) in line.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let mut sum = [0u32; 3];
                for y in row * factor..(row + 1) * factor {
                    let start = y * stride + column * factor;
                    for colour in &self.colour[start..start + factor] {
                        for (total, value) in sum.iter_mut().zip(colour.to_le_bytes()) {
                            *total += u32::from(value);
                        }
                    }
                }
                let count = (factor * factor) as u32;
                *pixel = sum.map(|s| frame.brightness[((s + count / 2) / count) as usize]);
            }
        }
    }
}

/// Sky where nothing has been drawn. The rows are long enough for whole groups.
fn fill(frame: &Frame, row: u32, closeness: &[f32], colour: &mut [u32]) {
    let view = frame.view;
    let plain = frame.sky.plain();
    let y = (row as f32 + 0.5 - view.centre[1]) / view.focal;
    let level = view.up[1] * y + view.up[2];
    let scale = 1.0 / view.focal;
    let groups = closeness.as_chunks::<GROUP>().0.iter().zip(colour.as_chunks_mut::<GROUP>().0);
    for (group, (near, colours)) in groups.enumerate() {
        let covered = near.map(|n| u32::from(n > 0.0)).iter().sum::<u32>();
        if covered == GROUP as u32 {
            continue;
        }
        let first = (group * GROUP) as f32 + 0.5 - view.centre[0];
        let index: [u32; GROUP] = std::array::from_fn(|i| {
            let x = (first + i as f32) * scale;
            let sine = (view.up[0] * x + level) / (x * x + y * y + 1.0).sqrt();
            round((sine + 1.0) * HALF as f32) as u32
        });
        for i in 0..GROUP {
            let sky = if view.parallel { plain } else { frame.sky.entries[index[i] as usize % ENTRIES] };
            colours[i] = if near[i] > 0.0 { colours[i] } else { sky };
        }
    }
}
