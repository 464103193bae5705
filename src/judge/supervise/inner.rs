//! The inner supervising process: starts the command, reports its end, and ends everything when it is told to or left alone.
//!
//! In a PID namespace it is process 1: all orphans become its children, no process inside can signal or trace it, and its own
//! end is the end of everything inside. At the lower levels it does by hand what the kernel does there.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, getpid, getppid, getuid, kill_process, pidfd_open, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal, setsid,
};

use super::message::{Confinement, OrderHead, Report, STOP, receive_descriptors, receive_head, send_report};
use super::sandbox::Sandbox;
use super::{JUDGE_FOLDER, Level, cgroup, limits, namespace, tree};

/// How often use is compared with the limits, and orphans are waited for.
const WATCH_EVERY: Duration = Duration::from_millis(100);
/// How often the politely asked are looked at.
const GRACE_LOOK: Duration = Duration::from_millis(5);
/// How often it is tried to clean up at the very end.
const CLEAN_UP_TRIES: usize = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(200);
const HIGHEST_PRIORITY: i32 = -20;
/// The user that a judging script runs as when we are root.
const NOBODY: u32 = 65534;

pub fn run(control: &UnixStream, level: Level, group: Option<PathBuf>) -> Result<(), String> {
    if level == Level::PidNamespace {
        let end_with_outer = set_parent_process_death_signal(Some(Signal::KILL));
        end_with_outer.map_err(|err| format!("cannot follow the outer process: {err}"))?;
        namespace::mount_proc().map_err(|err| format!("no /proc of its own: {err}"))?;
    } else {
        let adopt = set_child_subreaper(Some(getpid()));
        adopt.map_err(|err| format!("cannot become a subreaper: {err}"))?;
    }
    let _ = setsid();
    let descriptors = receive_descriptors(control).map_err(said("no order came"))?;
    let head = receive_head(control).map_err(said("the order cannot be read"))?;
    if let Some(group) = &group {
        cgroup::join(group, &head.limits).map_err(said("the control group cannot be entered"))?;
    }
    let user = confine(&head, level).map_err(said("no sandbox"))?;
    write_files(&head, control, user).map_err(said("the judge's files cannot be written"))?;
    head.limits.apply(level).map_err(said("the limits cannot be set"))?;

    let [stdin, stdout, stderr] = descriptors.map(Stdio::from);
    let (program, args) = head.argv.split_first().ok_or("there is no command")?;
    let mut command = Command::new(program);
    command.args(args).env_clear().envs(head.env.iter().map(|(name, value)| (name, value)));
    command.current_dir(&head.folder).stdin(stdin).stdout(stdout).stderr(stderr).process_group(0);
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let child = command
        .spawn()
        .map_err(|err| format!("{} cannot be started in {}: {err}", program.display(), head.folder.display()))?;
    // It holds copies of the command's ends of the pipes, which would keep them open.
    drop(command);
    let main = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("the command has no number")?;
    let mut watch = Watch { control, level, main, ended: false, outer: getppid() };
    // Whatever the command does to the machine, this process gets its turn. Only root may ask for that.
    let _ = rustix::process::setpriority_process(None, HIGHEST_PRIORITY);
    // Nobody listens any more: the loop will notice at once.
    let _ = send_report(control, &Report::Started);
    watch.until_the_end(&head).map_err(said("cannot wait"))?;
    clean_up(&head).map_err(said("cannot clean up"))
}

/// Runs what is to be run at the very end. An engine may still be busy with what it is to remove.
fn clean_up(head: &OrderHead) -> io::Result<()> {
    let Some((program, args)) = head.afterwards.split_first() else { return Ok(()) };
    for _ in 0..CLEAN_UP_TRIES {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(head.env.iter().map(|(name, value)| (name, value)));
        let output = command.stdin(Stdio::null()).output()?;
        let complaint = String::from_utf8_lossy(&output.stderr).to_lowercase();
        if output.status.success() || complaint.contains("no such container") {
            break;
        }
        std::thread::sleep(BETWEEN_TRIES);
    }
    Ok(())
}

fn said(what: &'static str) -> impl FnOnce(io::Error) -> String {
    move |err| format!("{what}: {err}")
}

/// Takes away what the command shall not have. Answers with the user to run it as, if it is another than ours.
fn confine(head: &OrderHead, level: Level) -> io::Result<Option<u32>> {
    if level != Level::PidNamespace {
        return match head.confinement {
            Confinement::Open => Ok(None),
            Confinement::Sandbox { .. } => Err(io::Error::other("it needs a PID namespace")),
        };
    }
    limits::bound_process_numbers(head.limits.processes);
    let user = match &head.confinement {
        Confinement::Open => {
            namespace::drop_rights(true)?;
            None
        }
        Confinement::Sandbox { python_root, hidden, kept } => {
            let user = (getuid().is_root() && !namespace::has_own_user()).then_some(NOBODY);
            let sandbox = Sandbox {
                python_root: python_root.as_deref(),
                hidden,
                kept,
                folder_bytes: head.limits.folder_bytes,
                uid: user.unwrap_or(getuid().as_raw()),
                gid: user.unwrap_or(rustix::process::getgid().as_raw()),
            };
            sandbox.build()?;
            fs::create_dir(JUDGE_FOLDER)?;
            chown(JUDGE_FOLDER, user, user)?;
            namespace::drop_rights(false)?;
            rustix::thread::set_no_new_privs(true)?;
            user
        }
    };
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(user)
}

