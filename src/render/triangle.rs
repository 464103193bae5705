//! A triangle on the picture: integer corners for coverage, planes for everything that is interpolated.

use super::fixed::round;
use super::view::GUARD;

/// Fraction bits of a corner's pixel coordinate.
pub(super) const SUBPIXEL_BITS: u32 = 8;
const SUBPIXEL: f32 = (1 << SUBPIXEL_BITS) as f32;

/// `at_origin + right * x + down * y` at the centre of pixel (x, y). In f64, because a value extrapolated from a corner
/// far outside the picture would lose too much in f32.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plane {
    pub at_origin: f64,
    pub right: f64,
    pub down: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Triangle {
    /// Subpixel coordinates, from the top corner to the bottom one.
    pub x: [i32; 3],
    pub y: [i32; 3],
    /// The middle corner lies to the right of the edge from the top to the bottom corner.
    pub middle_right: bool,
    /// Index of what it is drawn with.
    pub draw: u32,
    pub closeness: Plane,
    /// Texture coordinates in repetitions; with perspective times the closeness.
    pub uv: [Plane; 2],
    pub gain: Gain,
}

/// The largest factor, in 256ths.
pub(super) const MAX_GAIN: f32 = 16.0 * 256.0;

/// Factors for red, green and blue in 256ths.
#[derive(Debug, Clone)]
pub(super) enum Gain {
    Flat([u32; 3]),
    Smooth([Plane; 3]),
}

/// A corner on the picture.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScreenCorner {
    pub x: i32,
    pub y: i32,
    pub closeness: f32,
    pub uv: [f32; 2],
    pub gain: [f32; 3],
}

/// To subpixels; nothing for what is not a number or beyond the guard.
#[inline(always)]
pub(super) fn snap(pixels: f32) -> Option<i32> {
    if pixels.abs() <= GUARD + 100.0 { Some(round(pixels * SUBPIXEL)) } else { None }
}

/// The first pixel whose centre is not before a subpixel coordinate.
#[inline(always)]
pub(super) fn first_pixel(subpixel: i32) -> i32 {
    (subpixel + 127) >> SUBPIXEL_BITS
}

/// Twice the area on the picture in square subpixels; negative where the corners go round counter-clockwise.
#[inline(always)]
pub(super) fn double_area(c: &[ScreenCorner; 3]) -> i64 {
    let d = |a: i32, b: i32| i64::from(a) - i64::from(b);
    d(c[1].x, c[0].x) * d(c[2].y, c[0].y) - d(c[2].x, c[0].x) * d(c[1].y, c[0].y)
}

/// How a triangle's values are turned into planes.
pub(super) struct Setup {
    /// From differences of a value along two sides to its change per pixel.
    right: [f64; 2],
    down: [f64; 2],
    /// From the centre of the top left pixel to corner 0.
    origin: [f64; 2],
}

impl Setup {
    pub fn new(c: &[ScreenCorner; 3], double_area: i64) -> Self {
        let scale = f64::from(SUBPIXEL) / double_area as f64;
        let d = |a: i32, b: i32| f64::from(a - b) * scale;
        Self {
            right: [d(c[2].y, c[0].y), d(c[0].y, c[1].y)],
            down: [d(c[0].x, c[2].x), d(c[1].x, c[0].x)],
            origin: [c[0].x, c[0].y].map(|v| f64::from(v) / f64::from(SUBPIXEL) - 0.5),
        }
    }

    #[inline(always)]
    pub fn plane(&self, values: [f64; 3]) -> Plane {
        let (along1, along2) = (values[1] - values[0], values[2] - values[0]);
        let right = along1 * self.right[0] + along2 * self.right[1];
        let down = along1 * self.down[0] + along2 * self.down[1];
        Plane { at_origin: values[0] - right * self.origin[0] - down * self.origin[1], right, down }
    }
}

impl Triangle {
    /// `perspective`: the texture coordinates have to be divided by the closeness again.
    pub fn new(c: &[ScreenCorner; 3], double_area: i64, perspective: bool, textured: bool, draw: u32) -> Self {
        let setup = Setup::new(c, double_area);
        let mut uv = [Plane::default(); 2];
        if textured {
            for (axis, plane) in uv.iter_mut().enumerate() {
                // Whole repetitions are taken off, so that the fraction keeps its precision.
                let whole = f64::from(c[0].uv[axis] as i32);
                let weight = |corner: &ScreenCorner| if perspective { f64::from(corner.closeness) } else { 1.0 };
                *plane = setup.plane([0, 1, 2].map(|i| (f64::from(c[i].uv[axis]) - whole) * weight(&c[i])));
            }
        }
        let gain = if c[0].gain == c[1].gain && c[1].gain == c[2].gain {
            Gain::Flat(c[0].gain.map(|g| (g + 0.5) as u32))
        } else {
            Gain::Smooth([0, 1, 2].map(|k| setup.plane([0, 1, 2].map(|i| f64::from(c[i].gain[k])))))
        };
        let closeness = setup.plane([0, 1, 2].map(|i| f64::from(c[i].closeness)));
        let mut order = [0, 1, 2];
        let key = |i: usize| c[i].y;
        if key(order[1]) < key(order[0]) {
            order.swap(0, 1);
        }
        if key(order[2]) < key(order[1]) {
            order.swap(1, 2);
        }
        if key(order[1]) < key(order[0]) {
            order.swap(0, 1);
        }
        let sorted = order.map(|i| c[i]);
        Self {
            x: sorted.map(|c| c.x),
            y: sorted.map(|c| c.y),
            middle_right: self::double_area(&sorted) > 0,
            draw,
            closeness,
            uv,
            gain,
        }
    }
}
