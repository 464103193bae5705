//! The outer supervising process: makes the surroundings, starts the inner process in them, and outlives it, so that whatever
//! the inner one could not end is ended here.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, set_child_subreaper, setsid};

use super::message::{Report, send_report};
use super::{Level, PATIENCE, SUBCOMMAND, cgroup, inner, namespace, tree};

const INNER: &str = "inner";

/// The arguments after the subcommand: how the inner process is started; or the name of a level, and the milliseconds that the
/// inner process gets to end by itself after our creator is gone.
pub fn main(mut args: impl Iterator<Item = OsString>) -> ExitCode {
    let first = args.next().unwrap_or_default();
    let is_inner = first == INNER;
    let word = if is_inner { args.next().unwrap_or_default() } else { first };
    let Some(level) = word.to_str().and_then(Level::from_word) else {
        eprintln!("`{SUBCOMMAND}` is for this program's own use");
        return ExitCode::FAILURE;
    };
    // The socket is our standard input.
    let control = match rustix::stdio::stdin().as_fd().try_clone_to_owned() {
        Ok(descriptor) => UnixStream::from(descriptor),
        Err(_) => return ExitCode::FAILURE,
    };
    let outcome = if is_inner {
        inner::run(&control, level, args.next().map(PathBuf::from))
    } else {
        let patience = args.next().and_then(|text| text.to_str()?.parse().ok()).map_or(PATIENCE, Duration::from_millis);
        run(&control, level, patience)
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Whoever asked for the command hears of it; without a listener there is nothing to tell.
            let _ = send_report(&control, &Report::Failed(message));
            ExitCode::FAILURE
        }
    }
}

fn run(control: &UnixStream, level: Level, patience: Duration) -> Result<(), String> {
    // A terminal's Ctrl-C is for our creator, who ends us in order.
    let _ = setsid();
    set_child_subreaper(Some(rustix::process::getpid())).map_err(|err| format!("cannot become a subreaper: {err}"))?;
    let group = cgroup::create(level == Level::Cgroup);
    if level == Level::Cgroup && group.is_none() {
        return Err("no control group can be made here".to_owned());
    }
    let ended = supervise(control, level, group.as_deref(), patience);
    if level != Level::PidNamespace {
        tree::kill_descendants();
    }
    if let Some(group) = group {
        cgroup::end(&group).map_err(|err| format!("the control group {} stays: {err}", group.display()))?;
    }
    ended
}

fn supervise(control: &UnixStream, level: Level, group: Option<&Path>, patience: Duration) -> Result<(), String> {
    if level == Level::PidNamespace {
        namespace::enter().map_err(|err| format!("no PID namespace: {err}"))?;
    }
    let mut command = Command::new("/proc/self/exe");
    command.args([SUBCOMMAND, INNER, level.word()]).args(group).stdout(Stdio::null());
    let mut child = command.spawn().map_err(|err| format!("the inner process cannot be started: {err}"))?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("the inner process has no number")?;
    let inner = pidfd_open(pid, PidfdFlags::empty()).map_err(|err| format!("cannot watch the inner process: {err}"))?;
    // Nothing is asked of the socket: its hang-up is always told.
    wait(&mut [PollFd::new(control, PollFlags::empty()), PollFd::new(&inner, PollFlags::IN)], None)?;
    // Either it has ended, or our creator is gone. It sees that too and ends at once, unless it is stuck.
    if wait(&mut [PollFd::new(&inner, PollFlags::IN)], Some(patience))? == 0 {
        // Not yet waited for, so its number is still its own.
        let _ = kill_process(pid, Signal::KILL);
    }
    // Its end is the end of a whole PID namespace, which the kernel completes before this returns.
    child.wait().map(drop).map_err(|err| format!("the inner process was lost: {err}"))
}

/// How many of them have something to tell, in time.
fn wait(descriptors: &mut [PollFd<'_>], limit: Option<Duration>) -> Result<usize, String> {
    let limit = limit.map(Timespec::try_from).transpose().map_err(|err| err.to_string())?;
    loop {
        match poll(descriptors, limit.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            other => return other.map_err(|err| format!("cannot wait: {err}")),
        }
    }
}
