//! Which of the ways to contain an evaluation this machine offers. The best one that works is what evaluations get.

use std::path::Path;

use super::{Finding, Mark};
use crate::judge::supervise::{Engine, Level};

/// Tries each way for real, with this program as the supervising process.
pub async fn probe() -> (Option<Engine>, Level) {
    (Engine::probe().await, Level::probe(Path::new("/proc/self/exe"), Level::PidNamespace).await)
}

/// The student's command is always a process of this machine, so its level decides.
pub fn finding(engine: Option<Engine>, level: Level) -> Finding {
    let judge = match (engine, level) {
        (Some(engine), _) => format!("judging scripts run in a container ({} answers)", engine.program),
        (None, Level::PidNamespace) => "judging scripts run in a sandbox".to_owned(),
        (None, Level::Cgroup | Level::Subreaper) => "judging scripts run as plain processes".to_owned(),
    };
    let students = match level {
        Level::PidNamespace => "students' programs in a process namespace",
        Level::Cgroup => "students' programs in a control group",
        Level::Subreaper => "students' programs are only tracked by their parent process",
    };
    match level.warning() {
        None => Finding::new(Mark::Ok, "sandbox", format!("{judge}, {students}")),
        Some(warning) => Finding::new(Mark::Warn, "sandbox", format!("{judge}, {students}: {warning}")),
    }
}
