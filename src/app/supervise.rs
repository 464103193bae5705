//! `sim up`: runs the three programs as child processes, restarts the ones that die, and ends them all together.
//!
//! Promises: no child outlives this process, not even when it is killed with SIGKILL (see [`super::lifeline`]); a child that
//! keeps dying is given up loudly while the others stay up; Ctrl-C and SIGTERM end the children in reverse order of their
//! start. It does not watch whether a living program does its work: the node reports that at `/sim/api/status`.

pub mod announce;
pub mod child;
pub mod policy;
pub mod preflight;
pub mod status;

use std::env;
use std::future::pending;
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Context;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::logging::{self, Log};
use super::settings::{Backend, Settings, Sources};
use super::{Program, shutdown};
use child::ChildSpec;

/// `sim up`: runs until it is told to stop.
pub fn up(sources: &Sources) -> anyhow::Result<ExitCode> {
    run(sources, async |settings, log| {
        announce::when_running(reachable(settings.bind), settings, log).await;
        pending().await
    })
}

/// Checks what can be checked beforehand, then runs the programs until `task` returns, or until it is told to stop.
pub fn run(sources: &Sources, task: impl AsyncFnOnce(&Settings, &Log) -> ExitCode) -> anyhow::Result<ExitCode> {
    let node = sources.resolve(Program::Node.name())?;
    let executable = env::current_exe().context("cannot find this program's own file")?;
    let _lock = preflight::lock_data_folder(&node.data)?;
    let bind = preflight::free_address(node.bind)?;
    if node.backend == Backend::Embedded {
        preflight::check_world(&sources.resolve(Program::Backend.name())?)?;
    }
    let specs = started(&node)
        .map(|program| {
            let settings = Settings { bind, ..sources.resolve(program.name())? };
            Ok(ChildSpec::new(program, preflight::beside(&executable, program)?, &settings))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let log = logging::init("sim")?;
    if let Some(config) = &sources.config {
        info!("settings from {}", config.path.display());
    }
    // The kernel ends a child when the *thread* that forked it ends. On this runtime every task, and with it every fork,
    // runs on the main thread, which ends only with the process; a worker thread could end earlier and take healthy
    // children with it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start tokio")?;
    let settings = Settings { bind, ..node };
    runtime.block_on(supervise(specs, task(&settings, &log)))
}

/// Somebody else's simulator is not ours to start.
fn started(settings: &Settings) -> impl Iterator<Item = Program> {
    let is_ours = settings.backend == Backend::Embedded;
    Program::ALL.into_iter().filter(move |program| is_ours || *program != Program::Backend)
}

struct Supervised {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

async fn supervise(specs: Vec<ChildSpec>, task: impl Future<Output = ExitCode>) -> anyhow::Result<ExitCode> {
    let asked_to_stop = shutdown::on_signal()?;
    let hurry = CancellationToken::new();
    let (given_up, mut all_given_up) = watch::channel(0);
    let total = specs.len();
    let children: Vec<Supervised> = specs
        .into_iter()
        .map(|spec| {
            let stop = CancellationToken::new();
            let task = tokio::spawn(child::keep_alive(spec, stop.clone(), hurry.clone(), given_up.clone()));
            Supervised { stop, task }
        })
        .collect();
    let code = tokio::select! {
        () = asked_to_stop.cancelled() => ExitCode::SUCCESS,
        _ = all_given_up.wait_for(|count| *count == total) => {
            error!("none of the programs stays alive; ending");
            ExitCode::FAILURE
        }
        code = task => code,
    };
    info!("stopping");
    // A second Ctrl-C ends the patience.
    let again = shutdown::on_signal()?;
    let stop_all = async {
        for child in children.into_iter().rev() {
            child.stop.cancel();
            // The task can only fail by a panic, which has been reported and has killed its child.
            let _ = child.task.await;
        }
    };
    tokio::pin!(stop_all);
    tokio::select! {
        () = &mut stop_all => return Ok(code),
        () = again.cancelled() => hurry.cancel(),
    }
    stop_all.await;
    Ok(code)
}

/// Where this machine itself reaches a server that listens at `bind`.
pub fn reachable(bind: SocketAddr) -> SocketAddr {
    match bind {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, v6.port()).into(),
        other => other,
    }
}
