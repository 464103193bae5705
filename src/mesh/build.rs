//! Where all formats meet: corners go in, checked parts come out.

use nalgebra::{Matrix3, Matrix4, Point3, Vector3};

use super::error::{MeshProblem, Result};
use super::limits::{MAX_COORDINATE_M, MAX_NAME_LEN, MAX_PARTS, MAX_TRIANGLES, MAX_WARNINGS};
use super::{Material, Mesh, MeshWarning, Part};

/// "No such value" for a corner.
pub const NONE: u32 = u32::MAX;
/// Corners at one position that are compared before a new vertex is made anyway: meshes have up to a dozen, and a hostile one
/// must not make the search quadratic.
const MAX_COMPARED: usize = 32;
/// A triangle whose height is less than this part of its longest edge has no area that single precision can tell.
const MIN_SLENDERNESS: f64 = 1e-7;

/// One corner of a triangle, as indices into the lists of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    pub position: u32,
    pub normal: u32,
    pub uv: u32,
}

/// The lists of a file that corners point into.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    pub positions: &'a [[f32; 3]],
    pub normals: &'a [[f32; 3]],
    pub uvs: &'a [[f32; 2]],
}

#[derive(Default)]
pub struct MeshBuilder {
    mesh: Mesh,
    triangles: usize,
    /// Those without a triangle counted too, because each costs some work.
    parts: usize,
    /// For each position of the file the newest vertex made from it. Kept from part to part and cleaned only where it was
    /// used, so that many small parts of a large list cost no more than what they show.
    newest: Vec<u32>,
}

impl MeshBuilder {
    pub fn warn(&mut self, line: u32, message: impl Into<String>) {
        let warning = MeshWarning { line, message: message.into() };
        if self.mesh.warnings.len() < MAX_WARNINGS && !self.mesh.warnings.contains(&warning) {
            self.mesh.warnings.push(warning);
        }
    }

    pub fn finish(self) -> Mesh {
        self.mesh
    }

    /// Adds triangles (three corners each) whose indices are in range. `transform` leads to metres with z up; `line` is where
    /// the triangles are described.
    pub fn add(
        &mut self,
        names: (&str, &str),
        material: Material,
        corners: &[Corner],
        lists: Lists,
        transform: &Matrix4<f64>,
        line: u32,
    ) -> Result<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err((line, MeshProblem::TooMany { what: "parts", limit: MAX_PARTS }));
        }
        self.triangles += corners.len() / 3;
        if self.triangles > MAX_TRIANGLES {
            return Err((line, MeshProblem::TooMany { what: "triangles", limit: MAX_TRIANGLES }));
        }
        if self.newest.len() < lists.positions.len() {
            self.newest.resize(lists.positions.len(), NONE);
        }
        let mut part = PartBuilder::new(lists, transform, line, &mut self.newest);
        for triangle in corners.as_chunks::<3>().0 {
            part.add_triangle(*triangle)?;
        }
        for corner in &part.made_from {
            part.newest[corner.position as usize] = NONE;
        }
        if part.indices.is_empty() {
            return Ok(());
        }
        let short = |name: &str| name.chars().take(MAX_NAME_LEN).collect();
        let (name, geometry) = (short(names.0), short(names.1));
        let PartBuilder { positions, normals, uvs, indices, .. } = part;
        self.mesh.parts.push(Part { name, geometry, positions, normals, uvs, indices, material });
        Ok(())
    }
}

struct PartBuilder<'a> {
    lists: Lists<'a>,
    /// `None` when nothing changes, which keeps the numbers of the file as they are.
    transform: Option<Transform>,
    line: u32,
    newest: &'a mut Vec<u32>,
    /// For each vertex the next older one at its position.
    older: Vec<u32>,
    made_from: Vec<Corner>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

struct Transform {
    matrix: Matrix4<f64>,
    for_normals: Matrix3<f64>,
    /// A mirror turns the order of corners round.
    mirrors: bool,
}

