//! Whatever a command does to outlive its end: when `stop` has answered, nothing of it is left.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::{FlockOperation, flock};
use rustix::process::Signal;
use sim_api::judge::supervise::Level;

use super::commands::{Bench, NODE, new_mark, with_mark};
use crate::support::folder::TempFolder;
use crate::support::process::send;
use crate::support::wait::{poll_until, wait_until};

/// Forks twice, with a session of its own in between and nothing of its ancestors left but the environment.
const DAEMON: &str = r#"python3 -c '
import os, time
if os.fork():
    time.sleep(1000)
os.setsid()
if os.fork():
    os._exit(0)
os.write(1, b"ready\n")
os.closerange(0, 100)
time.sleep(1000)'"#;

/// Ends as soon as it has made its successor, for ever, each in a session of its own. No look at the process table is quick
/// enough to see it; what shows that it lives is a lock, which each hands on to the next.
const HOPPER: &str = r#"python3 -c '
import fcntl, os
lock = open("lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
os.write(1, b"ready\n")
while True:
    if os.fork():
        os._exit(0)
    os.setsid()'"#;

/// Kills its parent, then the one that adopts it, and so on, as far as it is let.
const PATRICIDE: &str = r#"python3 -c '
import os, signal, time
if os.fork():
    time.sleep(1000)
os.setsid()
os.write(1, b"ready\n")
os.closerange(0, 100)
while os.getppid() > 1:
    parent = os.getppid()
    try:
        os.kill(parent, signal.SIGKILL)
    except OSError:
        break
    while os.getppid() == parent:
        time.sleep(0.001)
time.sleep(1000)'"#;

/// Its first thread leaves, so that it looks dead in the process table, while another works on.
const HEADLESS: &str = r#"python3 -c '
import ctypes, fcntl, os, threading, time
lock = open("lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
threading.Thread(target=lambda: (os.write(1, b"ready\n"), time.sleep(1000))).start()
ctypes.CDLL(None).pthread_exit(None)'"#;

/// Does not listen to anything but SIGKILL.
const DEAF: &str = "trap '' TERM INT HUP; echo ready; while true; do sleep 0.1; done";

/// The levels of this machine.
async fn levels() -> Vec<Bench> {
    let mut benches = Vec::new();
    for level in Level::ALL {
        benches.extend(Bench::at(level).await);
    }
    assert!(!benches.is_empty(), "the last level works everywhere");
    benches
}

async fn is_gone_after_stop(command: &str) {
    for bench in levels().await {
        let mut student = bench.student(command).await;
        assert_eq!(student.line().await, "ready", "at the level {}", bench.supervisor.runtime().level);
        assert!(!is_gone(&student.mark(), bench.folder.path()));
        student.stop().await;
        assert!(is_free(bench.folder.path()), "something survived that hops from process to process");
    }
}

/// Whether neither the mark nor the lock of a command that ran in this folder shows anything living.
fn is_gone(mark: &str, folder: &Path) -> bool {
    with_mark(mark).is_empty() && is_free(folder)
}

fn is_free(folder: &Path) -> bool {
    match File::open(folder.join("lock")) {
        Ok(file) => flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok(),
        Err(_) => true,
    }
}

#[tokio::test]
async fn a_daemon_does_not_survive() {
    is_gone_after_stop(DAEMON).await;
}

#[tokio::test]
async fn a_session_of_its_own_does_not_save_a_process() {
    is_gone_after_stop("setsid sleep 1000 & setsid --fork sleep 1000; echo ready; wait").await;
}

#[tokio::test]
async fn a_process_that_forks_and_ends_for_ever_is_caught() {
    is_gone_after_stop(HOPPER).await;
}

#[tokio::test]
async fn a_process_without_its_first_thread_is_caught() {
    is_gone_after_stop(HEADLESS).await;
}

#[tokio::test]
async fn a_deaf_process_is_killed() {
    is_gone_after_stop(DEAF).await;
}

#[tokio::test]
async fn killing_the_parent_does_not_help() {
    for bench in levels().await {
        // Without a PID namespace the student may well kill the supervising processes too. Control group and mark
        // are left then.
        let mut student = bench.student(PATRICIDE).await;
        assert_eq!(student.line().await, "ready");
        student.stop().await;
    }
}

#[tokio::test]
async fn what_a_command_leaves_running_lives_until_the_stop() {
    for bench in levels().await {
        let mut student = bench.student("sleep 1000 >/dev/null 2>&1 & echo started").await;
        assert_eq!(student.line().await, "started");
        assert_eq!(student.exited().await.code, 0);
        // It has no environment for a moment, while it becomes another program.
        wait_until("the background process that goes on after its shell", || !student.alive().is_empty()).await;
        student.stop().await;
    }
}

#[tokio::test]
async fn a_dropped_command_ends_by_itself() {
    for bench in levels().await {
        let mut student = bench.student(DAEMON).await;
        assert_eq!(student.line().await, "ready");
        let mark = student.mark();
        drop(student);
        wait_until("the end of a dropped command", || with_mark(&mark).is_empty()).await;
    }
}

/// A program that has a command supervised, as the node does: it speaks the protocol of the supervising process and then sleeps.
const HOST: &str = r#"
import json, os, socket, struct, subprocess, sys, time
node, level, folder, command, mark = sys.argv[1:6]
ours, theirs = socket.socketpair()
subprocess.Popen([node, "supervise", level], stdin=theirs, env={})
theirs.close()
pipes = [os.pipe() for _ in range(3)]
socket.send_fds(ours, [b"F"], [pipes[0][0], pipes[1][1], pipes[2][1]])
text = lambda value: {"Unix": list(value.encode())}
head = {"argv": [text(part) for part in ["bash", "-lc", command]],
        "env": [[text("PATH"), text(os.environ["PATH"])], [text("MARK"), text(mark)]],
        "folder": folder, "files": [], "confinement": "Open", "grace": {"secs": 0, "nanos": 300000000}, "afterwards": [],
        "limits": {"memory_bytes": 4 << 30, "processes": 512, "file_bytes": 1 << 30, "folder_bytes": 0}}
data = json.dumps(head).encode()
ours.sendall(struct.pack("<I", len(data)) + data)
print(ours.makefile().readline().strip(), flush=True)
os.close(pipes[1][1])
print(os.fdopen(pipes[1][0]).readline().strip(), flush=True)
time.sleep(1000)
"#;

struct Host {
    child: Child,
    mark: String,
    /// Its output goes there.
    folder: TempFolder,
}

impl Host {
    fn start(level: Level, command: &str) -> Self {
        Self::start_by(Command::new("python3"), Path::new(NODE), TempFolder::new(), level, command)
    }

    fn start_by(mut python: Command, node: &Path, folder: TempFolder, level: Level, command: &str) -> Self {
        let mark = new_mark();
        let script = folder.write("host.py", HOST);
        let output = File::create(folder.path().join("output")).expect("a file");
        let child = python
            .arg(script)
            .arg(node)
            .args([level.word(), folder.path().to_str().expect("a plain path"), command, &mark])
            .stdin(Stdio::null())
            .stdout(output)
            .spawn()
            .expect("python3 starts");
        let host = Self { child, mark, folder };
        poll_until("the student's first line", || host.output().contains("ready").then_some(()));
        assert!(host.output().contains("Started"), "{}", host.output());
        host
    }

    fn output(&self) -> String {
        fs::read_to_string(self.folder.path().join("output")).unwrap_or_default()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn killing_the_program_that_asked_ends_everything() {
    for bench in levels().await {
        let level = Level::from_word(bench.supervisor.runtime().level).expect("a level");
        for command in [DAEMON, HOPPER, DEAF] {
            let mut host = Host::start(level, command);
            let folder = host.folder.path().to_owned();
            assert!(!is_gone(&host.mark, &folder));
            send(host.child.id(), Signal::KILL);
            host.child.wait().expect("own child");
            wait_until("the end of everything", || is_gone(&host.mark, &folder)).await;
        }
    }
}

#[tokio::test]
async fn killing_a_supervising_process_ends_everything() {
    for bench in levels().await {
        let mut student = bench.student(DAEMON).await;
        assert_eq!(student.line().await, "ready");
        let outer = student.running.supervising_process().expect("it runs");
        send(outer, Signal::KILL);
        student.vanishes().await;
        let exit = student.stop().await;
        assert_eq!(exit.code, -9);
    }
}

/// As root there is a way without user namespaces. Everybody else takes the one that is tried here.
#[tokio::test]
async fn an_ordinary_user_is_contained_like_root() {
    const NOBODY: &str = "65534";
    // What that user can reach, other than a Python in somebody's home.
    let python = "/usr/bin/python3";
    if !rustix::process::getuid().is_root() || !Path::new(python).exists() {
        return;
    }
    let folder = TempFolder::new();
    let node = folder.path().join("sim_api_node");
    fs::copy(NODE, &node).expect("a copy for everybody");
    let mut setpriv = Command::new("setpriv");
    setpriv.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", python]);
    let command =
        "setsid --fork sleep 1000 2>&1 >/dev/null; echo ready $(id -u) $(ls /proc | grep -c '^[0-9]'); sleep 1000";
    let mut host = Host::start_by(setpriv, &node, folder, Level::PidNamespace, command);
    // Itself, the shell, the one that has a session of its own, and the three of the line.
    assert!(host.output().contains("ready 65534 "), "{}", host.output());
    let seen: u32 = host.output().trim_end().rsplit(' ').next().and_then(|count| count.parse().ok()).expect("a number");
    assert!((3..=7).contains(&seen), "it sees {seen} processes, which are more than its own");
    send(host.child.id(), Signal::KILL);
    host.child.wait().expect("own child");
    wait_until("the end of everything", || with_mark(&host.mark).is_empty()).await;
}
