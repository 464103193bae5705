//! Real processes for tests: programs in a private folder on a private domain, and a look at who is whose child.

use std::ffi::OsString;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::wait::poll_until;

/// A command with no settings from the surroundings of the test.
pub fn sim_command(executable: &Path, folder: &Path) -> Command {
    let mut command = Command::new(executable);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("SIM_API_") || name.starts_with("ROS_") || name == "RUST_LOG" {
            command.env_remove(name);
        }
    }
    // The login files of whoever runs the tests are slow, and not made for being killed in their middle.
    command.env("HOME", folder).envs(data_home().map(|data| ("XDG_DATA_HOME", data)));
    command.env("PATH", path_with(&[])).current_dir(folder).stdin(Stdio::null());
    command
}

/// Where programs are looked for: first in these folders, and no container engine of this machine's own.
pub fn path_with(folders: &[PathBuf]) -> OsString {
    let none = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/no_engine");
    let own = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain([none]).chain(std::env::split_paths(&own));
    std::env::join_paths(all).expect("folders without colons")
}

/// Where programs keep their data here; `make` has put the judge's Python there.
pub fn data_home() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_DATA_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    given.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/share")))
}

/// A running `sim up`; whatever the test does, nothing of it is left afterwards.
pub struct SimUp {
    pub folder: TempFolder,
    pub domain: TestDomain,
    pub address: SocketAddr,
    child: Child,
}

impl SimUp {
    /// The real programs.
    pub fn start() -> Self {
        Self::start_in_folder(TempFolder::new())
    }

    /// The real programs over what this folder holds; their data is in its folder `data`.
    pub fn start_in_folder(folder: TempFolder) -> Self {
        Self::start_in(folder, Path::new(env!("CARGO_BIN_EXE_sim")), &[], None)
    }

    /// The real programs, with their log going elsewhere.
    pub fn start_writing_to(log: Stdio) -> Self {
        Self::start_in(TempFolder::new(), Path::new(env!("CARGO_BIN_EXE_sim")), &[], Some(log))
    }

    /// The real `sim` beside shell scripts that stand in for the programs, each given as (name, script).
    pub fn start_with_scripts(scripts: [(&str, &str); 3], variables: &[(&str, &str)]) -> Self {
        let folder = TempFolder::new();
        let executable = folder.path().join("sim");
        // A link, because a file that was just written may still be open in a process that another test is forking.
        if fs::hard_link(env!("CARGO_BIN_EXE_sim"), &executable).is_err() {
            fs::copy(env!("CARGO_BIN_EXE_sim"), &executable).expect("copy of sim");
        }
        for (name, script) in scripts {
            let path = folder.write(name, &format!("#!/bin/sh\n{script}\n"));
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("own file");
        }
        Self::start_in(folder, &executable, variables, None)
    }

    /// The real programs on a folder that may hold something already, with no more flags than are needed.
    pub fn start_plainly(folder: TempFolder) -> Self {
        Self::start_on(folder, &[])
    }

    /// The same, with these flags and engines or other programs found in these folders first.
    pub fn start_beside(folder: TempFolder, flags: &[&str], programs: &[PathBuf]) -> Self {
        let path = path_with(programs).into_string().expect("folders with plain names");
        Self::start_with(folder, Path::new(env!("CARGO_BIN_EXE_sim")), flags, &[("PATH", &path)], None)
    }

    /// The same, with these flags; the folder's `data` is the data folder.
    pub fn start_on(folder: TempFolder, flags: &[&str]) -> Self {
        Self::start_with(folder, Path::new(env!("CARGO_BIN_EXE_sim")), flags, &[], None)
    }

    fn start_in(folder: TempFolder, executable: &Path, variables: &[(&str, &str)], log: Option<Stdio>) -> Self {
        Self::start_with(folder, executable, &["--world", "plain"], variables, log)
    }

