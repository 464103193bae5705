//! The last part of an install: what was downloaded is named, checked and put in its place.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::download::Staging;
use super::plan::{Plan, Source};
use super::unpack::unpack;
use super::{InstallError, InstallLimits, Unusable};
use crate::domain::WorldName;
use crate::worlds::bundle::{self, Metadata};
use crate::worlds::bundle_path::BundlePath;
use crate::worlds::evaluation::Evaluation;
use crate::worlds::id::WorldId;
use crate::worlds::route::Route;
use crate::worlds::store::Store;
use crate::worlds::{durable, layout};

/// Blocking. The world is visible when this answers Ok, and not before.
pub fn finish(
    staging: &Staging,
    plan: &Plan,
    id: &WorldId,
    store: &Store,
    limits: &InstallLimits,
) -> Result<(), InstallError> {
    let folder = staging.bundle();
    let files = match &plan.source {
        Source::Files(files) => files.clone(),
        Source::Archive { files, .. } => unpack(&staging.archive(), &folder, files.as_deref(), limits)?,
    };
    let name = id.world_name();
    let stem = layout::world_stem(&files).map_err(Unusable::from)?;
    let disk = |err: std::io::Error| InstallError::disk(&folder, &err);
    let mut sizes = BTreeMap::new();
    for (old, new) in layout::renamed(&files, stem, name.as_str()) {
        if old != new {
            fs::rename(folder.join(old.as_str()), folder.join(new.as_str())).map_err(disk)?;
        }
        let length = fs::metadata(folder.join(new.as_str())).map_err(disk)?.len();
        sizes.insert(new.as_str().to_owned(), length);
    }
    check_content(&folder, &name)?;
    let metadata = Metadata {
        display: plan.display.clone(),
        world_id: Some(id.clone()),
        rev: Some(plan.meta.rev.clone()),
        access: plan.meta.access,
        size: plan.meta.size,
        installed_at_unix_s: SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|age| age.as_secs()),
        files: Some(sizes),
    };
    metadata.write(&folder).map_err(disk)?;
    durable::sync_folders(&folder).map_err(disk)?;
    store.put(&folder, &name).map_err(disk)
}

/// The same revision is installed and every file is as long as it was.
pub fn is_installed(folder: &Path, plan: &Plan) -> Option<Metadata> {
    let metadata = Metadata::read(folder).ok().flatten()?;
    let files = metadata.files.as_ref().filter(|_| metadata.rev.as_ref() == Some(&plan.meta.rev))?;
    let is_there = |(path, length): (&String, &u64)| {
        fs::symlink_metadata(folder.join(path)).is_ok_and(|found| found.is_file() && found.len() == *length)
    };
    (!files.is_empty() && files.iter().all(is_there)).then_some(metadata)
}

/// Name and access can change after publishing; the files cannot.
pub fn refresh_metadata(folder: &Path, mut metadata: Metadata, plan: &Plan) -> Result<(), InstallError> {
    if metadata.display == plan.display && metadata.access == plan.meta.access {
        return Ok(());
    }
    metadata.display = plan.display.clone();
    metadata.access = plan.meta.access;
    metadata.write(folder).map_err(|err| InstallError::disk(folder, &err))
}

/// What the simulator will read later has to be readable now. Pictures and meshes are looked at when they are used.
pub(in crate::worlds) fn check_content(folder: &Path, name: &WorldName) -> Result<(), Unusable> {
    let fault = |folder: &str, extension: &str, fault: String| Unusable::Content {
        path: BundlePath::from_parts(folder, &format!("{name}.{extension}")),
        fault,
    };
    let file = |sub: &str, extension: &str| folder.join(sub).join(format!("{name}.{extension}"));
    bundle::check_world_file(&file("worlds", "world"), name.file())
        .map_err(|err| fault("worlds", "world", err.to_string()))?;
    let route = file("routes", "npy");
    if route.is_file() {
        Route::read(&route).map_err(|err| fault("routes", "npy", err.to_string()))?;
    }
    let (json, script) = (file("evaluations", "json"), file("evaluations", "py"));
    if json.is_file() && script.is_file() {
        Evaluation::read(&json, &script).map_err(|err| fault("evaluations", "json", err.to_string()))?;
    }
    Ok(())
}
