//! Which of the ways to contain an evaluation this machine offers. The best one that works is what evaluations get.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{Finding, Mark, ask};

/// From strong to weak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Level {
    Container { engine: &'static str },
    PidNamespace,
    Cgroup { folder: PathBuf },
    Subreaper,
}

/// Tries each level for real, the strongest first.
pub async fn probe() -> Level {
    for engine in ["docker", "podman"] {
        // Listing reaches the engine; asking for the version would be answered by the client alone.
        if ask(engine, &["ps", "--quiet"]).await.is_some() {
            return Level::Container { engine };
        }
    }
    if ask("unshare", &["--user", "--map-root-user", "--pid", "--fork", "true"]).await.is_some() {
        return Level::PidNamespace;
    }
    match own_cgroup() {
        Some(folder) => Level::Cgroup { folder },
        None => Level::Subreaper,
    }
}

pub fn finding(level: &Level) -> Finding {
    match level {
        Level::Container { engine } => {
            Finding::new(Mark::Ok, "sandbox", format!("evaluations run in a container ({engine} answers)"))
        }
        Level::PidNamespace => {
            let text = "evaluations run in a process namespace; with docker or podman they would be better contained";
            Finding::new(Mark::Ok, "sandbox", text)
        }
        Level::Cgroup { folder } => {
            let text = format!(
                "evaluations run in a control group below {}; user namespaces or docker contain better",
                folder.display()
            );
            Finding::new(Mark::Warn, "sandbox", text)
        }
        Level::Subreaper => {
            let text = "evaluations are only tracked by their parent process; for real limits install docker or podman";
            Finding::new(Mark::Warn, "sandbox", text)
        }
    }
}

/// The folder of this process in the version 2 hierarchy, if groups can be made in it.
fn own_cgroup() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let root = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ');
        let folder = fields.nth(1)?;
        (fields.next()? == "cgroup2").then(|| PathBuf::from(folder))
    })?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let folder = root.join(Path::new(own).strip_prefix("/").ok()?);
    let is_writable = |path: &Path| access(path, Access::WRITE_OK).is_ok();
    (is_writable(&folder) && is_writable(&folder.join("cgroup.procs"))).then_some(folder)
}
