//! Evaluation: runs a world's judging script and the student's command, and sees to it that nothing of them stays behind.
//!
//! One task owns the session, of which there is one at a time. Every session that begins ends in exactly one outcome and one record,
//! whatever scripts, students, the simulator or this program do. A session belongs to the simulator: pages come and go.

pub mod action;
pub mod briefing;
pub mod call;
mod chronicle;
mod error;
pub mod handle;
pub mod harness;
pub mod lockstep;
pub mod machine;
pub mod news;
pub mod output;
mod owner;
mod process;
pub mod protocol;
mod reporter;
mod session;
pub mod supervise;
mod taping;
pub mod view;
pub mod witness;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub use error::JudgeError;
pub use handle::{JudgeEnd, JudgeHandle, StartRequest, channel};
pub use view::SessionView;

use crate::bridge::BridgeHandle;
use crate::domain::VehicleSpec;
use crate::judge::supervise::{LaunchError, Limits, Supervisor};
use crate::worlds::Library;

/// What the judge is told once.
#[derive(Debug, Clone)]
pub struct JudgeOptions {
    /// The simulator waits for the script after every observation.
    pub lockstep: bool,
    /// Simulated seconds per wall second; 0 is as fast as it can.
    pub real_time_factor: f64,
    /// Of the noise in a session that was started without one of its own.
    pub seed: u64,
    pub vehicle: VehicleSpec,
    /// Where the student's command starts.
    pub workspace: PathBuf,
    /// What a student's program needs to know to find this simulator, as variables.
    pub student_env: Vec<(OsString, OsString)>,
    pub judge_limits: Limits,
    pub student_limits: Limits,
    /// What the record keeps of all lines together.
    pub log_bytes: usize,
    /// What a session's tape may take on the disk.
    pub tape_bytes: u64,
    /// What all of them together may take; None keeps them all.
    pub all_tapes_bytes: Option<u64>,
    /// An unpaused simulation may stand still for so long.
    pub stands_still: Duration,
    /// The camera's pictures are on it.
    pub camera: bool,
}

/// Judges until the token is cancelled; without a supervisor it only says why it cannot.
pub async fn run(
    options: JudgeOptions,
    bridge: BridgeHandle,
    library: Arc<Library>,
    supervisor: Result<Supervisor, LaunchError>,
    end: JudgeEnd,
    shutdown: CancellationToken,
) {
    let supervisor = match supervisor {
        Ok(supervisor) => supervisor,
        Err(err) => {
            tracing::error!(%err, "evaluations are not possible");
            return owner::refuse(&err.to_string(), end, shutdown).await;
        }
    };
    for warning in supervisor.runtime().warnings {
        tracing::warn!("evaluations: {warning}");
    }
    let around = session::Surroundings {
        bridge,
        supervisor,
        vehicle: options.vehicle.clone(),
        workspace: options.workspace.clone(),
        student_env: options.student_env.clone(),
        judge_limits: options.judge_limits,
        student_limits: options.student_limits,
        real_time_factor: options.real_time_factor,
        camera: options.camera,
        stands_still: options.stands_still,
    };
    owner::run(options, Arc::new(around), library, end, shutdown).await;
}
