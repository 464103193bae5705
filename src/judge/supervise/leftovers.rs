//! Below the level of PID namespaces a command can kill its supervising processes. What it leaves then is found here by other
//! traces: its control group, or a mark in its environment.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::message::OrderHead;
use super::{Level, cgroup, tree};

/// Variable that tells the commands of one launch from all others.
const MARK: &str = "SIM_API_RUN";

static NUMBER: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Clone, Default)]
pub struct Leftovers {
    group: Option<PathBuf>,
    mark: Option<String>,
}

/// Puts the mark into an order.
pub fn mark(head: &mut OrderHead) {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    head.env.push((MARK.into(), format!("{}-{number}", std::process::id()).into()));
}

impl Leftovers {
    pub fn new(level: Level, outer: Option<u32>, head: &OrderHead) -> Self {
        let marked = head.env.iter().rev().find(|(name, _)| name == MARK);
        let mark = marked.map(|(_, value)| format!("{MARK}={}", value.to_string_lossy()));
        match level {
            Level::PidNamespace => Self::default(),
            Level::Cgroup => Self { group: outer.and_then(cgroup::made_by), mark },
            Level::Subreaper => Self { group: None, mark },
        }
    }

    /// Returns when nothing is left that can be found.
    pub fn end(&self) {
        if let Some(group) = self.group.as_ref().filter(|group| group.exists())
            && let Err(err) = cgroup::end(group)
        {
            tracing::warn!("the control group {} stays behind: {err}", group.display());
        }
        if let Some(mark) = &self.mark {
            tree::kill_all(|pid| {
                let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_pid())).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
            });
        }
    }
}
