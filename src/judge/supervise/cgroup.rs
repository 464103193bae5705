//! A control group (version 2) around a command: the kernel ends all of it at once, and limits the sum where it may.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Access, access};

use super::Limits;

const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// The group of this process, if groups can be made in it.
fn own() -> Option<PathBuf> {
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

/// A new group for one command. One that cannot limit anything is of use only where it is needed for killing.
pub fn create(for_killing: bool) -> Option<PathBuf> {
    let group = made_by(std::process::id())?;
    fs::create_dir(&group).ok()?;
    let limits = ["memory.max", "pids.max"].iter().any(|file| group.join(file).exists());
    let kills = group.join("cgroup.kill").exists();
    if kills && (limits || for_killing) {
        return Some(group);
    }
    // Empty, so nothing can be in the way.
    let _ = fs::remove_dir(&group);
    None
}

/// The group that a supervising process with this number makes.
pub fn made_by(pid: u32) -> Option<PathBuf> {
    Some(own()?.join(format!("sim_api-{pid}")))
}

/// Puts this process, and with it all it will start, into the group.
pub fn join(group: &Path, limits: &Limits) -> io::Result<()> {
    // Which limits a group knows is decided by the groups above it. What is missing, the watch makes up for.
    let _ = fs::write(group.join("memory.max"), limits.memory_bytes.to_string());
    let _ = fs::write(group.join("pids.max"), limits.processes.to_string());
    fs::write(group.join("cgroup.procs"), "0")
}

/// Kills everything in the group and removes it. To be called from outside of it.
pub fn end(group: &Path) -> io::Result<()> {
    while is_populated(group)? {
        fs::write(group.join("cgroup.kill"), "1")?;
        std::thread::sleep(BETWEEN_LOOKS);
    }
    fs::remove_dir(group)
}

fn is_populated(group: &Path) -> io::Result<bool> {
    Ok(fs::read_to_string(group.join("cgroup.events"))?.lines().any(|line| line == "populated 1"))
}
