//! Meshes and textures, read and decoded once: a respawn and a switch back find them here.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::engine::load::{LoadError, file_error};
use crate::mesh::{self, Mesh};
use crate::render::Texture;
use crate::sdf::{Files, FoundFile, Place, Uri};

/// One texture file; larger ones are photographs that nobody reduced.
const MAX_TEXTURE_BYTES: usize = 32 << 20;
/// Files kept. When there are more, all are let go and read again: worlds are switched rarely and have a dozen each.
const MAX_KEPT: usize = 256;

/// Keyed by content, so that a file that was changed on disk is read anew.
#[derive(Debug, Default)]
pub struct AssetCache {
    meshes: BTreeMap<u64, Arc<Mesh>>,
    textures: BTreeMap<u64, Arc<Texture>>,
}

impl AssetCache {
    /// The mesh and the path of its file, from which its own textures are found.
    pub(super) fn mesh(
        &mut self,
        uri: &Uri,
        place: &Place,
        files: &dyn Files,
    ) -> Result<(Arc<Mesh>, String), LoadError> {
        let found = files.read(uri, mesh::limits::MAX_FILE_BYTES).map_err(|err| file_error(place, uri, err))?;
        let key = key_of(&found);
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok((mesh.clone(), found.path));
        }
        let companion = |raw: &str| {
            let uri = Uri::resolve(raw, &found.path).ok()?;
            files.read(&uri, mesh::limits::MAX_COMPANION_BYTES).ok().map(|file| file.bytes)
        };
        let mesh = Arc::new(mesh::read(&found.path, &found.bytes, &companion)?);
        keep(&mut self.meshes, key, &mesh);
        Ok((mesh, found.path))
    }

    /// A missing or broken picture is no reason to refuse a world; the caller warns and shows the colour.
    pub(super) fn texture(&mut self, uri: &Uri, files: &dyn Files) -> Result<Arc<Texture>, String> {
        let found = files.read(uri, MAX_TEXTURE_BYTES).map_err(|err| err.to_string())?;
        let key = key_of(&found);
        if let Some(texture) = self.textures.get(&key) {
            return Ok(texture.clone());
        }
        let texture = Arc::new(Texture::decode(&found.bytes).map_err(|err| err.to_string())?);
        keep(&mut self.textures, key, &texture);
        Ok(texture)
    }
}

fn keep<T>(kept: &mut BTreeMap<u64, Arc<T>>, key: u64, value: &Arc<T>) {
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(key, value.clone());
}

fn key_of(file: &FoundFile) -> u64 {
    let mut hasher = DefaultHasher::new();
    file.path.hash(&mut hasher);
    file.bytes.hash(&mut hasher);
    hasher.finish()
}
