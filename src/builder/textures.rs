//! The pictures that all worlds share, drawn by formula.
//!
//! Each is a ramp of sixteen colours between two, so that edges are soft and files small. Those of the ground repeat without
//! a seam.

use super::png;

/// Samples a side of each pixel, for soft edges.
const SAMPLES: usize = 3;

/// A picture of `width` by `height` pixels; `ink` gives for a point (0 to 1 to the right and downwards) how much of the
/// second colour there is, from 0 to 1.
fn paint([width, height]: [usize; 2], colors: [[u8; 3]; 2], samples: usize, ink: impl Fn(f64, f64) -> f64) -> Vec<u8> {
    let mut levels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sum = 0.0;
            for j in 0..samples {
                for i in 0..samples {
                    let at = |pixel: usize, part: usize, side: usize| {
                        (pixel as f64 + (part as f64 + 0.5) / samples as f64) / side as f64
                    };
                    sum += ink(at(x, i, width), at(y, j, height)).clamp(0.0, 1.0);
                }
            }
            levels.push((sum / (samples * samples) as f64 * 15.0).round() as u8);
        }
    }
    let palette = std::array::from_fn(|level| {
        std::array::from_fn(|channel| {
            let [from, to] = colors.map(|color| f64::from(color[channel]));
            (from + (to - from) * level as f64 / 15.0).round() as u8
        })
    });
    png::encode_palette(width, &levels, &palette)
}

pub fn asphalt() -> Vec<u8> {
    paint([256, 256], [[60, 62, 66], [92, 93, 96]], 1, |u, v| {
        0.22 + 0.14 * noise(u, v, 7, 1) + 0.32 * noise(u, v, 64, 2) + 0.26 * noise(u, v, 256, 3)
    })
}

/// Rows of loops, slightly uneven.
pub fn carpet() -> Vec<u8> {
    paint([256, 256], [[84, 104, 112], [130, 150, 156]], 1, |u, v| {
        let (row, column) = (libm::sin(v * 64.0 * std::f64::consts::TAU), libm::sin(u * 32.0 * std::f64::consts::TAU));
        0.42 + 0.14 * row + 0.08 * row * column + 0.24 * (noise(u, v, 128, 4) - 0.5) + 0.12 * (noise(u, v, 8, 5) - 0.5)
    })
}

/// Blades: noise that is finer across than along.
pub fn grass() -> Vec<u8> {
    paint([256, 256], [[66, 104, 48], [136, 172, 84]], 1, |u, v| {
        let blades = noise_of(u, v, [128, 40], 6).max(noise_of(u, v, [96, 28], 7));
        0.14 + 0.52 * blades + 0.2 * noise(u, v, 7, 8) + 0.12 * (noise(u, v, 256, 9) - 0.5)
    })
}

/// Paint that has been driven on a little.
pub fn white_line() -> Vec<u8> {
    paint([64, 32], [[222, 222, 216], [250, 250, 246]], 1, |u, v| {
        0.45 + 0.4 * noise_of(u, v, [8, 4], 10) + 0.25 * noise_of(u, v, [64, 32], 11)
    })
}

/// Two squares a side.
pub fn checker() -> Vec<u8> {
    paint([64, 64], [[28, 28, 30], [246, 246, 242]], 1, |u, v| if (u < 0.5) == (v < 0.5) { 1.0 } else { 0.0 })
}

/// A yellow face with a dark frame and slanted bars above and below.
pub fn obstacle_box() -> Vec<u8> {
    paint([128, 128], [[242, 190, 44], [38, 40, 46]], SAMPLES, |u, v| {
        let is_frame = [u, v].iter().any(|at| !(0.03..=0.97).contains(at));
        let in_band = !(0.28..=0.72).contains(&v);
        let slanted = if v < 0.5 { u + v } else { u - v + 2.0 };
        let is_bar = in_band && (slanted * 4.0).rem_euclid(1.0) < 0.5;
        if is_frame || is_bar { 1.0 } else { 0.0 }
    })
}

/// Six white and six red gores between white caps.
pub fn ball() -> Vec<u8> {
    paint([256, 128], [[246, 246, 242], [206, 52, 50]], SAMPLES, |u, v| {
        let is_gore = (u * 6.0).rem_euclid(1.0) < 0.5;
        if is_gore && (0.08..=0.92).contains(&v) { 1.0 } else { 0.0 }
    })
}

/// Orange with two white bands.
pub fn cone() -> Vec<u8> {
    paint([16, 128], [[236, 96, 28], [248, 248, 244]], SAMPLES, |_, v| {
        if (0.20..=0.40).contains(&v) || (0.56..=0.76).contains(&v) { 1.0 } else { 0.0 }
    })
}

/// Smooth random values from 0 to 1 that repeat after 1 in both directions; `cells` bumps a side.
fn noise(u: f64, v: f64, cells: u32, seed: u32) -> f64 {
    noise_of(u, v, [cells, cells], seed)
}

fn noise_of(u: f64, v: f64, cells: [u32; 2], seed: u32) -> f64 {
    let [x, y] = [u * f64::from(cells[0]), v * f64::from(cells[1])];
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (smooth(x - x.floor()), smooth(y - y.floor()));
    let corner = |dx: u32, dy: u32| {
        let (i, j) = ((x as u32 + dx) % cells[0], (y as u32 + dy) % cells[1]);
        f64::from(hash(i, j, seed)) / f64::from(u32::MAX)
    };
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    mix(mix(corner(0, 0), corner(1, 0), fx), mix(corner(0, 1), corner(1, 1), fx), fy)
}

fn hash(x: u32, y: u32, seed: u32) -> u32 {
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    for _ in 0..2 {
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    }
    h ^ (h >> 15)
}