fn write_files(head: &OrderHead, mut control: &UnixStream, user: Option<u32>) -> io::Result<()> {
    for (name, length) in &head.files {
        let mut content = vec![0; *length];
        control.read_exact(&mut content)?;
        let name = Path::new(name);
        if !name.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::other(format!("{} is not a path below the folder", name.display())));
        }
        let mut folder = head.folder.clone();
        for part in name.parent().into_iter().flat_map(Path::components) {
            folder.push(part);
            if !folder.exists() {
                fs::create_dir(&folder)?;
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
                chown(&folder, user, user)?;
            }
        }
        let path = head.folder.join(name);
        fs::write(&path, content)?;
        // Whoever reads them may be another user, such as the root of a container, who has no special rights.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644))?;
        chown(&path, user, user)?;
    }
    Ok(())
}

struct Watch<'a> {
    control: &'a UnixStream,
    level: Level,
    main: Pid,
    ended: bool,
    outer: Option<Pid>,
}

impl Watch<'_> {
    fn until_the_end(&mut self, head: &OrderHead) -> io::Result<()> {
        let command = pidfd_open(self.main, PidfdFlags::empty())?;
        // Process 1 dies with the outer process anyway, and cannot see it.
        let outer = match self.outer {
            Some(outer) if self.level != Level::PidNamespace => Some(pidfd_open(outer, PidfdFlags::empty())?),
            _ => None,
        };
        let tick = Timespec::try_from(WATCH_EVERY).map_err(io::Error::other)?;
        loop {
            let mut descriptors = vec![PollFd::new(self.control, PollFlags::IN)];
            descriptors.extend(outer.iter().map(|outer| PollFd::new(outer, PollFlags::IN)));
            if !self.ended {
                descriptors.push(PollFd::new(&command, PollFlags::IN));
            }
            match poll(&mut descriptors, Some(&tick)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(err) => return Err(err.into()),
            }
            let control_speaks = !descriptors[0].revents().is_empty();
            let outer_is_gone = outer.is_some() && !descriptors[1].revents().is_empty();
            self.reap();
            if outer_is_gone {
                self.end_all(None);
                return Ok(());
            }
            if control_speaks {
                let mut byte = [0];
                let is_polite = self.control.read(&mut byte).is_ok_and(|count| count == 1) && byte[0] == STOP;
                if is_polite {
                    self.ask_to_end(head.grace);
                }
                self.end_all(None);
                return Ok(());
            }
            if let Some(reason) = head.limits.exceeded(tree::usage(&self.processes())) {
                self.end_all(Some(reason));
                return Ok(());
            }
        }
    }

    /// All that the command has started and that still lives, with itself.
    fn processes(&self) -> Vec<Pid> {
        match self.level {
            Level::PidNamespace => tree::all_others(),
            Level::Cgroup | Level::Subreaper => tree::descendants(getpid()),
        }
    }

    fn reap(&mut self) {
        let mut code = None;
        tree::reap(|pid, ended_with| {
            if pid == self.main {
                code = Some(ended_with);
            }
        });
        if let Some(code) = code {
            self.report_end(code, None);
        }
    }

    fn report_end(&mut self, code: i32, reason: Option<String>) {
        if !self.ended {
            self.ended = true;
            // Nobody may be listening any more.
            let _ = send_report(self.control, &Report::Ended { code, reason });
        }
    }

    /// SIGTERM to everything, and some time to follow it.
    fn ask_to_end(&mut self, grace: Duration) {
        let until = Instant::now() + grace;
        if grace.is_zero() {
            return;
        }
        for pid in self.processes() {
            // It may have ended in between.
            let _ = kill_process(pid, Signal::TERM);
        }
        while Instant::now() < until {
            self.reap();
            if self.processes().is_empty() {
                // The last one may have ended after the look above, and how it ended is to be told.
                self.reap();
                return;
            }
            std::thread::sleep(GRACE_LOOK);
        }
    }

    fn end_all(&mut self, reason: Option<String>) {
        if self.level == Level::PidNamespace {
            // The rest is killed by the kernel when this process ends.
            let _ = kill_process(self.main, Signal::KILL);
        } else {
            tree::kill_descendants();
        }
        self.report_end(-Signal::KILL.as_raw(), reason);
    }
}
