//! Shows everybody, through the live state, how the session is going.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tracing::debug;

use crate::bridge::BridgeHandle;
use crate::domain::{EvaluationSummary, StudentRun};

/// Nobody waits longer than this for the live state.
const PATIENCE: Duration = Duration::from_secs(1);

type Report = (StudentRun, EvaluationSummary);

/// Hands over what is to be shown; only the newest counts.
#[derive(Debug, Clone)]
pub struct Reporter {
    wanted: watch::Sender<(u64, Option<Report>)>,
    shown: watch::Receiver<u64>,
}

/// The end that does the showing.
#[derive(Debug)]
pub struct Reporting {
    wanted: watch::Receiver<(u64, Option<Report>)>,
    shown: watch::Sender<u64>,
}

pub fn reporter() -> (Reporter, Reporting) {
    let (wanted, wanted_receiver) = watch::channel((0, None));
    let (shown_sender, shown) = watch::channel(0);
    (Reporter { wanted, shown }, Reporting { wanted: wanted_receiver, shown: shown_sender })
}

impl Reporter {
    pub fn report(&self, run: StudentRun, summary: EvaluationSummary) {
        self.wanted.send_modify(|(number, report)| {
            *number += 1;
            *report = Some((run, summary));
        });
    }

    /// Ends when everything reported so far is in the served state, or when that takes too long.
    pub async fn settled(&self) {
        let (number, mut shown) = (self.wanted.borrow().0, self.shown.clone());
        // A live state that does not take it in time will show it later, or is gone.
        let _ = timeout(PATIENCE, shown.wait_for(|shown| *shown >= number)).await;
    }
}

impl Reporting {
    /// Until the last reporter is gone.
    pub async fn run(mut self, bridge: &BridgeHandle) {
        while self.wanted.changed().await.is_ok() {
            let (number, report) = self.wanted.borrow_and_update().clone();
            if let Some((run, summary)) = report
                && let Err(err) = bridge.show_evaluation(run, summary).await
            {
                debug!(%err, "the state of the evaluation is not shown");
            }
            self.shown.send_replace(number);
        }
    }
}
