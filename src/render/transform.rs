//! Affine transforms between frames.
//!
//! Everything up to the vertex is computed in f64, so that a camera far from the origin sees no jitter. Names say the
//! direction: `world_from_mesh` takes mesh coordinates to world coordinates.

use crate::domain::Pose;

/// `p -> linear * p + translation`, with the rows of `linear`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    pub linear: [[f64; 3]; 3],
    pub translation: [f64; 3],
}

impl Transform {
    pub const IDENTITY: Self =
        Self { linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    /// From an optical frame (x right, y down, z forward) to a body frame (x forward, y left, z up), as in REP-103.
    pub const BODY_FROM_OPTICAL: Self =
        Self { linear: [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]], translation: [0.0; 3] };

    pub fn from_pose(pose: &Pose) -> Self {
        let r = pose.orientation.to_rotation_matrix();
        let row = |i: usize| [r[(i, 0)], r[(i, 1)], r[(i, 2)]];
        Self { linear: [row(0), row(1), row(2)], translation: [pose.position.x, pose.position.y, pose.position.z] }
    }

    pub fn from_translation(translation: [f64; 3]) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The same frame with its own axes stretched.
    pub fn scaled(mut self, scale: [f64; 3]) -> Self {
        for row in &mut self.linear {
            for (value, factor) in row.iter_mut().zip(scale) {
                *value *= factor;
            }
        }
        self
    }

    /// `self` after `inner`: `world_from_body.after(&body_from_mesh)` is `world_from_mesh`.
    pub fn after(&self, inner: &Self) -> Self {
        let column = |j: usize| [inner.linear[0][j], inner.linear[1][j], inner.linear[2][j]];
        let columns = [column(0), column(1), column(2)];
        let linear = self.linear.map(|row| columns.map(|c| dot(row, c)));
        Self { linear, translation: self.point(inner.translation) }
    }

    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let v = self.vector(p);
        [v[0] + self.translation[0], v[1] + self.translation[1], v[2] + self.translation[2]]
    }

    pub fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        self.linear.map(|row| dot(row, v))
    }

    /// The way back, or nothing where the transform is flat or not finite.
    pub fn inverse(&self) -> Option<Self> {
        let determinant = self.determinant();
        if !self.is_finite() || !determinant.is_normal() {
            return None;
        }
        let c = self.cofactors();
        let mut linear = [[0.0; 3]; 3];
        for (i, row) in linear.iter_mut().enumerate() {
            for (j, value) in row.iter_mut().enumerate() {
                *value = c[j][i] / determinant;
            }
        }
        let back = Self { linear, translation: [0.0; 3] };
        let translation = back.vector(self.translation).map(|v| -v);
        let inverse = Self { linear, translation };
        inverse.is_finite().then_some(inverse)
    }

    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.linear;
        dot(a, cross(b, c))
    }

    pub fn is_finite(&self) -> bool {
        self.linear.iter().flatten().chain(&self.translation).all(|v| v.is_finite())
    }

    /// Rows of the matrix that takes normals (not unit length) where `linear` takes points.
    pub(super) fn cofactors(&self) -> [[f64; 3]; 3] {
        let [a, b, c] = self.linear;
        [cross(b, c), cross(c, a), cross(a, b)]
    }

    /// An upper bound of how much a length can grow.
    pub(super) fn max_stretch(&self) -> f64 {
        let column = |j: usize| [self.linear[0][j], self.linear[1][j], self.linear[2][j]];
        let c = [column(0), column(1), column(2)];
        let squares = c.map(|v| dot(v, v));
        let largest = squares.iter().fold(0.0, |a: f64, b| a.max(*b));
        let skew = dot(c[0], c[1]).abs() + dot(c[1], c[2]).abs() + dot(c[2], c[0]).abs();
        (largest + skew).sqrt()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
