//! Claims about the world builder and about the official worlds, which are built by it.

mod description;
mod judge;
mod loading;
mod official;
mod shapes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sim_api::app::world_source::CatalogueWorlds;
use sim_api::builder::{self, Built, FileTree, Track};
use sim_api::sdf::{Files, FilesError, FoundFile, Scheme, Uri};
use sim_api::worlds::{Assets, Catalogue};

pub const OFFICIAL: [&str; 4] = ["vehicle_base", "vehicle_city", "vehicle_oval", "vehicle_slalom"];

pub fn worlds_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds")
}

/// The official worlds, as the simulator loads them.
pub fn official_worlds() -> Arc<CatalogueWorlds> {
    Arc::new(CatalogueWorlds::new(Catalogue::new(vec![worlds_dir()], worlds_dir().join("none"))))
}

/// The files of a world, as the simulator sees them.
pub struct WorldFiles(pub Assets);

impl WorldFiles {
    pub fn of(bundle: &Path) -> Self {
        Self(Assets::new(bundle, &[worlds_dir().join("shared")]))
    }
}

impl Files for WorldFiles {
    fn read(&self, uri: &Uri, limit_bytes: usize) -> Result<FoundFile, FilesError> {
        let found = match uri.scheme() {
            Scheme::Model => self.0.read_model_uri(&uri.to_string(), limit_bytes as u64),
            Scheme::Bundle => self.0.read(uri.path(), limit_bytes as u64),
        };
        let found = found.map_err(|err| FilesError::Unreadable(err.to_string()))?;
        Ok(FoundFile { bytes: found.bytes, path: found.path })
    }
}

/// Every file below a folder, by its path from there.
pub fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder of the project").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is below").to_string_lossy().replace('\\', "/");
                found.insert(name, std::fs::read(&path).expect("a file of the project"));
            }
        }
    }
    found
}

/// The names of files that differ, are missing or are too many.
pub fn differences(built: &FileTree, found: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let built: BTreeMap<String, Vec<u8>> =
        built.iter().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
    let names: std::collections::BTreeSet<&String> = built.keys().chain(found.keys()).collect();
    names.into_iter().filter(|name| built.get(*name) != found.get(*name)).cloned().collect()
}

/// A track around a square of 4 m, with `more` lines of YAML at the end.
pub fn square(more: &str) -> String {
    format!(
        "name: square\nsize_m: [5, 5]\nroad:\n  width_m: 0.8\n  corner_radius_m: 0.8\n  \
         corners: [[-1.5, -1.5], [1.5, -1.5], [1.5, 1.5], [-1.5, 1.5]]\n{more}"
    )
}

pub fn build(text: &str) -> Built {
    let track = Track::parse(text, "track.yaml").expect("a good description");
    builder::build(&track, Path::new("."), "track.yaml").expect("a track that can be built")
}

pub fn text_of<'a>(built: &'a Built, path: &str) -> &'a str {
    std::str::from_utf8(built.files.get(path).expect("a file of the bundle")).expect("text")
}
