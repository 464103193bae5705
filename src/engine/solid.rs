//! From the shapes of a description to what rapier collides with: made once per world, shared by every reset.

use rapier3d::parry::shape::TriMeshFlags;
use rapier3d::prelude::*;

use crate::engine::EngineError;
use crate::engine::convert::body_pose;
use crate::engine::description::{Mobility, ModelDescription, Shape};

/// Smallest area of a triangle that collides, in m²; what is thinner has no usable normal in f32.
const MIN_AREA: f32 = 1e-10;
/// The smallest volume of a hull, in m³: a tenth of a millimetre cubed. A flatter one cannot have a mass that turns.
const MIN_HULL_VOLUME: f32 = 1e-12;

/// One piece of a model, ready to be a collider.
#[derive(Clone)]
pub(super) struct Solid {
    pub(super) shape: SharedShape,
    /// In the model's frame.
    pub(super) pose: Pose,
    /// Zero for a mesh that no push can move.
    pub(super) volume: f64,
}

/// The pieces of a model whose description has been checked.
pub(super) fn solids(model: &ModelDescription) -> Result<Vec<Solid>, EngineError> {
    let dynamic = model.mobility == Mobility::Dynamic;
    let solid = |part: &crate::engine::description::Part| {
        let (shape, turn, volume) = solid(&part.shape, dynamic).ok_or(EngineError::FlatMesh(model.name.clone()))?;
        Ok(Solid { shape, pose: body_pose(&part.pose) * turn, volume })
    };
    model.parts.iter().map(solid).collect()
}

/// The box around all pieces in the model's frame: its smallest and its largest corner.
pub(super) fn bounds(solids: &[Solid]) -> [[f64; 3]; 2] {
    let mut around = Aabb::new_invalid();
    for solid in solids {
        let part = solid.shape.compute_aabb(&solid.pose);
        around = Aabb::new(around.mins.min(part.mins), around.maxs.max(part.maxs));
    }
    [around.mins, around.maxs].map(|corner| [corner.x, corner.y, corner.z].map(f64::from))
}

/// The shape, how to turn it (rapier's cylinders stand along y), and its volume.
fn solid(shape: &Shape, dynamic: bool) -> Option<(SharedShape, Pose, f64)> {
    use std::f64::consts::PI;
    Some(match shape {
        Shape::Box { size_m } => {
            let [x, y, z] = size_m.map(|edge| edge as f32 / 2.0);
            (SharedShape::cuboid(x, y, z), Pose::IDENTITY, size_m.iter().product())
        }
        Shape::Cylinder { radius_m, length_m } => {
            let half = std::f32::consts::FRAC_1_SQRT_2;
            let y_to_z = Rotation::from_xyzw(half, 0.0, 0.0, half);
            let shape = SharedShape::cylinder(*length_m as f32 / 2.0, *radius_m as f32);
            (shape, Pose::from_rotation(y_to_z), PI * radius_m * radius_m * length_m)
        }
        Shape::Sphere { radius_m } => {
            let volume = 4.0 / 3.0 * PI * radius_m * radius_m * radius_m;
            (SharedShape::ball(*radius_m as f32), Pose::IDENTITY, volume)
        }
        Shape::TriMesh { vertices, indices } => {
            let vertices: Vec<Vector> = vertices.iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
            if dynamic {
                let (shape, volume) = hull(&vertices)?;
                (shape, Pose::IDENTITY, volume)
            } else {
                (surface(vertices, indices)?, Pose::IDENTITY, 0.0)
            }
        }
    })
}

fn hull(vertices: &[Vector]) -> Option<(SharedShape, f64)> {
    // The library gives up on some inputs by a panic; for us such a mesh is a refusal like any other.
    let shape = std::panic::catch_unwind(|| SharedShape::convex_hull(vertices)).ok().flatten()?;
    let volume = shape.mass_properties(1.0).mass();
    (volume.is_finite() && volume > MIN_HULL_VOLUME).then_some((shape, volume.into()))
}

fn surface(vertices: Vec<Vector>, indices: &[[u32; 3]]) -> Option<SharedShape> {
    let wide = |triangle: &&[u32; 3]| {
        let [a, b, c] = triangle.map(|index| vertices[index as usize]);
        (b - a).cross(c - a).length() > 2.0 * MIN_AREA
    };
    let indices: Vec<[u32; 3]> = indices.iter().filter(wide).copied().collect();
    // Where two triangles meet, a wheel or a sliding box must not feel an edge; which way the author turned them must not matter.
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED
        | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES
        | TriMeshFlags::DELETE_DUPLICATE_TRIANGLES;
    SharedShape::trimesh_with_flags(vertices, indices, flags).ok()
}
