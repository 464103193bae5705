//! A texture in all its sizes.
//!
//! Each level has half the sides of the one before, rounded down, to 1 x 1. Averages are taken in linear light, so that
//! white lines on dark ground keep their brightness in the distance, and weighted by opacity, so that the colour under
//! transparent pixels does not bleed in.

use std::sync::LazyLock;

use super::sample::FRACTION_BITS;

#[derive(Debug, Clone)]
pub(super) struct Level {
    pub width: u32,
    pub height: u32,
    /// RGBA with red in the lowest byte, rows from the top. At the right and at the bottom the first column and the first
    /// row are repeated, which saves the sampler the question where a texture begins again.
    pub pixels: Vec<u32>,
    /// Half the size of a texel in the sampler's coordinates.
    pub half_texel: [i32; 2],
}

impl Level {
    pub fn stride(&self) -> usize {
        self.width as usize + 1
    }

    fn new(image: &Image) -> Self {
        let mut pixels = Vec::with_capacity((image.width as usize + 1) * (image.height as usize + 1));
        for row in image.pixels.chunks_exact(image.width as usize) {
            pixels.extend_from_slice(row);
            pixels.push(row[0]);
        }
        pixels.extend_from_within(..image.width as usize + 1);
        let half_texel = [image.width, image.height].map(|side| (1 << (FRACTION_BITS - 1)) / side as i32);
        Self { width: image.width, height: image.height, pixels, half_texel }
    }
}

/// One size without repeated pixels.
pub(super) struct Image {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u32>,
}

const LINEAR_BITS: u32 = 12;

/// sRGB value to linear light in `LINEAR_BITS` bits, and back.
struct Curve {
    linear: [u16; 256],
    srgb: Vec<u8>,
}

static CURVE: LazyLock<Curve> = LazyLock::new(|| {
    let full = ((1u32 << LINEAR_BITS) - 1) as f32;
    Curve {
        linear: std::array::from_fn(|i| (libm::powf(i as f32 / 255.0, 2.2) * full + 0.5) as u16),
        srgb: (0..1 << LINEAR_BITS).map(|i| (libm::powf(i as f32 / full, 1.0 / 2.2) * 255.0 + 0.5) as u8).collect(),
    }
});

/// `image` must have at least one pixel.
pub(super) fn build_levels(mut image: Image, cutout: bool) -> Vec<Level> {
    let mut levels = vec![Level::new(&image)];
    while image.width > 1 || image.height > 1 {
        let halves = image.width.is_multiple_of(2) && image.height.is_multiple_of(2);
        image = if halves && !cutout { halve_opaque(&image) } else { shrink(&image) };
        levels.push(Level::new(&image));
    }
    levels
}

/// The common case: four opaque pixels to one.
fn halve_opaque(from: &Image) -> Image {
    let curve = &*CURVE;
    let (width, height) = (from.width / 2, from.height / 2);
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for rows in from.pixels.chunks_exact(from.width as usize * 2) {
        let (upper, lower) = rows.split_at(from.width as usize);
        for (a, b) in upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0) {
            let channel = |shift: u32| {
                let linear = |p: u32| u32::from(curve.linear[(p >> shift & 255) as usize]);
                let sum = linear(a[0]) + linear(a[1]) + linear(b[0]) + linear(b[1]);
                u32::from(curve.srgb[((sum + 2) >> 2) as usize]) << shift
            };
            pixels.push(channel(0) | channel(8) | channel(16) | 0xff00_0000);
        }
    }
    Image { width, height, pixels }
}

/// Any size and any opacity: every new pixel is the average over the area it covers.
fn shrink(from: &Image) -> Image {
    let curve = &*CURVE;
    let (width, height) = ((from.width / 2).max(1), (from.height / 2).max(1));
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0u64; 3];
            let (mut opacity, mut area) = (0u64, 0u64);
            for (source_y, weight_y) in overlaps(y, height, from.height) {
                for (source_x, weight_x) in overlaps(x, width, from.width) {
                    let p = from.pixels[(source_y * from.width + source_x) as usize];
                    let weight = u64::from(weight_x) * u64::from(weight_y);
                    let alpha = u64::from(p >> 24) * weight;
                    for (channel, total) in sum.iter_mut().enumerate() {
                        *total += u64::from(curve.linear[(p >> (channel * 8) & 255) as usize]) * alpha;
                    }
                    opacity += alpha;
                    area += weight;
                }
            }
            let colour = sum.map(|s| curve.srgb[((s + opacity / 2) / opacity.max(1)) as usize]);
            let alpha = ((opacity + area / 2) / area.max(1)) as u8;
            pixels.push(u32::from_le_bytes([colour[0], colour[1], colour[2], alpha]));
        }
    }
    Image { width, height, pixels }
}

/// Which of `from` pixels the pixel `index` of `to` covers, and how much of each, in units of 1 / `to`.
fn overlaps(index: u32, to: u32, from: u32) -> impl Iterator<Item = (u32, u32)> {
    let (start, end) = (index * from, (index + 1) * from);
    (start / to..end.div_ceil(to)).map(move |i| (i, end.min((i + 1) * to) - start.max(i * to)))
}
