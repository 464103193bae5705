//! A mesh file as triangles that a viewer can draw at once, whatever its format.

use thiserror::Error;

use crate::mesh::{self, Mesh, MeshError, Part};
use crate::sdf::Uri;
use crate::worlds::{AssetError, Assets};

#[derive(Debug, Error)]
pub enum TrianglesError {
    #[error(transparent)]
    Asset(#[from] AssetError),
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error("the mesh has no part named \"{0}\"")]
    NoSuchPart(String),
}

/// One material of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct TrianglesPart {
    pub part: Part,
    /// The picture's file, from the top folder; `None` without one, and for one that is missing.
    pub texture: Option<String>,
}

/// Reads the mesh at `path`; with `submesh` only the parts that it names, moved to the origin when its second value says so.
pub fn read_triangles(
    assets: &Assets,
    path: &str,
    submesh: Option<(&str, bool)>,
) -> Result<Vec<TrianglesPart>, TrianglesError> {
    let found = assets.read(path, mesh::limits::MAX_FILE_BYTES as u64)?;
    let companion = |raw: &str| {
        let uri = Uri::resolve(raw, &found.path).ok()?;
        let path = assets.path_of(&uri).ok()?;
        assets.read(&path, mesh::limits::MAX_COMPANION_BYTES as u64).ok().map(|file| file.bytes)
    };
    let mesh = mesh::read(&found.path, &found.bytes, &companion)?;
    let mesh = match submesh {
        Some((name, center)) => {
            mesh.submesh(name, center).ok_or_else(|| TrianglesError::NoSuchPart(name.to_owned()))?
        }
        None => mesh,
    };
    Ok(with_textures(mesh, assets, &found.path))
}

fn with_textures(mesh: Mesh, assets: &Assets, mesh_path: &str) -> Vec<TrianglesPart> {
    let parts = mesh.parts.into_iter().map(|part| {
        let raw = part.material.texture.as_deref();
        let uri = raw.and_then(|raw| Uri::resolve(raw, mesh_path).ok());
        TrianglesPart { texture: uri.and_then(|uri| assets.path_of(&uri).ok()), part }
    });
    parts.collect()
}
