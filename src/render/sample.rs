//! Reading a texture: bilinear, at the right size, and several times along the line of sight where a surface is seen at a
//! flat angle.
//!
//! A camera 12 cm above the road sees it so flat that one pixel covers a strip many times longer than wide. Averaging over
//! the whole strip's length in both directions would wash the lane markings away, taking its width would make them
//! flicker; up to eight samples along the strip, from the level that fits its width, do neither.

use super::Texture;
use super::fixed::{fraction, round};
use super::mipmap::Level;

/// Fraction bits of a texture coordinate; the whole part counts repetitions of the texture.
pub(super) const FRACTION_BITS: u32 = 22;
const ONE: f32 = (1u32 << FRACTION_BITS) as f32;

/// Size of a texel against the distance between samples, squared.
const OVERLAP2: f32 = 0.6;

/// Four 16-bit lanes of which each holds one 8-bit channel: red, blue, green, alpha.
const LANES: u64 = 0x00ff_00ff_00ff_00ff;

/// How a small group of neighbouring pixels reads a texture.
pub(super) struct Footprint<'a> {
    level: &'a Level,
    /// log2 of the number of samples.
    shift: u32,
    /// From one sample to the next.
    step: [i32; 2],
    /// From the middle of the pixel to the first sample, half a texel to the left and up included.
    start: [i32; 2],
}

/// Change of (u, v), in repetitions, from a pixel to its right and to its lower neighbour.
#[derive(Clone, Copy)]
pub(super) struct Slope {
    pub right: [f32; 2],
    pub down: [f32; 2],
}

/// Whole repetitions are dropped.
#[inline(always)]
pub(super) fn to_fixed(repetitions: f32) -> i32 {
    round(fraction(repetitions) * ONE)
}

impl<'a> Footprint<'a> {
    pub fn new(texture: &'a Texture, slope: Slope) -> Self {
        let first = &texture.levels[0];
        let size = [first.width as f32, first.height as f32];
        let right = [slope.right[0] * size[0], slope.right[1] * size[1]];
        let down = [slope.down[0] * size[0], slope.down[1] * size[1]];
        let square = |v: [f32; 2]| v[0] * v[0] + v[1] * v[1];
        let (right2, down2) = (square(right), square(down));
        let (long2, long) = if right2 > down2 { (right2, slope.right) } else { (down2, slope.down) };
        let area = (right[0] * down[1] - right[1] * down[0]).abs();
        let shift = match long2 {
            l if l <= 2.0 * area || l <= 1.0 => 0,
            l if l <= 4.0 * area => 1,
            l if l <= 8.0 * area => 2,
            _ => 3,
        };
        let count = (1u32 << shift) as f32;
        // Bilinear samples overlap, so texels may be a little smaller than the distance between samples.
        let gap2 = long2 / (count * count) * OVERLAP2;
        let short2 = (area * area / long2.max(f32::MIN_POSITIVE)).max(gap2);
        let level = &texture.levels[level_for(short2).min(texture.levels.len() - 1)];
        let step = long.map(|v| to_fixed(v * (1.0 / count)));
        let back = (1i32 << shift) - 1;
        let start = [0, 1].map(|i| (step[i].wrapping_mul(back) / 2).wrapping_neg().wrapping_sub(level.half_texel[i]));
        Self { level, shift, step, start }
    }

    /// The colour at a coordinate: (red, green, blue, alpha).
    #[inline(always)]
    pub fn sample(&self, u: i32, v: i32) -> [u32; 4] {
        let (mut u, mut v) = (u.wrapping_add(self.start[0]), v.wrapping_add(self.start[1]));
        let mut sum = bilinear(self.level, u, v);
        for _ in 1..1u32 << self.shift {
            u = u.wrapping_add(self.step[0]);
            v = v.wrapping_add(self.step[1]);
            sum += bilinear(self.level, u, v);
        }
        let sum = sum >> self.shift;
        [(sum & 255) as u32, (sum >> 32 & 255) as u32, (sum >> 16 & 255) as u32, (sum >> 48 & 255) as u32]
    }
}

/// The level whose texels are nearest in size to a pixel that covers `texels2` (squared length).
fn level_for(texels2: f32) -> usize {
    let exponent = (texels2.to_bits() >> 23) as i32 - 127;
    ((exponent + 1) >> 1).max(0) as usize
}

#[inline(always)]
fn bilinear(level: &Level, u: i32, v: i32) -> u64 {
    let (x, fx) = texel(u, level.width);
    let (y, fy) = texel(v, level.height);
    let w11 = (fx * fy) >> 8;
    let w10 = fx - w11;
    let w01 = fy - w11;
    let w00 = 256 + w11 - fx - fy;
    let stride = level.stride();
    let start = y * stride + x;
    // One more column and row repeat the first ones, so the neighbours are always there.
    let window = &level.pixels[start..start + stride + 2];
    let sum = spread(window[0]) * w00
        + spread(window[1]) * w10
        + spread(window[stride]) * w01
        + spread(window[stride + 1]) * w11;
    sum >> 8 & LANES
}

/// The texel left of a coordinate and how far it is from there to the next one, in 256ths. Textures repeat.
#[inline(always)]
fn texel(coordinate: i32, size: u32) -> (usize, u64) {
    let fraction = coordinate as u32 & ((1 << FRACTION_BITS) - 1);
    let position = (u64::from(fraction) * u64::from(size)) >> (FRACTION_BITS - 8);
    ((position >> 8) as usize, position & 255)
}

#[inline(always)]
fn spread(pixel: u32) -> u64 {
    let p = u64::from(pixel);
    (p | p << 24) & LANES
}