impl<'a> PartBuilder<'a> {
    fn new(lists: Lists<'a>, matrix: &Matrix4<f64>, line: u32, newest: &'a mut Vec<u32>) -> Self {
        let transform = (*matrix != Matrix4::identity()).then(|| {
            let linear: Matrix3<f64> = matrix.fixed_view::<3, 3>(0, 0).into_owned();
            let determinant = linear.determinant();
            // The cofactors are the transposed inverse without the division, and exist for flat matrices too.
            let columns = [linear.column(0), linear.column(1), linear.column(2)];
            let cofactors = Matrix3::from_columns(&[
                columns[1].cross(&columns[2]),
                columns[2].cross(&columns[0]),
                columns[0].cross(&columns[1]),
            ]);
            let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
            Transform { matrix: *matrix, for_normals: cofactors * sign, mirrors: determinant < 0.0 }
        });
        Self {
            lists,
            transform,
            line,
            newest,
            older: Vec::new(),
            made_from: Vec::new(),
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            indices: Vec::new(),
        }
    }

    fn add_triangle(&mut self, mut corners: [Corner; 3]) -> Result<()> {
        if self.transform.as_ref().is_some_and(|transform| transform.mirrors) {
            corners.swap(1, 2);
        }
        let mut points = [Vector3::zeros(); 3];
        for (point, corner) in points.iter_mut().zip(corners) {
            *point = self.position(corner.position)?;
        }
        let Some(face_normal) = face_normal(&points) else { return Ok(()) };
        for (corner, point) in corners.into_iter().zip(points) {
            let index = self.vertex(corner, point, face_normal);
            self.indices.push(index);
        }
        Ok(())
    }

    /// Rounded as it will be stored, so that what is checked is what is kept.
    fn position(&self, index: u32) -> Result<Vector3<f64>> {
        let raw = Vector3::from(self.lists.positions[index as usize]).cast::<f64>();
        let moved = match &self.transform {
            Some(transform) => transform.matrix.transform_point(&Point3::from(raw)).coords,
            None => raw,
        };
        for value in moved.iter().copied() {
            // Written so that NaN fails too.
            if !(-MAX_COORDINATE_M..=MAX_COORDINATE_M).contains(&value) {
                let (min, max) = (-MAX_COORDINATE_M, MAX_COORDINATE_M);
                return Err((self.line, MeshProblem::OutOfRange { what: "a coordinate in metres", value, min, max }));
            }
        }
        Ok(moved.cast::<f32>().cast::<f64>())
    }

    fn vertex(&mut self, corner: Corner, point: Vector3<f64>, face_normal: Vector3<f64>) -> u32 {
        let given = self.lists.normals.get(corner.normal as usize).and_then(|normal| self.normal(normal));
        // Without a normal of its own a corner belongs to its face alone, so that edges stay sharp.
        if given.is_some() {
            let mut at = self.newest[corner.position as usize];
            for _ in 0..MAX_COMPARED {
                if at == NONE {
                    break;
                }
                if self.made_from[at as usize] == corner {
                    return at;
                }
                at = self.older[at as usize];
            }
        }
        let index = self.positions.len() as u32;
        self.positions.push(point.cast::<f32>().into());
        self.normals.push(given.unwrap_or(face_normal).cast::<f32>().into());
        self.uvs.push(self.lists.uvs.get(corner.uv as usize).copied().unwrap_or_default());
        self.made_from.push(corner);
        self.older.push(NONE);
        if given.is_some() {
            self.older[index as usize] = std::mem::replace(&mut self.newest[corner.position as usize], index);
        }
        index
    }

    /// Of length 1 after the transform, or `None` for one that points nowhere.
    fn normal(&self, raw: &[f32; 3]) -> Option<Vector3<f64>> {
        // Divided first: the length of a huge normal must not overflow, that of a tiny one not vanish.
        let longest = raw.iter().fold(0.0_f32, |longest, part| longest.max(part.abs()));
        if longest == 0.0 || !longest.is_finite() {
            return None;
        }
        let scaled = Vector3::from(*raw).cast::<f64>() / f64::from(longest);
        let turned = match &self.transform {
            Some(transform) => {
                let turned = transform.for_normals * scaled;
                turned / turned.amax()
            }
            None => scaled,
        };
        turned.try_normalize(1e-12).filter(|unit| unit.iter().all(|part| part.is_finite()))
    }
}

/// The direction in which a triangle faces, or `None` when it has no area.
fn face_normal(points: &[Vector3<f64>; 3]) -> Option<Vector3<f64>> {
    let [ab, ac, bc] = [points[1] - points[0], points[2] - points[0], points[2] - points[1]];
    let longest = ab.norm_squared().max(ac.norm_squared()).max(bc.norm_squared());
    let cross = ab.cross(&ac);
    let doubled_area = cross.norm();
    (doubled_area > longest * MIN_SLENDERNESS).then(|| cross / doubled_area)
}
