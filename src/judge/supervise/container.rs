//! A container engine as the judge's runtime: the command lines that start and remove one.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout};

use super::{Limits, folder};

/// What judging scripts run in.
pub const IMAGE: &str = "docker.io/library/python:3.14-slim";
/// Marks our containers; its value is the data folder, so that two simulators do not remove each other's.
const LABEL: &str = "sim_api.data";
const NAME_START: &str = "sim_api-";
/// Where the judge's files can be read in a container.
const SOURCE: &str = "/judge";
const LIMIT: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// What an engine's client ends with when the engine could not do what it was asked.
const ENGINE_FAILED: i32 = 125;
/// A client ends with this and the number of the signal that ended the command.
const BY_SIGNAL: i32 = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engine {
    /// `docker` or `podman`.
    pub program: &'static str,
}

/// One container to be started.
#[derive(Debug)]
pub struct Container<'a> {
    /// What the name ends in: that of a working folder.
    pub name: &'a str,
    /// On the host: holds the judge's files.
    pub files: &'a Path,
    pub data: &'a Path,
    pub limits: Limits,
    pub env: &'a [(OsString, OsString)],
    /// Arguments of `python -u`.
    pub argv: &'a [OsString],
}

impl Engine {
    /// The first choice first.
    pub const ALL: [Self; 2] = [Self { program: "docker" }, Self { program: "podman" }];

    /// Whether there is such an engine on this machine, and whether it works.
    pub async fn answers(self) -> bool {
        // Listing reaches the engine; asking for the version would be answered by the client alone.
        ask(self.program, &["ps".into(), "--quiet".into()]).await.is_some()
    }

    pub async fn has_image(self) -> bool {
        ask(self.program, &["image".into(), "inspect".into(), IMAGE.into()]).await.is_some()
    }

    /// Fetches the image if it is not there, so that the first evaluation does not wait for it. Answers with what is wrong and what
    /// could be done.
    pub async fn prepare(self) -> Result<(), String> {
        if self.has_image().await {
            return Ok(());
        }
        tracing::info!("fetching {IMAGE} with {}; evaluations wait for it", self.program);
        let mut command = Command::new(self.program);
        command.args(["pull", "--quiet", IMAGE]).stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(|err| format!("{}: {err}", self.program))?;
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
        Err(format!(
            "the image {IMAGE} is not here and cannot be fetched ({}); with a network: {program} pull {IMAGE}; without one: \
             {program} load a copy of it",
            last.trim(),
            program = self.program
        ))
    }

    /// What the end of the client says of the end of the command inside: its code or negative signal, and why.
    pub fn read_exit(self, code: i32, limits: &Limits) -> (i32, Option<String>) {
        match code {
            ENGINE_FAILED => (code, Some(format!("{} could not run it; the log has its words", self.program))),
            code if (BY_SIGNAL + 1..BY_SIGNAL + 65).contains(&code) => {
                let signal = code - BY_SIGNAL;
                let is_kill = signal == rustix::process::Signal::KILL.as_raw();
                let most = limits.memory_bytes >> 20;
                (-signal, is_kill.then(|| format!("perhaps it used more than the {most} MiB of memory that it has")))
            }
            code => (code, None),
        }
    }

    /// Starts it in the foreground, with our stdin, stdout and stderr. The judge's files are copied into a folder in memory whose
    /// size is limited; nothing else can be written to, neither of the host nor of the image.
    pub fn run(self, container: &Container<'_>) -> Vec<OsString> {
        let Limits { memory_bytes, processes, folder_bytes, .. } = container.limits;
        let mut volume = OsString::from(container.files);
        // The last letter lets it be read where SELinux is in force, and means nothing elsewhere.
        volume.push(format!(":{SOURCE}:ro,Z"));
        let mut line: Vec<OsString> = [self.program, "run", "--rm", "--interactive"].map(OsString::from).to_vec();
        line.push(format!("--name={}", name_of(container.name)).into());
        let mut label = OsString::from(format!("--label={LABEL}="));
        label.push(container.data);
        line.push(label);
        line.push(format!("--memory={memory_bytes}").into());
        // Swap is not extra memory.
        line.push(format!("--memory-swap={memory_bytes}").into());
        line.push(format!("--pids-limit={processes}").into());
        line.extend(["--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only"].map(OsString::from));
        if self.program == "podman" {
            // It would put folders of any size in several places.
            line.push("--read-only-tmpfs=false".into());
        }
        // Lines go to us; the engine would keep them all. Nobody needs to be asked politely to end.
        line.extend(["--pull=never", "--log-driver=none", "--stop-timeout=0"].map(OsString::from));
        line.push(format!("--tmpfs=/tmp:rw,exec,size={folder_bytes},mode=1777").into());
        line.push("--volume".into());
        line.push(volume);
        line.push(format!("--env=HOME={}", super::JUDGE_FOLDER).into());
        for (name, value) in container.env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            line.push("--env".into());
            line.push(pair);
        }
        line.push(IMAGE.into());
        // What asks for too much is refused, which Python can tell; the engine's own limit would end it without a word.
        let copy = format!(
            "ulimit -d {} && cp -r {SOURCE} {folder} && cd {folder} && exec python -u \"$@\"",
            memory_bytes >> 10,
            folder = super::JUDGE_FOLDER
        );
        line.extend(["sh".into(), "-c".into(), copy.into(), "judge".into()]);
        line.extend(container.argv.iter().cloned());
        line
    }

    /// Ends the container of a working folder of this name, if it still runs.
    pub fn remove_for(self, folder: &str) -> Vec<OsString> {
        self.remove(&name_of(folder))
    }

    fn remove(self, name: &str) -> Vec<OsString> {
        [self.program, "rm", "--force", "--volumes", name].map(OsString::from).to_vec()
    }

    /// Removes the containers that killed programs left behind.
    pub async fn sweep(self, data: &Path) {
        for name in self.abandoned(data).await {
            let removed = ask(self.program, &self.remove(&name)[1..]).await.is_some();
            if !removed && !self.vanishes(data, &name).await {
                let program = self.program;
                tracing::warn!("the container {name} of an earlier evaluation stays; try: {program} rm -f {name}");
            }
        }
    }

    /// Its own supervising process may be about to remove it.
    async fn vanishes(self, data: &Path, name: &str) -> bool {
        let until = Instant::now() + LIMIT;
        while self.abandoned(data).await.iter().any(|left| left == name) {
            if Instant::now() >= until {
                return false;
            }
            sleep(LOOK_AGAIN).await;
        }
        true
    }

    /// Containers of this data folder whose makers are gone.
    async fn abandoned(self, data: &Path) -> Vec<String> {
        let mut filter = OsString::from(format!("--filter=label={LABEL}="));
        filter.push(data);
        let args = ["ps".into(), "--all".into(), "--format={{.Names}}".into(), filter];
        let list = ask(self.program, &args).await.unwrap_or_default();
        let is_abandoned = |name: &&str| name.strip_prefix(NAME_START).is_some_and(folder::is_abandoned);
        list.lines().filter(is_abandoned).map(str::to_owned).collect()
    }
}

fn name_of(folder: &str) -> String {
    format!("{NAME_START}{folder}")
}

/// What the engine answers; None when it is missing, hangs or fails.
async fn ask(program: &str, args: &[OsString]) -> Option<String> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).kill_on_drop(true).output();
    let output = timeout(LIMIT, output).await.ok()?.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
