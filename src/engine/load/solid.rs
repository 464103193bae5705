//! Collisions of a model as shapes for the physics.

use std::sync::Arc;

use crate::engine::description::{Ground, Part, Shape};
use crate::engine::load::{AssetCache, DEFAULT_FRICTION, LoadError, file_error};
use crate::mesh::Mesh;
use crate::sdf::appearance::is_level;
use crate::sdf::{Collision, Files, Geometry, Model};

#[derive(Debug, Default)]
pub(super) struct Solids {
    pub(super) parts: Vec<Part>,
    /// From a level plane among the collisions.
    pub(super) ground: Option<Ground>,
    pub(super) friction: Option<f64>,
}

pub(super) fn of_model(
    model: &Model,
    files: &dyn Files,
    cache: &mut AssetCache,
    warnings: &mut Vec<String>,
) -> Result<Solids, LoadError> {
    let mut solids = Solids::default();
    for link in &model.links {
        for collision in &link.collisions {
            let friction = collision.surface.mu.or(collision.surface.mu2);
            let model_from_shape = link.pose.compose(&collision.pose);
            let Some(shape) = shape_of(collision, files, cache, warnings)? else {
                let plane = model.pose.compose(&model_from_shape);
                if is_level(&plane, &collision.geometry) && model.is_static {
                    let friction = friction.unwrap_or(DEFAULT_FRICTION);
                    solids.ground.get_or_insert(Ground { height_m: plane.position.z, friction });
                } else {
                    warnings.push(format!("{}: only a level plane of a static model can be hit", collision.place));
                }
                continue;
            };
            solids.friction = solids.friction.or(friction);
            solids.parts.push(Part { shape, pose: model_from_shape });
        }
    }
    Ok(solids)
}

/// Nothing for a plane, which is ground and no body.
fn shape_of(
    collision: &Collision,
    files: &dyn Files,
    cache: &mut AssetCache,
    warnings: &mut Vec<String>,
) -> Result<Option<Shape>, LoadError> {
    Ok(Some(match &collision.geometry {
        Geometry::Box { size_m } => Shape::Box { size_m: *size_m },
        Geometry::Cylinder { radius_m, length_m } => Shape::Cylinder { radius_m: *radius_m, length_m: *length_m },
        Geometry::Sphere { radius_m } => Shape::Sphere { radius_m: *radius_m },
        Geometry::Capsule { radius_m, length_m } => {
            warnings.push(format!("{}: a capsule is simulated as a cylinder", collision.place));
            Shape::Cylinder { radius_m: *radius_m, length_m: length_m + 2.0 * radius_m }
        }
        Geometry::Ellipsoid { radii_m } => {
            warnings.push(format!("{}: an ellipsoid is simulated as a box", collision.place));
            Shape::Box { size_m: radii_m.map(|radius| 2.0 * radius) }
        }
        Geometry::Mesh { uri, scale, submesh } => {
            let (mesh, _) = cache.mesh(uri, &collision.place, files)?;
            let chosen = match submesh {
                Some(part) => {
                    let missing = || file_error(&collision.place, uri, format!("it has no submesh `{}`", part.name));
                    &mesh.submesh(&part.name, part.center).ok_or_else(missing)?
                }
                None => &*mesh,
            };
            triangles(chosen, *scale)
        }
        Geometry::Plane { .. } => return Ok(None),
    }))
}

fn triangles(mesh: &Mesh, scale: [f64; 3]) -> Shape {
    let scaled = |p: &[f32; 3]| std::array::from_fn(|axis| (f64::from(p[axis]) * scale[axis]) as f32);
    let vertices: Vec<[f32; 3]> = mesh.parts.iter().flat_map(|part| part.positions.iter().map(scaled)).collect();
    let mut indices = Vec::new();
    let mut first = 0;
    for part in &mesh.parts {
        indices.extend(part.indices.as_chunks::<3>().0.iter().map(|corners| corners.map(|index| index + first)));
        first += part.positions.len() as u32;
    }
    Shape::TriMesh { vertices: Arc::from(vertices), indices: Arc::from(indices) }
}
