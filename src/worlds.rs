//! Worlds as files: bundles on disk, the catalogue of them, their routes and evaluations, install and publish.
//!
//! A bundle is a folder in the published layout (`worlds/`, `models/`, `meshes/`, `textures/`, `routes/`,
//! `track_iconography/`, `evaluations/`). What comes from outside (a download, a folder dropped in by hand) is never
//! trusted: a broken bundle is a listed value with its error, and no path leads out of its folder. Everything that changes
//! the disk appears or disappears by one rename.
//!
//! Nothing here loads a world into the simulation, and nothing knows the HTTP API. Reading is plain blocking file access
//! (call it from `spawn_blocking`); only [`Installer`] is async.
//!
//! **Names.** A world is named like its folder, and its file is `<name>.world`. An installed world is named
//! `custom_<world_id>`; what the published bundle named after its world file (`worlds/`, `routes/`, `evaluations/`,
//! `track_iconography/`) takes this name during the install, and already during our own publishing. A folder made by hand,
//! for example as a copy, may keep the old name inside: a single world file is the bundle's, whatever it is called.

pub mod assets;
pub mod bundle;
pub mod bundle_path;
pub mod catalogue;
pub mod definition;
pub mod display;
pub mod durable;
pub mod evaluation;
pub mod id;
pub mod install;
mod layout;
pub mod library;
pub mod meta;
pub mod npy;
pub mod publish;
pub mod route;
mod sdf_files;
pub mod store;

/// The official world that is there when no other is asked for.
pub const DEFAULT_WORLD: &str = "vehicle_base";

pub use assets::{AssetError, Assets, FoundAsset};
pub use bundle::{Bundle, BundleError, Metadata};
pub use bundle_path::{BundlePath, PathError};
pub use catalogue::{Catalogue, CatalogueError, Entry};
pub use definition::{DefinitionError, ObjectDefinition, WorldDefinition};
pub use evaluation::{Better, Evaluation, EvaluationConfig, EvaluationError};
pub use id::{IdError, Rev, WorldId};
pub use install::{
    InstallError, InstallLimits, InstallOptions, InstallPhase, InstallProgress, Installed, Installer, Unusable,
    is_worlds_url,
};
pub use library::{Library, LibraryError};
pub use meta::{Access, Meta};
pub use publish::{Cdn, PublishError, PublishedEntry, PublishedWorld};
pub use route::{Bounds, Route, RouteError};
pub use store::{Store, StoreError};
