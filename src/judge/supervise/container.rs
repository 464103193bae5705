//! A container engine as the judge's runtime: the command lines that start and remove one.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use super::{Limits, folder};

const IMAGE: &str = "docker.io/library/python:3.14-slim";
/// Marks our containers; its value is the data folder, so that two simulators do not remove each other's.
const LABEL: &str = "sim_api.data";
const NAME_START: &str = "sim_api-";
/// Where the judge's files can be read in a container.
const SOURCE: &str = "/judge";
const LIMIT: Duration = Duration::from_secs(5);

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
    /// The first one that answers.
    pub async fn probe() -> Option<Self> {
        for program in ["docker", "podman"] {
            // Listing reaches the engine; asking for the version would be answered by the client alone.
            if ask(program, &["ps".into(), "--quiet".into()]).await.is_some() {
                return Some(Self { program });
            }
        }
        None
    }

    /// The image, so that the first evaluation does not wait for its download; answers with the version of its Python.
    pub async fn prepare(self) -> Result<String, String> {
        let mut command = Command::new(self.program);
        command.args(["run", "--rm", IMAGE, "python", "-c"]);
        command.arg("import platform; print(platform.python_version())").stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(|err| err.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    /// Starts it in the foreground, with our stdin, stdout and stderr. The judge's files are copied into a folder in memory whose
    /// size is limited; the container's own file system goes with it, and nothing of the host can be written to.
    pub fn run(self, container: &Container<'_>) -> Vec<OsString> {
        let Limits { memory_bytes, processes, file_bytes, folder_bytes } = container.limits;
        let mut volume = OsString::from(container.files);
        volume.push(format!(":{SOURCE}:ro"));
        let mut line: Vec<OsString> = [self.program, "run", "--rm", "--interactive"].map(OsString::from).to_vec();
        line.push(format!("--name={}", name_of(container.name)).into());
        let mut label = OsString::from(format!("--label={LABEL}="));
        label.push(container.data);
        line.push(label);
        line.push(format!("--memory={memory_bytes}").into());
        // Swap is not extra memory.
        line.push(format!("--memory-swap={memory_bytes}").into());
        line.push(format!("--pids-limit={processes}").into());
        line.push(format!("--ulimit=fsize={file_bytes}").into());
        line.extend(["--cap-drop=ALL", "--security-opt=no-new-privileges"].map(OsString::from));
        line.push(format!("--tmpfs=/tmp:rw,exec,size={folder_bytes},mode=1777").into());
        line.push("--volume".into());
        line.push(volume);
        for (name, value) in container.env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            line.push("--env".into());
            line.push(pair);
        }
        line.push(IMAGE.into());
        let copy =
            format!("cp -r {SOURCE} {folder} && cd {folder} && exec python -u \"$@\"", folder = super::JUDGE_FOLDER);
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
        let mut filter = OsString::from(format!("--filter=label={LABEL}="));
        filter.push(data);
        let args = ["ps".into(), "--all".into(), "--format={{.Names}}".into(), filter];
        let list = ask(self.program, &args).await.unwrap_or_default();
        for name in list.lines() {
            let is_ours = name.strip_prefix(NAME_START).is_some_and(folder::is_abandoned);
            if is_ours && ask(self.program, &self.remove(name)[1..]).await.is_none() {
                tracing::warn!(
                    "the container {name} of an earlier evaluation stays; try: {} rm -f {name}",
                    self.program
                );
            }
        }
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
