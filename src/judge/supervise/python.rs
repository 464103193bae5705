//! The Python that judging scripts run on.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

/// Below the data folder; `make` fills it.
const ROOT: &str = "python";
/// Inside a root, and inside the sandbox that is built on it.
const PROGRAM_IN_ROOT: &str = "usr/bin/python3.14";
const OLDEST: (u32, u32) = (3, 11);
/// Best last.
const CANDIDATES: [&str; 5] = ["/usr/bin/python3", "python3.14", "python3.13", "python3.12", "python3"];
const LIMIT: Duration = Duration::from_secs(10);
/// Tells its version and where it lives.
const SELF_PORTRAIT: &str =
    "import sys\nprint('%d.%d.%d' % sys.version_info[:3], sys.executable, sys.base_prefix, sep='\\n')";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    /// As the judge sees it.
    pub program: PathBuf,
    /// The root that takes the place of `/usr`; none for a Python of the system.
    pub root: Option<PathBuf>,
    /// Folder that must be visible for it to work, if it is not a part of the system.
    pub home: Option<PathBuf>,
    pub version: String,
}

/// Where the Python root of this data folder is.
pub fn root_in(data: &Path) -> PathBuf {
    data.join(ROOT)
}

pub fn is_root(folder: &Path) -> bool {
    folder.join(PROGRAM_IN_ROOT).is_file()
}

impl Python {
    /// Its version is known after the first run.
    pub fn in_root(root: &Path) -> Self {
        let program = Path::new("/").join(PROGRAM_IN_ROOT);
        Self { program, root: Some(root.to_owned()), home: None, version: String::new() }
    }

    /// The best of those that are installed, if one is good enough.
    pub async fn of_the_system() -> Option<Self> {
        for candidate in CANDIDATES.iter().skip(1).chain(CANDIDATES.first()) {
            if let Some(python) = examine(candidate).await {
                return Some(python);
            }
        }
        None
    }
}

async fn examine(candidate: &str) -> Option<Python> {
    let mut command = Command::new(candidate);
    let output = command.args(["-I", "-c", SELF_PORTRAIT]).stdin(Stdio::null()).kill_on_drop(true).output();
    let output = timeout(LIMIT, output).await.ok()?.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut lines = text.lines();
    let (version, program, prefix) = (lines.next()?, lines.next()?, lines.next()?);
    let mut numbers = version.split('.').map_while(|part| part.parse::<u32>().ok());
    if (numbers.next()?, numbers.next()?) < OLDEST {
        return None;
    }
    let home = (!prefix.starts_with("/usr")).then(|| PathBuf::from(prefix));
    Some(Python { program: program.into(), root: None, home, version: version.to_owned() })
}
