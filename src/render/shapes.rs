//! Meshes of simple solids, centred at the origin, with normals and texture coordinates.

use std::f32::consts::{PI, TAU};

use super::MeshData;

/// A box with the given full sides. Every face shows the whole texture, upright on the four sides.
pub fn cuboid(size: [f32; 3]) -> MeshData {
    let mut mesh = MeshData::default();
    let [x, y, z] = size.map(|s| s / 2.0);
    // Normal, direction to the right of the texture, direction up the texture, for someone who looks at the face.
    let faces: [[[f32; 3]; 3]; 6] = [
        [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
        [[-1., 0., 0.], [0., -1., 0.], [0., 0., 1.]],
        [[0., 1., 0.], [-1., 0., 0.], [0., 0., 1.]],
        [[0., -1., 0.], [1., 0., 0.], [0., 0., 1.]],
        [[0., 0., 1.], [1., 0., 0.], [0., 1., 0.]],
        [[0., 0., -1.], [1., 0., 0.], [0., -1., 0.]],
    ];
    for [normal, right, up] in faces {
        let first = mesh.positions.len() as u32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let place = |i: usize, half: f32| (normal[i] + right[i] * (2.0 * u - 1.0) + up[i] * (2.0 * v - 1.0)) * half;
            mesh.positions.push([place(0, x), place(1, y), place(2, z)]);
            mesh.normals.push(normal);
            mesh.uvs.push([u, v]);
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    mesh
}

/// A level rectangle that looks up, cut into `cells` by `cells` parts; the texture covers it `repeat` times a side.
pub fn plane(size: [f32; 2], cells: u32, repeat: [f32; 2]) -> MeshData {
    let cells = cells.max(1);
    let mut mesh = MeshData::default();
    for j in 0..=cells {
        for i in 0..=cells {
            let (u, v) = (i as f32 / cells as f32, j as f32 / cells as f32);
            mesh.positions.push([(u - 0.5) * size[0], (v - 0.5) * size[1], 0.0]);
            mesh.normals.push([0.0, 0.0, 1.0]);
            mesh.uvs.push([u * repeat[0], v * repeat[1]]);
        }
    }
    for j in 0..cells {
        for i in 0..cells {
            let a = j * (cells + 1) + i;
            let c = a + cells + 1;
            mesh.indices.extend([a, a + 1, c + 1, a, c + 1, c]);
        }
    }
    mesh
}

pub fn sphere(radius: f32, segments: u32) -> MeshData {
    let segments = segments.max(3);
    let rings = (segments / 2).max(2);
    let profile: Vec<_> = (0..=rings)
        .map(|j| {
            let angle = (j as f32 / rings as f32 - 0.5) * PI;
            let (out, up) = (libm::cosf(angle).max(0.0), libm::sinf(angle));
            ([out * radius, up * radius], [out, up], j as f32 / rings as f32)
        })
        .collect();
    turned(&profile, segments)
}

/// Upright, closed at both ends.
pub fn cylinder(radius: f32, length: f32, segments: u32) -> MeshData {
    frustum(radius, radius, length, segments)
}

/// Upright with the given radii at the bottom and at the top; a radius of 0 makes a cone.
pub fn frustum(bottom: f32, top: f32, length: f32, segments: u32) -> MeshData {
    let h = length / 2.0;
    let slant = (length * length + (bottom - top) * (bottom - top)).sqrt().max(f32::MIN_POSITIVE);
    let side = [length / slant, (bottom - top) / slant];
    let profile = [
        ([0.0, -h], [0.0, -1.0], 0.0),
        ([bottom, -h], [0.0, -1.0], 0.0),
        ([bottom, -h], side, 0.0),
        ([top, h], side, 1.0),
        ([top, h], [0.0, 1.0], 1.0),
        ([0.0, h], [0.0, 1.0], 1.0),
    ];
    turned(&profile, segments.max(3))
}

/// A profile of (distance from the axis, height), normal and v, from the bottom up, turned about the vertical.
fn turned(profile: &[([f32; 2], [f32; 2], f32)], segments: u32) -> MeshData {
    let mut mesh = MeshData::default();
    for i in 0..=segments {
        let u = i as f32 / segments as f32;
        // The last column repeats the first exactly, so that the seam is closed.
        let angle = if i == segments { 0.0 } else { u * TAU };
        let (sine, cosine) = (libm::sinf(angle), libm::cosf(angle));
        for ([out, up], [normal_out, normal_up], v) in profile {
            mesh.positions.push([out * cosine, out * sine, *up]);
            mesh.normals.push([normal_out * cosine, normal_out * sine, *normal_up]);
            mesh.uvs.push([u, *v]);
        }
    }
    let rows = profile.len() as u32;
    for i in 0..segments {
        for j in 0..rows - 1 {
            let a = i * rows + j;
            let b = a + rows;
            mesh.indices.extend([a, b, b + 1, a, b + 1, a + 1]);
        }
    }
    mesh
}
