//! One supervised child: started, waited for, restarted as the policy says, and stopped with patience.
//!
//! Children write straight to our stderr, each line with the program's name (see [`crate::app::logging`]): there is no pipe
//! in between that could fill up or reorder anything.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::policy::{self, Verdict};
use crate::app::Program;
use crate::app::settings::layer::as_flags;
use crate::app::settings::{Settings, Token};

/// Between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(3);

/// How to start one child.
#[derive(Debug, Clone)]
pub struct ChildSpec {
    pub program: Program,
    executable: PathBuf,
    args: Vec<OsString>,
    token: Option<Token>,
}

impl ChildSpec {
    /// The child gets its settings complete, as flags, and reads no settings file of its own: a file that is edited while
    /// the simulator runs must not change or break the next restart.
    pub fn new(program: Program, executable: PathBuf, settings: &Settings) -> Self {
        let mut args = as_flags(settings);
        args.push("--config=/dev/null".into());
        args.push(format!("--parent-pid={}", std::process::id()).into());
        if !settings.ros.raw.is_empty() {
            args.push(crate::ros::args::BEGIN.into());
            args.extend(settings.ros.raw.iter().map(OsString::from));
        }
        Self { program, executable, args, token: settings.token.clone() }
    }

    fn spawn(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.executable);
        command.args(&self.args).stdin(Stdio::null()).kill_on_drop(true);
        // A group of its own keeps the terminal's Ctrl-C away from the child; we forward it in our order.
        command.process_group(0);
        match &self.token {
            Some(token) => command.env("SIM_API_TOKEN", token.expose()),
            None => command.env_remove("SIM_API_TOKEN"),
        };
        command.spawn()
    }
}

/// Runs until `stop`; a child that was given up is counted in `given_up` and stays down. `hurry` replaces the grace of a stop
/// by SIGKILL.
pub async fn keep_alive(
    spec: ChildSpec,
    stop: CancellationToken,
    hurry: CancellationToken,
    given_up: watch::Sender<usize>,
) {
    let name = spec.program.name();
    let mut quick_deaths = 0;
    loop {
        let born = Instant::now();
        let cause = match spec.spawn() {
            Ok(mut child) => {
                info!("{name} started (process {})", child.id().unwrap_or_default());
                tokio::select! {
                    status = child.wait() => describe(status),
                    () = stop.cancelled() => return end(name, child, &hurry).await,
                }
            }
            Err(err) => format!("could not be started: {err}"),
        };
        let (count, verdict) = policy::after_death(quick_deaths, born.elapsed());
        quick_deaths = count;
        let wait = match verdict {
            Verdict::RestartNow => Duration::ZERO,
            Verdict::RestartAfter(wait) => wait,
            Verdict::GiveUp => {
                error!(
                    "{name} {cause}; that was quick death number {count}, so it is given up. The other programs stay up; \
                     its own lines above say why. Stop with Ctrl-C, mend it and start again"
                );
                given_up.send_modify(|total| *total += 1);
                return stop.cancelled().await;
            }
        };
        warn!("{name} {cause}; starting it again in {} ms", wait.as_millis());
        tokio::select! {
            () = sleep(wait) => {}
            () = stop.cancelled() => return,
        }
    }
}

fn describe(status: io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => format!("ended by itself ({status})"),
        Err(err) => format!("was lost: {err}"),
    }
}

async fn end(name: &str, mut child: Child, hurry: &CancellationToken) {
    // While the child has not been waited for, its number cannot belong to anybody else.
    if let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) {
        // It may have ended this very moment; then there is nothing to tell it.
        let _ = kill_process(pid, Signal::TERM);
    }
    tokio::select! {
        ended = timeout(GRACE, child.wait()) => {
            if ended.is_ok() {
                return info!("{name} stopped");
            }
            warn!("{name} did not stop within {} s; killing it", GRACE.as_secs());
        }
        () = hurry.cancelled() => warn!("killing {name}"),
    }
    if let Err(err) = child.kill().await {
        error!("{name} could not be killed: {err}");
    }
}
