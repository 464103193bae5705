//! The processes below another one, as `/proc` shows them: who they are, what they use, and their end.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use rustix::process::{Pid, Signal, Uid, WaitOptions, getpid, kill_process, wait};

/// Rounds of killing between two looks at the whole process table.
const QUICK_ROUNDS: usize = 20;
const BETWEEN_ROUNDS: Duration = Duration::from_millis(1);

/// What a set of processes uses together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub memory_bytes: u64,
    pub threads: u64,
}

/// Every process that this `/proc` shows, but the caller.
pub fn all_others() -> Vec<Pid> {
    let own = getpid();
    numbers().filter(|pid| *pid != own).collect()
}

/// Living processes that descend from `ancestor`.
pub fn descendants(ancestor: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<Pid>> = BTreeMap::new();
    for pid in numbers() {
        if let Some(stat) = Stat::read(pid) {
            children.entry(stat.parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![ancestor];
    while let Some(parent) = open.pop() {
        for child in children.remove(&parent.as_raw_pid()).unwrap_or_default() {
            found.push(child);
            open.push(child);
        }
    }
    found.retain(|pid| Stat::read(*pid).is_some_and(|stat| !stat.is_dead));
    found
}

/// Threads of all processes that this user has, as far as this `/proc` shows them.
pub fn threads_of(user: Uid) -> u64 {
    let is_theirs =
        |pid: &Pid| fs::metadata(format!("/proc/{}", pid.as_raw_pid())).is_ok_and(|data| data.uid() == user.as_raw());
    numbers().filter(is_theirs).filter_map(Stat::read).map(|stat| stat.threads).sum()
}

pub fn usage(processes: &[Pid]) -> Usage {
    let page = rustix::param::page_size() as u64;
    let mut usage = Usage::default();
    for pid in processes {
        usage.threads += Stat::read(*pid).map_or(0, |stat| stat.threads);
        usage.memory_bytes += private_pages(*pid).unwrap_or(0) * page;
    }
    usage
}

/// SIGKILL to everything below this process, again and again, until nothing is left; waits for the dead.
///
/// A process that keeps forking and ending is hard to hit by a number from the table of all processes. What it leaves is a
/// child of ours at once, and that list is short and quick to read.
pub fn kill_descendants() {
    loop {
        for _ in 0..QUICK_ROUNDS {
            direct_children().into_iter().for_each(kill);
            reap(|_, _| ());
        }
        let rest = descendants(getpid());
        if rest.is_empty() {
            return;
        }
        rest.into_iter().for_each(kill);
        std::thread::sleep(BETWEEN_ROUNDS);
    }
}

/// SIGKILL to every process of this machine that is meant, until there is none.
pub fn kill_all(is_meant: impl Fn(Pid) -> bool) {
    loop {
        let alive = |pid: &Pid| Stat::read(*pid).is_some_and(|stat| !stat.is_dead);
        let meant: Vec<Pid> = all_others().into_iter().filter(|pid| is_meant(*pid) && alive(pid)).collect();
        if meant.is_empty() {
            return;
        }
        meant.into_iter().for_each(kill);
        std::thread::sleep(BETWEEN_ROUNDS);
    }
}

/// Takes note of every child that has ended: its number, and its exit code or negative signal.
pub fn reap(mut ended: impl FnMut(Pid, i32)) {
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        let code = status.exit_status().or_else(|| status.terminating_signal().map(|signal| -signal));
        if let Some(code) = code {
            ended(pid, code);
        }
    }
}

/// It may have ended by itself in between; that is as good.
fn kill(pid: Pid) {
    let _ = kill_process(pid, Signal::KILL);
}

/// Empty where the kernel was built without this list.
fn direct_children() -> Vec<Pid> {
    let list = fs::read_to_string(format!("/proc/self/task/{}/children", getpid().as_raw_pid())).unwrap_or_default();
    list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok().and_then(Pid::from_raw)).collect()
}

fn numbers() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))
}

struct Stat {
    parent: i32,
    threads: u64,
    is_dead: bool,
}

impl Stat {
    fn read(pid: Pid) -> Option<Self> {
        let text = fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
        // The name before it may hold any byte, brackets too.
        let text = String::from_utf8_lossy(&text);
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        let threads = fields.get(17)?.parse().ok()?;
        // A process whose first thread has left lives on in the others.
        let is_dead = matches!(*fields.first()?, "Z" | "X") && threads <= 1;
        Some(Self { parent: fields.get(1)?.parse().ok()?, threads, is_dead })
    }
}

/// What the process does not share with others.
fn private_pages(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_pid())).ok()?;
    let mut fields = text.split(' ').skip(1).map_while(|field| field.parse::<u64>().ok());
    Some(fields.next()?.saturating_sub(fields.next()?))
}
