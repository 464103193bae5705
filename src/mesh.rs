//! Meshes from files: COLLADA `.dae`, STL and OBJ become triangles with materials.
//!
//! Promises that what comes out can be used without further checks: every number finite, every index in range, every triangle
//! with an area, every vertex with a normal of length 1; z is up, lengths are metres; v of the texture coordinates grows
//! upwards from the image's lowest row. No input, however hostile, makes it crash, hang or grow without bound (`limits`).
//! Opens no files: the caller gives the bytes, and texture paths come out as they are written. COLLADA says what is up and
//! how long a unit is; STL and OBJ do not and are taken as they are.

mod build;
mod collada;
mod error;
pub mod limits;
mod obj;
mod stl;

pub use error::{MeshError, MeshProblem};

/// Triangles, by material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    pub parts: Vec<Part>,
    /// What was left out.
    pub warnings: Vec<MeshWarning>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Of the node (COLLADA), object or group (OBJ) or solid (STL); may be empty.
    pub name: String,
    /// Of the geometry that the node shows (COLLADA); elsewhere the same as `name`.
    pub geometry: String,
    pub positions: Vec<[f32; 3]>,
    /// One for each position, of length 1.
    pub normals: Vec<[f32; 3]>,
    /// One for each position; (0, 0) where the file has none.
    pub uvs: Vec<[f32; 2]>,
    /// Three for each triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    pub material: Material,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    pub name: String,
    pub diffuse: [f32; 4],
    pub emissive: [f32; 3],
    /// The path of the image as the file writes it, relative to the file.
    pub texture: Option<String>,
}

impl Default for Material {
    /// A light grey, for parts whose file says nothing.
    fn default() -> Self {
        Self { name: String::new(), diffuse: [0.8, 0.8, 0.8, 1.0], emissive: [0.0; 3], texture: None }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshWarning {
    pub line: u32,
    pub message: String,
}

/// Lowest and highest corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// Reads a mesh; the ending of the file name tells the format. `companion` gives the bytes of a file that this one names (the
/// `.mtl` of an `.obj`), or `None`; it must not leave the folders that it may read.
pub fn read(file_name: &str, bytes: &[u8], companion: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Mesh, MeshError> {
    let ending = file_name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let fail = |line, problem| MeshError { file: file_name.to_owned(), line, problem };
    if bytes.len() > limits::MAX_FILE_BYTES {
        return Err(fail(0, MeshProblem::TooLarge(limits::MAX_FILE_BYTES)));
    }
    let outcome = match ending.as_str() {
        "dae" => collada::read(bytes),
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes, companion),
        _ => Err((0, MeshProblem::UnknownFormat)),
    };
    let mesh = outcome.map_err(|(line, problem)| fail(line, problem))?;
    if mesh.parts.is_empty() {
        return Err(fail(0, MeshProblem::NoTriangles));
    }
    Ok(mesh)
}

impl Mesh {
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.indices.len() / 3).sum()
    }

    /// Of all parts; `None` without any.
    pub fn bounds(&self) -> Option<Bounds> {
        let mut positions = self.parts.iter().flat_map(|part| &part.positions);
        let first = *positions.next()?;
        Some(positions.fold(Bounds { min: first, max: first }, |bounds, position| Bounds {
            min: std::array::from_fn(|axis| bounds.min[axis].min(position[axis])),
            max: std::array::from_fn(|axis| bounds.max[axis].max(position[axis])),
        }))
    }

    /// The parts that a `<submesh>` names, by node or by geometry; with `center`, moved so that the middle of their bounds is
    /// the origin. `None` when nothing is called so.
    pub fn submesh(&self, name: &str, center: bool) -> Option<Mesh> {
        let is_wanted = |part: &&Part| part.name == name || part.geometry == name;
        let parts: Vec<Part> = self.parts.iter().filter(is_wanted).cloned().collect();
        let mut mesh = Mesh { parts, warnings: Vec::new() };
        let bounds = mesh.bounds()?;
        if center {
            let middle: [f32; 3] = std::array::from_fn(|axis| (bounds.min[axis] + bounds.max[axis]) / 2.0);
            for position in mesh.parts.iter_mut().flat_map(|part| &mut part.positions) {
                *position = std::array::from_fn(|axis| position[axis] - middle[axis]);
            }
        }
        Some(mesh)
    }
}
