//! SDF text (1.4 to 1.11) turned into a typed tree.
//!
//! Promises that every value in the tree is checked (finite, in a sensible range, names unique) and every pose resolved;
//! that what is ignored is a warning and what is broken an error, both with file and line; and that no input, however
//! hostile, makes it crash, hang or grow without bound (`limits`). Reads other files only through `Files`, and only paths
//! that cannot leave the folders of worlds (`Uri`). Knows no physics, no rendering and no meshes.

pub mod appearance;
mod builtin;
pub mod conventions;
mod element;
mod error;
mod files;
mod frames;
mod geometry;
mod include;
mod light;
pub mod limits;
mod link;
mod material;
mod model;
mod pose;
mod reader;
mod tree;
mod uri;
mod version;
mod world;

use std::sync::Arc;

pub use error::{Place, Problem, SdfError, Warning};
pub use files::{Files, FilesError, FoundFile, NoFiles};
pub use tree::{
    Attenuation, Collision, Color, Geometry, Inertia, Inertial, Light, LightKind, Link, Material, Model, Physics,
    Scene, Submesh, Surface, Visual, World,
};
pub use uri::{Scheme, Uri};

/// What a file holds and what was left out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded<T> {
    pub content: T,
    /// In the order in which they came up; each place and kind once.
    pub warnings: Vec<Warning>,
    /// How many more there were after the first `limits::MAX_WARNINGS`.
    pub warnings_omitted: usize,
}

/// Reads a world file. `path` is its place from the top folder of the bundle, for example `worlds/oval.world`.
pub fn read_world(bytes: &[u8], path: &str, files: &dyn Files) -> Result<Loaded<World>, SdfError> {
    read(bytes, path, files, "world", world::read_world)
}

/// Reads a model file. The model's pose comes out in the frame that it would be placed in.
pub fn read_model(bytes: &[u8], path: &str, files: &dyn Files) -> Result<Loaded<Model>, SdfError> {
    read(bytes, path, files, "model", |reader, element| {
        let raw = model::read_model(reader, element)?;
        let mut frames = frames::Frames::of_world();
        raw.enter(&mut frames)?;
        let pose = frames.resolve(&raw.model.name, &raw.model.place)?;
        Ok(Model { pose: pose::to_pose(&pose), ..raw.model })
    })
}

fn read<T>(
    bytes: &[u8],
    path: &str,
    files: &dyn Files,
    wanted: &'static str,
    content: impl for<'r, 's> FnOnce(&mut reader::Reader<'r>, element::Element<'s>) -> element::Result<T>,
) -> Result<Loaded<T>, SdfError> {
    let mut reader = reader::Reader::new(files);
    reader.open_files.push(path.to_owned());
    let file: Arc<str> = path.into();
    let content = reader.with_file(&file, bytes, |reader, root| {
        version::check(reader, root)?;
        let found = element::require(root.child(wanted), root, wanted)?;
        let mut others: Vec<_> = root.children().collect();
        if let Some(first) = others.iter().position(|child| child.name() == wanted) {
            others.remove(first);
        }
        others.into_iter().for_each(|child| reader.ignore(child, root));
        content(reader, found)
    })?;
    let (warnings, warnings_omitted) = reader.into_warnings();
    Ok(Loaded { content, warnings, warnings_omitted })
}
