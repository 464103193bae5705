//! How much of the machine a command may take, and what holds it to that.
//!
//! Each process is limited by the kernel (`setrlimit`). The sum over all processes is limited by a control group where one
//! can be had; the inner process watches it in any case.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};
use serde::{Deserialize, Serialize};

use super::tree::{self, Usage};
use super::{Level, namespace};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// For all processes of a command together, if not said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    pub memory_bytes: u64,
    /// Threads count like processes.
    pub processes: u64,
    /// For each file.
    pub file_bytes: u64,
    /// What a judge can store in its working folder and `/tmp`.
    pub folder_bytes: u64,
}

impl Limits {
    pub const STUDENT: Self = Self { memory_bytes: 4 * GIB, processes: 512, file_bytes: GIB, folder_bytes: 0 };
    pub const JUDGE: Self = Self { memory_bytes: GIB, processes: 64, file_bytes: 64 * MIB, folder_bytes: 64 * MIB };

    /// Limits this process and all it starts from now on.
    pub(super) fn apply(&self, level: Level) -> std::io::Result<()> {
        lower(Resource::Data, self.memory_bytes)?;
        lower(Resource::Fsize, self.file_bytes)?;
        lower(Resource::Core, 0)?;
        // The kernel does not count the processes of root.
        let uid = getuid();
        if uid.is_root() {
            return Ok(());
        }
        // Since Linux 5.14 a user namespace counts from zero; otherwise everything counts that the user runs already.
        let counts_alone = level == Level::PidNamespace && namespace::has_own_user() && kernel() >= (5, 14);
        let others = if counts_alone { 0 } else { tree::threads_of(uid) };
        lower(Resource::Nproc, others + self.processes)
    }

    /// What is exceeded, in words for the person whose program it is.
    pub(super) fn exceeded(&self, usage: Usage) -> Option<String> {
        if usage.memory_bytes > self.memory_bytes {
            return Some(format!("it used more than {} MiB of memory", self.memory_bytes / MIB));
        }
        if usage.threads > self.processes {
            return Some(format!("it ran more than {} processes and threads at once", self.processes));
        }
        None
    }
}

fn lower(resource: Resource, limit: u64) -> std::io::Result<()> {
    let before = getrlimit(resource);
    let limit = before.maximum.map_or(limit, |maximum| maximum.min(limit));
    Ok(setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}

/// Since Linux 6.14 each PID namespace has its own highest number, and so a bound on its processes that holds at once. Before,
/// the file spoke of the whole machine and must not be touched.
pub fn bound_process_numbers(processes: u64) {
    const RESERVED: u64 = 300;
    if kernel() >= (6, 14) {
        // One more way to the same end: without it the watch stops the command a little later.
        let _ = fs::write("/proc/sys/kernel/pid_max", (RESERVED + processes + 1).to_string());
    }
}

/// Version of the running kernel.
fn kernel() -> (u32, u32) {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers = release.split(['.', '-', '+']).map_while(|part| part.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}
