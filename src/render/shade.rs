//! Depth test and colour of a run of pixels, eight at a time.
//!
//! What eight neighbours need (closeness, texture coordinates, light) is computed in loops over small arrays, which the
//! compiler turns into vector instructions; only the reading of the texture is done pixel by pixel.

use std::ops::Range;

use super::Texture;
use super::fixed::round;
use super::sample::{Footprint, Slope, to_fixed};
use super::triangle::{Gain, MAX_GAIN, Plane, Triangle};

/// Pixels shaded together. Rows of the buffers are that much longer than the picture is wide.
pub(super) const GROUP: usize = 8;

/// Marks a colour that is in the shadow already, so that overlapping shadows do not add up.
const SHADED: u32 = 1 << 24;

/// One row of a band.
pub(super) struct Row<'a> {
    pub number: i32,
    /// 0 where nothing has been drawn yet.
    pub closeness: &'a mut [f32],
    pub colour: &'a mut [u32],
}

/// A plane along one row.
#[derive(Clone, Copy)]
struct Line {
    at_left: f64,
    right: f64,
}

impl Line {
    fn new(plane: &Plane, row: i32) -> Self {
        Self { at_left: plane.at_origin + plane.down * f64::from(row), right: plane.right }
    }

    /// The values at a group of pixels.
    #[inline(always)]
    fn group(&self, column: usize) -> [f32; GROUP] {
        let first = (self.at_left + self.right * column as f64) as f32;
        let step = self.right as f32;
        std::array::from_fn(|i| first + step * i as f32)
    }
}

/// The texture, with whether the pixels see it in perspective.
#[derive(Clone, Copy)]
pub(super) enum Surface<'a> {
    Plain,
    /// Darkens what lies on the shadow plane instead of covering it.
    Shadow {
        tolerance: f32,
    },
    Perspective(&'a Texture),
    Parallel(&'a Texture),
}

pub(super) fn shade(t: &Triangle, surface: Surface, row: Row, columns: Range<usize>) {
    let closeness = Line::new(&t.closeness, row.number);
    let uv = [Line::new(&t.uv[0], row.number), Line::new(&t.uv[1], row.number)];
    let mut column = columns.start;
    while column < columns.end {
        let count = GROUP.min(columns.end - column);
        let near = closeness.group(column);
        let (Some(stored), Some(colours)) =
            (row.closeness[column..].first_chunk_mut::<GROUP>(), row.colour[column..].first_chunk_mut::<GROUP>())
        else {
            return;
        };
        if let Surface::Shadow { tolerance } = surface {
            let light = light(&t.gain, row.number, column);
            for i in 0..count {
                let on_plane = (near[i] - stored[i]).abs() <= stored[i] * tolerance;
                if on_plane && colours[i] & SHADED == 0 {
                    let [r, g, b, _] = colours[i].to_le_bytes().map(u32::from);
                    colours[i] = lit([r, g, b], &light, i) | SHADED;
                }
            }
            column += count;
            continue;
        }
        let mut seen = 0u32;
        for i in 0..GROUP {
            seen |= u32::from(near[i] > stored[i]) << i;
        }
        seen &= (1 << count) - 1;
        if seen != 0 {
            let light = light(&t.gain, row.number, column);
            match surface {
                Surface::Plain | Surface::Shadow { .. } => {
                    for i in 0..GROUP {
                        let visible = seen >> i & 1 != 0;
                        stored[i] = if visible { near[i] } else { stored[i] };
                        colours[i] = if visible { lit([255; 3], &light, i) } else { colours[i] };
                    }
                }
                Surface::Perspective(texture) => {
                    let depth = near.map(|n| 1.0 / n);
                    let [u, v] = uv.map(|line| {
                        let values = line.group(column);
                        std::array::from_fn(|i| values[i] * depth[i])
                    });
                    let slope = perspective_slope(t, [u[count / 2], v[count / 2]], depth[count / 2]);
                    textured(texture, slope, &[u, v], &light, seen, &near, stored, colours);
                }
                Surface::Parallel(texture) => {
                    let [u, v] = uv.map(|line| line.group(column));
                    let slope = Slope {
                        right: [t.uv[0].right as f32, t.uv[1].right as f32],
                        down: [t.uv[0].down as f32, t.uv[1].down as f32],
                    };
                    textured(texture, slope, &[u, v], &light, seen, &near, stored, colours);
                }
            }
        }
        column += count;
    }
}

/// How the texture coordinates change from pixel to pixel at one of them.
fn perspective_slope(t: &Triangle, uv: [f32; 2], depth: f32) -> Slope {
    let (right, down) = (t.closeness.right as f32, t.closeness.down as f32);
    Slope {
        right: [0, 1].map(|i| (t.uv[i].right as f32 - uv[i] * right) * depth),
        down: [0, 1].map(|i| (t.uv[i].down as f32 - uv[i] * down) * depth),
    }
}

#[allow(clippy::too_many_arguments, reason = "one call of the innermost loop, split off for its two callers")]
#[inline(never)]
fn textured(
    texture: &Texture,
    slope: Slope,
    uv: &[[f32; GROUP]; 2],
    light: &Lights,
    mut seen: u32,
    near: &[f32; GROUP],
    stored: &mut [f32; GROUP],
    colours: &mut [u32; GROUP],
) {
    let footprint = Footprint::new(texture, slope);
    let [u, v] = uv.map(|values| values.map(to_fixed));
    while seen != 0 {
        let i = seen.trailing_zeros() as usize % GROUP;
        seen &= seen - 1;
        let [r, g, b, alpha] = footprint.sample(u[i], v[i]);
        if texture.cutout && alpha < 128 {
            continue;
        }
        stored[i] = near[i];
        colours[i] = lit([r, g, b], light, i);
    }
}

/// Gains for red, green and blue in 256ths.
type Lights = [[u32; GROUP]; 3];

#[inline(always)]
fn light(gain: &Gain, row: i32, column: usize) -> Lights {
    match gain {
        Gain::Flat(gain) => gain.map(|g| [g; GROUP]),
        Gain::Smooth(planes) => std::array::from_fn(|k| {
            Line::new(&planes[k], row).group(column).map(|g| round(g.clamp(0.0, MAX_GAIN)) as u32)
        }),
    }
}

#[inline(always)]
fn lit(colour: [u32; 3], light: &Lights, i: usize) -> u32 {
    let channel = |k: usize| ((colour[k] * light[k][i]) >> 8).min(255);
    channel(0) | channel(1) << 8 | channel(2) << 16
}