    fn start_with(
        folder: TempFolder,
        executable: &Path,
        flags: &[&str],
        variables: &[(&str, &str)],
        log: Option<Stdio>,
    ) -> Self {
        let domain = TestDomain::claim();
        let address = free_address();
        let file = File::create(folder.path().join("log")).expect("log file");
        let child = sim_command(executable, folder.path())
            .args(["up", "--data", "data", "--config", "/dev/null"])
            .args(flags)
            .args(["--bind", &address.to_string(), "--domain", &domain.id.to_string()])
            .envs(variables.iter().copied())
            .stdout(file.try_clone().expect("log file"))
            .stderr(log.unwrap_or(file.into()))
            .spawn()
            .expect("sim starts");
        Self { folder, domain, address, child }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    pub fn wait_for_log(&self, text: &str) {
        poll_until(&format!("`{text}` in the log"), || self.log().contains(text).then_some(()));
    }

    /// The living child that runs the program of this name, as soon as there is one.
    pub fn child_named(&self, name: &str) -> u32 {
        poll_until(name, || children_of(self.child.id()).into_iter().find(|(_, n)| n == name).map(|(pid, _)| pid))
    }

    /// Numbers of the living children.
    pub fn children(&self) -> Vec<u32> {
        children_of(self.child.id()).into_iter().map(|(pid, _)| pid).collect()
    }

    pub fn send(&self, signal: Signal) {
        send(self.child.id(), signal);
    }

    pub fn wait(&mut self) -> ExitStatus {
        let child = &mut self.child;
        poll_until("the end of sim up", || child.try_wait().expect("own child"))
    }
}

impl Drop for SimUp {
    fn drop(&mut self) {
        let children = children_of(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Scripts have no lifeline; their process groups go with them.
        for (pid, _) in children {
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _ = rustix::process::kill_process_group(pid, Signal::KILL);
            }
        }
    }
}

/// An address that was free a moment ago.
pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it has an address")
}

/// One program started alone, killed at the end of the test.
pub struct Lone {
    child: Child,
}

impl Lone {
    pub fn start(program: &str, folder: &Path, args: &[&str]) -> Self {
        let executable = Path::new(env!("CARGO_BIN_EXE_sim")).with_file_name(program);
        let log = File::options().create(true).append(true).open(folder.join("log")).expect("log file");
        let child = sim_command(&executable, folder)
            .args(args)
            .stdout(log.try_clone().expect("log file"))
            .stderr(log)
            .spawn()
            .expect("the program starts");
        Self { child }
    }

    pub fn send(&self, signal: Signal) {
        send(self.child.id(), signal);
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// With SIGTERM, and waits for its end.
    pub fn stop(&mut self) {
        self.send(Signal::TERM);
        let child = &mut self.child;
        poll_until("the end of the program", || child.try_wait().expect("own child"));
    }

    /// With SIGKILL, at once.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Lone {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn send(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).expect("a process number");
    kill_process(pid, signal).expect("a living process");
}

/// Living children as (number, name of the program); the kernel cuts the name after 15 letters.
fn children_of(parent: u32) -> Vec<(u32, String)> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut children: Vec<_> = numbers
        .filter_map(|pid| state_of(pid).filter(|process| process.parent == parent).map(|process| (pid, process.name)))
        .collect();
    children.sort_unstable();
    children
}

pub fn is_alive(pid: u32) -> bool {
    state_of(pid).is_some()
}

struct Process {
    name: String,
    parent: u32,
}

/// None for a process that is gone, or dead and only not yet waited for.
fn state_of(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, tail) = stat.rsplit_once(") ")?;
    let mut fields = tail.split(' ');
    // The first thread may be gone while another still holds the sockets of the process open.
    let is_dead = matches!(fields.next()?, "Z" | "X") && fs::read_dir(format!("/proc/{pid}/task")).ok()?.count() <= 1;
    let parent = fields.next()?.parse().ok()?;
    let name = head.split_once('(')?.1.to_owned();
    (!is_dead).then_some(Process { name, parent })
}
