//! Triangles, arranged for drawing.
//!
//! A mesh is cut into chunks of neighbouring triangles, each with its own vertices and bounding sphere, so that most of a
//! large ground is left out of a frame by a few tests. Triangles that are not finite or have no area are dropped.

use thiserror::Error;

/// Triangles per chunk. Smaller chunks cull better, larger ones share more vertices.
const CHUNK_TRIANGLES: usize = 128;

/// Triangles as they come from a file; outward faces are counter-clockwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshData {
    pub positions: Vec<[f32; 3]>,
    /// One per position, or none: then every triangle is flat.
    pub normals: Vec<[f32; 3]>,
    /// One per position, or none. (0, 0) is the bottom left corner of the texture, as in COLLADA and OBJ.
    pub uvs: Vec<[f32; 2]>,
    pub indices: Vec<u32>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum MeshError {
    #[error("{count} indices do not make whole triangles")]
    NotTriangles { count: usize },
    #[error("index {index} is beyond the {count} positions")]
    IndexOutOfRange { index: u32, count: usize },
    #[error("{count} {what} for {positions} positions")]
    CountMismatch { what: &'static str, count: usize, positions: usize },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    /// Already turned so that v grows downwards in the picture.
    pub uv: [f32; 2],
}

#[derive(Debug, Clone)]
pub(super) struct Chunk {
    pub vertices: std::ops::Range<usize>,
    pub triangles: std::ops::Range<usize>,
    pub bounds: Sphere,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sphere {
    pub centre: [f64; 3],
    pub radius: f64,
}

#[derive(Debug, Clone)]
pub struct Mesh {
    pub(super) vertices: Vec<Vertex>,
    /// Indices into the vertices of the chunk.
    pub(super) triangles: Vec<[u16; 3]>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) bounds: Sphere,
}

impl Mesh {
    pub fn new(data: &MeshData) -> Result<Self, MeshError> {
        check(data)?;
        let mut triangles: Vec<[u32; 3]> = data
            .indices
            .as_chunks::<3>()
            .0
            .iter()
            .copied()
            .filter(|t| face_normal(t.map(|i| data.positions[i as usize])).is_some())
            .collect();
        if triangles.len() > CHUNK_TRIANGLES {
            sort_by_place(&mut triangles, &data.positions);
        }
        let mut mesh = Self {
            vertices: Vec::with_capacity(data.positions.len()),
            triangles: Vec::with_capacity(triangles.len()),
            chunks: Vec::new(),
            bounds: Sphere::around(triangles.iter().flatten().map(|i| data.positions[*i as usize])),
        };
        let mut local = vec![(usize::MAX, 0u16); data.positions.len()];
        for part in triangles.chunks(CHUNK_TRIANGLES) {
            mesh.push_chunk(data, part, &mut local);
        }
        Ok(mesh)
    }

    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// `local` remembers for every position the chunk that used it last and its index there.
    fn push_chunk(&mut self, data: &MeshData, part: &[[u32; 3]], local: &mut [(usize, u16)]) {
        let number = self.chunks.len();
        let (first_vertex, first_triangle) = (self.vertices.len(), self.triangles.len());
        for triangle in part {
            let corners = triangle.map(|i| data.positions[i as usize]);
            let flat = face_normal(corners).unwrap_or([0.0, 0.0, 1.0]);
            let indices = triangle.map(|i| {
                let i = i as usize;
                if !data.normals.is_empty() && local[i].0 == number {
                    return local[i].1;
                }
                let index = (self.vertices.len() - first_vertex) as u16;
                local[i] = (number, index);
                let normal = data.normals.get(i).copied().filter(|n| n.iter().all(|v| v.is_finite())).unwrap_or(flat);
                let uv = data.uvs.get(i).copied().filter(|t| t.iter().all(|v| v.is_finite())).unwrap_or([0.0; 2]);
                self.vertices.push(Vertex { position: data.positions[i], normal, uv: [uv[0], 1.0 - uv[1]] });
                index
            });
            self.triangles.push(indices);
        }
        self.chunks.push(Chunk {
            vertices: first_vertex..self.vertices.len(),
            triangles: first_triangle..self.triangles.len(),
            bounds: Sphere::around(self.vertices[first_vertex..].iter().map(|v| v.position)),
        });
    }
}

impl Sphere {
    /// The sphere about the middle of the bounding box.
    fn around(points: impl Iterator<Item = [f32; 3]> + Clone) -> Self {
        let (low, high) = box_around(points.clone());
        let centre: [f64; 3] = std::array::from_fn(|i| (f64::from(low[i]) + f64::from(high[i])) / 2.0);
        let square =
            points.map(|p| (0..3).map(|i| (f64::from(p[i]) - centre[i]) * (f64::from(p[i]) - centre[i])).sum::<f64>());
        Self { centre, radius: square.fold(0.0, f64::max).sqrt() }
    }
}

fn check(data: &MeshData) -> Result<(), MeshError> {
    let positions = data.positions.len();
    if !data.indices.len().is_multiple_of(3) {
        return Err(MeshError::NotTriangles { count: data.indices.len() });
    }
    for (what, count) in [("normals", data.normals.len()), ("texture coordinates", data.uvs.len())] {
        if count != 0 && count != positions {
            return Err(MeshError::CountMismatch { what, count, positions });
        }
    }
    match data.indices.iter().find(|i| **i as usize >= positions) {
        Some(index) => Err(MeshError::IndexOutOfRange { index: *index, count: positions }),
        None => Ok(()),
    }
}

fn box_around(points: impl Iterator<Item = [f32; 3]>) -> ([f32; 3], [f32; 3]) {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for p in points {
        for i in 0..3 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    }
    if low[0] > high[0] { ([0.0; 3], [0.0; 3]) } else { (low, high) }
}

/// In the order of a curve that fills space, so that neighbours in the list are neighbours in the world.
fn sort_by_place(triangles: &mut [[u32; 3]], positions: &[[f32; 3]]) {
    let (low, high) = box_around(triangles.iter().flatten().map(|i| positions[*i as usize]));
    let extent = (0..3).map(|i| high[i] - low[i]).fold(f32::MIN_POSITIVE, f32::max);
    triangles.sort_by_cached_key(|t| {
        let mut key = 0u64;
        for axis in 0..3 {
            let middle = t.iter().map(|i| positions[*i as usize][axis] - low[axis]).sum::<f32>() / 3.0;
            let cell = (middle / extent * 1023.0) as u64;
            for bit in 0..10 {
                key |= (cell >> bit & 1) << (bit * 3 + axis as u64);
            }
        }
        key
    });
}

/// Nothing where the corners are not finite or span no area.
fn face_normal([a, b, c]: [[f32; 3]; 3]) -> Option<[f32; 3]> {
    let edge = |p: [f32; 3]| -> [f64; 3] { std::array::from_fn(|i| f64::from(p[i]) - f64::from(a[i])) };
    let (u, v) = (edge(b), edge(c));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    (length.is_finite() && length > 0.0).then(|| n.map(|v| (v / length) as f32))
}
