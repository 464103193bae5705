//! Which files of a bundle belong to its world by name, and what they are called under another name.

use thiserror::Error;

use super::bundle_path::BundlePath;

/// The folders whose files are named after the world.
const NAMED_FOLDERS: [&str; 4] = ["worlds", "routes", "track_iconography", "evaluations"];

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LayoutError {
    #[error("it has no file worlds/*.world")]
    NoWorldFile,
    #[error("it has more than one world file: {0} and {1}")]
    TwoWorldFiles(BundlePath, BundlePath),
}

/// The name, without `.world`, of the one world file.
pub fn world_stem(files: &[BundlePath]) -> Result<&str, LayoutError> {
    let mut found = files.iter().filter_map(|path| Some((path, stem_of_world(path)?)));
    match (found.next(), found.next()) {
        (None, _) => Err(LayoutError::NoWorldFile),
        (Some((_, stem)), None) => Ok(stem),
        (Some((one, _)), Some((two, _))) => Err(LayoutError::TwoWorldFiles(one.clone(), two.clone())),
    }
}

fn stem_of_world(path: &BundlePath) -> Option<&str> {
    let (folder, file) = path.in_top_folder()?;
    file.strip_suffix(".world").filter(|stem| folder == "worlds" && !stem.is_empty())
}

/// Every file with the path it gets when the world `stem` becomes `name`. A file that has the new name already keeps it, and
/// one that would take it then stays as it is.
pub fn renamed(files: &[BundlePath], stem: &str, name: &str) -> Vec<(BundlePath, BundlePath)> {
    let taken: Vec<String> = files.iter().map(|path| path.as_str().to_ascii_lowercase()).collect();
    let new_path = |path: &BundlePath| {
        let (folder, file) = path.in_top_folder()?;
        let rest = file.strip_prefix(stem).filter(|rest| rest.starts_with('.'))?;
        let new = BundlePath::from_parts(folder, &format!("{name}{rest}"));
        let free = stem != name && !taken.contains(&new.as_str().to_ascii_lowercase());
        (NAMED_FOLDERS.contains(&folder) && free).then_some(new)
    };
    files.iter().map(|path| (path.clone(), new_path(path).unwrap_or_else(|| path.clone()))).collect()
}
