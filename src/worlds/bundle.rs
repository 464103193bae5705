//! One bundle: a folder with a world and everything that belongs to it.
//!
//! A [`Bundle`] is only a name and a place; each question looks at the disk when it is asked, so that a folder edited by
//! hand is seen as it is. Answers about the content come with the reason when they are bad.

mod metadata;

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ring::digest;
use thiserror::Error;

use super::evaluation::{self, Evaluation, EvaluationError};
use super::id::hex;
use super::route::{Route, RouteError};
use crate::domain::WorldName;
pub use metadata::Metadata;

/// Comments and declarations may stand before the first element, but not this much of them.
const HEAD_BYTES: u64 = 64 << 10;
const TAIL_BYTES: u64 = 4 << 10;
/// More than any sane bundle, so that a link cycle or a whole disk dropped in ends soon.
const MAX_FINGERPRINT_FILES: usize = 100_000;
/// The largest picture that is worth showing in a list.
const MAX_PICTURE_BYTES: u64 = 16 << 20;

#[derive(Debug, Error)]
pub enum BundleError {
    #[error("the folder has no file worlds/*.world")]
    NoWorldFile,
    #[error("the folder has several world files and none is named {0}.world")]
    ManyWorldFiles(WorldName),
    #[error("{file} cannot be read: {source}")]
    Unreadable { file: String, source: std::io::Error },
    #[error("{0} is not an SDF world: it has no <sdf> element")]
    NotSdf(String),
    #[error("{0} is incomplete: its <sdf> element does not end")]
    Truncated(String),
    #[error("{0} is a link that leads out of the bundle")]
    LeadsOut(String),
    #[error("bundle.json is damaged: {0}")]
    Metadata(String),
    #[error(transparent)]
    Route(#[from] RouteError),
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    name: WorldName,
    folder: PathBuf,
    official: bool,
}

impl Bundle {
    pub fn new(name: WorldName, folder: PathBuf, official: bool) -> Self {
        Self { name, folder, official }
    }

    pub fn name(&self) -> &WorldName {
        &self.name
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn is_official(&self) -> bool {
        self.official
    }

    /// The world file: named like the bundle, or else the only one. It exists and begins and ends like SDF; whether it can
    /// be loaded is for the loader to say.
    pub fn world_file(&self) -> Result<PathBuf, BundleError> {
        let path = self.find_world_file()?;
        let file = self.relative(&path);
        self.stay_inside(&path)?;
        check_world_file(&path, file)?;
        Ok(path)
    }

    /// None when it was not installed or made by our tools.
    pub fn metadata(&self) -> Result<Option<Metadata>, BundleError> {
        Metadata::read(&self.folder)
    }

    /// Where the route file is, if there is one.
    pub fn route_file(&self) -> Result<Option<PathBuf>, BundleError> {
        self.named_file("routes", "npy")
    }

    pub fn route(&self) -> Result<Option<Route>, BundleError> {
        self.route_file()?.map(|path| Route::read(&path).map_err(BundleError::from)).transpose()
    }

    /// A picture of the track from above; one that is too large for a list counts as none.
    pub fn picture_file(&self) -> Result<Option<PathBuf>, BundleError> {
        let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() <= MAX_PICTURE_BYTES);
        Ok(self.named_file("track_iconography", "png")?.filter(is_small))
    }

    /// Cheap: says only that the files are there and the script is not blank.
    pub fn has_evaluation(&self) -> bool {
        self.evaluation_files()
            .is_ok_and(|files| files.is_some_and(|(json, script)| evaluation::exists(&json, &script)))
    }

    pub fn evaluation(&self) -> Result<Option<Evaluation>, BundleError> {
        match self.evaluation_files()? {
            Some((json, script)) if evaluation::exists(&json, &script) => Ok(Some(Evaluation::read(&json, &script)?)),
            _ => Ok(None),
        }
    }

    /// Changes when a file of the bundle is changed, added or removed; looks at names, sizes and times only.
    pub fn fingerprint(&self) -> Result<String, BundleError> {
        let mut lines = Vec::new();
        let failed = |source| BundleError::Unreadable { file: self.name.to_string(), source };
        collect_stamps(&self.folder, &self.folder, &mut lines).map_err(failed)?;
        lines.sort_unstable();
        let digest = digest::digest(&digest::SHA256, lines.join("\n").as_bytes());
        Ok(hex(&digest.as_ref()[..8]))
    }

    fn evaluation_files(&self) -> Result<Option<(PathBuf, PathBuf)>, BundleError> {
        Ok(self.named_file("evaluations", "json")?.zip(self.named_file("evaluations", "py")?))
    }

    fn find_world_file(&self) -> Result<PathBuf, BundleError> {
        let folder = self.folder.join("worlds");
        let named = folder.join(self.name.file());
        if named.is_file() {
            return Ok(named);
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Err(BundleError::NoWorldFile),
            Err(source) => return Err(BundleError::Unreadable { file: "worlds".into(), source }),
        };
        let is_world = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "world") && path.is_file();
        let mut found = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_world);
        match (found.next(), found.next()) {
            (None, _) => Err(BundleError::NoWorldFile),
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => Err(BundleError::ManyWorldFiles(self.name.clone())),
        }
    }

    /// `<folder>/<name>.<extension>`, or the same with the name of the world file.
    fn named_file(&self, folder: &str, extension: &str) -> Result<Option<PathBuf>, BundleError> {
        let stem = self.find_world_file().ok().and_then(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let names = [Some(self.name.as_str()), stem.as_deref()];
        let paths =
            names.into_iter().flatten().map(|name| self.folder.join(folder).join(format!("{name}.{extension}")));
        let Some(path) = paths.into_iter().find(|path| path.is_file()) else { return Ok(None) };
        self.stay_inside(&path)?;
        Ok(Some(path))
    }

    fn stay_inside(&self, path: &Path) -> Result<(), BundleError> {
        let unreadable = |source| BundleError::Unreadable { file: self.relative(path), source };
        let root = self.folder.canonicalize().map_err(unreadable)?;
        if path.canonicalize().map_err(unreadable)?.starts_with(root) {
            return Ok(());
        }
        Err(BundleError::LeadsOut(self.relative(path)))
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string()
    }
}

/// A cheap look that catches other files, empty files and copies that were cut off.
pub(super) fn check_world_file(path: &Path, shown_as: String) -> Result<(), BundleError> {
    let (head, tail) = match ends(path) {
        Ok(ends) => ends,
        Err(source) => return Err(BundleError::Unreadable { file: shown_as, source }),
    };
    if !contains(&head, b"<sdf") {
        return Err(BundleError::NotSdf(shown_as));
    }
    if !contains(&tail, b"</sdf") {
        return Err(BundleError::Truncated(shown_as));
    }
    Ok(())
}

fn ends(path: &Path) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let mut file = File::open(path)?;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&mut file).take(HEAD_BYTES).read_to_end(&mut head)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    Ok((head, tail))
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

fn collect_stamps(top: &Path, folder: &Path, lines: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect_stamps(top, &path, lines)?;
            continue;
        }
        let Ok(found) = fs::metadata(&path) else { continue };
        if lines.len() >= MAX_FINGERPRINT_FILES {
            return Ok(());
        }
        let modified = found.modified()?.duration_since(std::time::UNIX_EPOCH).map_or(0, |age| age.as_nanos());
        lines.push(format!("{} {} {modified}", path.strip_prefix(top).unwrap_or(&path).display(), found.len()));
    }
    Ok(())
}
