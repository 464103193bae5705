//! How well the processes of a command are kept together. The best that works is what commands get.

use std::path::Path;
use std::time::Duration;

use super::running::Launch;
use super::{Limits, Order, PATIENCE, student};

/// From strong to weak. A judge's container is beside this scale: the engine keeps its processes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A PID namespace, if need be in a user namespace: nothing survives, and what is outside can neither be seen nor killed.
    PidNamespace,
    /// A control group: nothing survives, but the command sees other processes of its user.
    Cgroup,
    /// Orphans are adopted and killed by hand.
    Subreaper,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::PidNamespace, Self::Cgroup, Self::Subreaper];

    pub const fn word(self) -> &'static str {
        match self {
            Self::PidNamespace => "pid_namespace",
            Self::Cgroup => "cgroup",
            Self::Subreaper => "subreaper",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }

    /// What is missing at this level, for people.
    pub const fn warning(self) -> Option<&'static str> {
        match self {
            Self::PidNamespace => None,
            Self::Cgroup => {
                Some("a student's program can see and kill the judge; allow user namespaces to prevent that")
            }
            Self::Subreaper => Some(
                "a student's program can see and kill the judge and its own supervisor; allow user namespaces to prevent that",
            ),
        }
    }

    /// Tries each level for real, beginning with `best`; `program` is one that calls [`super::take_over`].
    pub async fn probe(program: &Path, best: Self) -> Self {
        for level in Self::ALL.into_iter().filter(|level| (best..Self::Subreaper).contains(level)) {
            let launch = Launch { program: program.to_owned(), level, patience: PATIENCE };
            let nothing = Order { argv: vec!["true".into()], ..Order::student("", "/".into(), Limits::STUDENT) };
            if let Ok(mut running) = launch.start(&student(&nothing, Duration::ZERO), Vec::new(), None).await
                && running.exited().await.code == 0
            {
                running.stop().await;
                return level;
            }
        }
        Self::Subreaper
    }
}
