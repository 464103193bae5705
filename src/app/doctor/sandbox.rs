//! Which of the ways to contain an evaluation this machine offers. The best one that works is what evaluations get.

use std::path::Path;

use super::{Finding, Mark};
use crate::app::settings::EvaluationRuntime;
use crate::judge::supervise::{Engine, IMAGE, Level};

/// What this machine offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The engine that evaluations would use, and whether it has the judge's image.
    pub engine: Option<(Engine, bool)>,
    pub level: Level,
}

impl Offer {
    /// Tries each way for real, with this program as the supervising process.
    pub async fn probe() -> Self {
        let mut engine = None;
        for candidate in Engine::ALL {
            if !candidate.answers().await {
                continue;
            }
            let has_image = candidate.has_image().await;
            if engine.is_none() || has_image {
                engine = Some((candidate, has_image));
            }
            if has_image {
                break;
            }
        }
        Self { engine, level: Level::probe(Path::new("/proc/self/exe"), Level::PidNamespace).await }
    }
}

/// The student's command is always a process of this machine, so its level decides.
pub fn finding(offer: Offer, wanted: EvaluationRuntime) -> Finding {
    let Offer { engine, level } = offer;
    let is_container = matches!(wanted, EvaluationRuntime::Auto | EvaluationRuntime::Container);
    let judge = match (engine.filter(|_| is_container), level) {
        (Some((engine, true)), _) => format!("judging scripts run in a container ({} answers)", engine.program),
        (Some((engine, false)), _) => {
            format!("judging scripts run in a container as soon as {} has fetched {IMAGE}", engine.program)
        }
        (None, _) if wanted == EvaluationRuntime::Container => {
            let text = "evaluation_runtime is container, but neither docker nor podman answers: nothing can be judged";
            return Finding::new(Mark::Warn, "sandbox", text);
        }
        (None, Level::PidNamespace) if wanted != EvaluationRuntime::Process => {
            "judging scripts run in a sandbox".to_owned()
        }
        (None, _) => "judging scripts run as plain processes".to_owned(),
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
