//! Cutting triangles at the near plane and far outside the picture.
//!
//! A cut is always computed from the vertex inside to the vertex outside, so that two triangles that share an edge get
//! the very same new vertex and no gap opens between them.

use super::view::{GUARD, View};

/// A vertex in the optical frame with what is interpolated over the triangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    pub position: [f32; 3],
    pub uv: [f32; 2],
    /// Cosine between the normal and the sun.
    pub cosine: f32,
}

/// A triangle cut by five planes has at most eight corners.
const MAX_CORNERS: usize = 8;

pub(super) struct Polygon {
    corners: [Corner; MAX_CORNERS],
    count: usize,
}

impl Polygon {
    /// The part of a triangle that the rasteriser can take.
    pub fn cut(triangle: [Corner; 3], view: &View) -> Self {
        let mut polygon = Self { corners: [Corner::default(); MAX_CORNERS], count: 3 };
        polygon.corners[..3].copy_from_slice(&triangle);
        polygon.cut_at(|p| p[2] - view.near);
        for axis in 0..2 {
            let (centre, focal) = (view.centre[axis], view.focal);
            polygon.cut_at(|p| (GUARD - centre) * view.divisor(p[2]) - focal * p[axis]);
            polygon.cut_at(|p| (GUARD + centre) * view.divisor(p[2]) + focal * p[axis]);
        }
        polygon
    }

    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    fn cut_at(&mut self, distance: impl Fn([f32; 3]) -> f32) {
        let before = self.corners;
        let count = std::mem::take(&mut self.count);
        for i in 0..count {
            let (a, b) = (before[i], before[(i + 1) % count]);
            let (da, db) = (distance(a.position), distance(b.position));
            // Written so that a distance that is not a number counts as outside.
            let (a_inside, b_inside) = (da >= 0.0, db >= 0.0);
            if a_inside {
                self.push(a);
            }
            match (a_inside, b_inside) {
                (true, false) => self.push(between(a, b, da / (da - db))),
                (false, true) => self.push(between(b, a, db / (db - da))),
                _ => {}
            }
        }
    }

    fn push(&mut self, corner: Corner) {
        if self.count < MAX_CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }
}

fn between(inside: Corner, outside: Corner, t: f32) -> Corner {
    let mix = |a: f32, b: f32| a + (b - a) * t;
    Corner {
        position: std::array::from_fn(|i| mix(inside.position[i], outside.position[i])),
        uv: std::array::from_fn(|i| mix(inside.uv[i], outside.uv[i])),
        cosine: mix(inside.cosine, outside.cosine),
    }
}
