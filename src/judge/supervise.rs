//! Runs a command of somebody else, the judging script or a student's program, such that nothing of it survives.
//!
//! Each command gets supervising processes of its own (this program, started again): an outer one that makes the
//! surroundings, and an inner one that starts the command and stays the ancestor of everything the command starts. They are
//! tied to this process by a socket: when it closes, because of [`Running::stop`] or because this process was killed,
//! everything ends. How well that holds depends on the [`Level`], which is tried out once, at the start.

mod cgroup;
mod container;
mod folder;
mod inner;
mod leftovers;
mod level;
mod limits;
mod message;
mod namespace;
mod outer;
mod probe;
mod python;
mod running;
mod sandbox;
mod tree;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use thiserror::Error;

pub use container::{Container, Engine, IMAGE};
pub use level::Level;
pub use limits::Limits;
pub use python::Python;
pub use running::{Exit, Held, Running};

use folder::WorkFolder;
use message::{Confinement, OrderHead};
use running::Launch;

/// First argument of this program when it is started again as a supervising process.
pub const SUBCOMMAND: &str = "supervise";

/// Where the judge's working folder is, as the judge sees it, when it is not on the host.
const JUDGE_FOLDER: &str = "/tmp/judge";
const STUDENT_GRACE: Duration = Duration::from_millis(300);
/// After their creator is gone, the inner of two supervising processes gets this long to end by itself.
const PATIENCE: Duration = Duration::from_millis(300);
/// And if it has to remove a container.
const ENGINE_PATIENCE: Duration = Duration::from_secs(20);

/// To be called first thing in `main`, before any thread exists: does the work of a supervising process if this is one.
pub fn take_over(mut args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let is_ours = args.nth(1).as_deref() == Some(OsStr::new(SUBCOMMAND));
    is_ours.then(|| outer::main(args))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The judging script, on the Python and in the sandbox that the runtime gives it.
    Judge,
    /// The student's command, in the student's own surroundings.
    Student,
}

/// What to run, and with how much of everything.
#[derive(Debug, Clone)]
pub struct Order {
    pub role: Role,
    /// For a judge: the arguments of `python -u`. For a student: the program and its arguments.
    pub argv: Vec<OsString>,
    /// Comes on top: for a student of our own environment, for a judge of a plain one.
    pub env: Vec<(OsString, OsString)>,
    /// Where a student's command starts. A judge always starts in an empty folder of its own.
    pub folder: PathBuf,
    /// Path below the judge's folder and content; none for a student.
    pub files: Vec<(String, Vec<u8>)>,
    pub limits: Limits,
}

impl Order {
    /// A student's command line, read by a login shell as if typed into a terminal. Python programs do not hold their
    /// output back.
    pub fn student(command: &str, folder: PathBuf, limits: Limits) -> Self {
        Self {
            role: Role::Student,
            argv: ["bash", "-lc", command].map(OsString::from).to_vec(),
            env: vec![("PYTHONUNBUFFERED".into(), "1".into())],
            folder,
            files: Vec::new(),
            limits,
        }
    }

    /// A judging script: `argv` are the arguments of Python, `files` what its folder holds.
    pub fn judge(argv: Vec<OsString>, files: Vec<(String, Vec<u8>)>, limits: Limits) -> Self {
        Self { role: Role::Judge, argv, env: Vec::new(), folder: PathBuf::new(), files, limits }
    }
}

/// What judging scripts run in, as a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runtime {
    /// The best that works: a container, else a sandbox, else a plain process.
    #[default]
    Auto,
    Container,
    Sandbox,
    Process,
}

/// What [`Supervisor::probe`] needs to know.
#[derive(Debug, Clone)]
pub struct SupervisorOptions {
    pub runtime: Runtime,
    /// Those that are asked, the first choice first.
    pub engines: Vec<Engine>,
    /// Holds the working folders of judges that have no private file system.
    pub data: PathBuf,
    /// Folders where the Python root may be; the first that has one is taken.
    pub python_roots: Vec<PathBuf>,
    /// This program, to be started again.
    pub program: PathBuf,
    /// No better level than this one is used.
    pub best_level: Level,
    /// What a student's programs get between SIGTERM and SIGKILL. Most need a few milliseconds, and somebody waits for
    /// the rest.
    pub grace: Duration,
}

impl SupervisorOptions {
    pub fn new(data: PathBuf) -> Self {
        Self {
            runtime: Runtime::Auto,
            engines: Engine::ALL.to_vec(),
            python_roots: vec![Self::python_root_in(&data)],
            data,
            // Still the right file after it was replaced on disk.
            program: PathBuf::from("/proc/self/exe"),
            best_level: Level::PidNamespace,
            grace: STUDENT_GRACE,
        }
    }

    /// Where a data folder has its Python root.
    pub fn python_root_in(data: &Path) -> PathBuf {
        python::root_in(data)
    }
}

/// What judged, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeInfo {
    /// `container`, `sandbox` or `process`.
    pub runtime: &'static str,
    /// How the student's processes are kept together: `pid_namespace`, `cgroup` or `subreaper`.
    pub level: &'static str,
    /// Version of the Python that runs judging scripts, such as `3.14.2`.
    pub python: String,
    /// What is less than it should be, in words.
    pub warnings: Vec<String>,
}

#[derive(Debug, Error)]
pub enum LaunchError {
    #[error("the supervising process cannot be started: {0}")]
    Supervisor(#[source] std::io::Error),
    #[error("{0}")]
    Refused(String),
    #[error(
        "neither docker nor podman answers, and evaluation_runtime is `container`; start one of them or choose `auto`"
    )]
    NoEngine,
    #[error("no container can be run ({0}), and evaluation_runtime is `container`; choose `auto` to do without it")]
    NoContainer(String),
    #[error("this machine allows no sandbox ({0}), and evaluation_runtime is `sandbox`; choose `auto` or `process`")]
    NoSandbox(String),
    #[error("no Python 3.11 or newer was found for judging scripts; run `make` once, or install python3")]
    NoPython,
    #[error("the judge's folder {}: {source}", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
}

/// What judges run in, after probing.
#[derive(Debug, Clone)]
enum JudgeRuntime {
    Container(Engine),
    Sandbox(Python),
    Process(Python),
}

/// Made once, by [`Supervisor::probe`]; launches any number of commands.
#[derive(Debug)]
pub struct Supervisor {
    launch: Launch,
    data: PathBuf,
    grace: Duration,
    judge: JudgeRuntime,
    python: String,
    warnings: Vec<String>,
}

impl Supervisor {
    pub fn runtime(&self) -> RuntimeInfo {
        let runtime = match &self.judge {
            JudgeRuntime::Container(_) => "container",
            JudgeRuntime::Sandbox(_) => "sandbox",
            JudgeRuntime::Process(_) => "process",
        };
        let (level, python, warnings) = (self.launch.level.word(), self.python.clone(), self.warnings.clone());
        RuntimeInfo { runtime, level, python, warnings }
    }

    /// Returns when the command has been started.
    pub async fn launch(&self, order: Order) -> Result<Running, LaunchError> {
        match (order.role, &self.judge) {
            (Role::Student, _) => {
                let mut head = student(&order, self.grace);
                leftovers::mark(&mut head);
                self.launch.start(&head, Vec::new(), None).await
            }
            (Role::Judge, JudgeRuntime::Sandbox(python)) => {
                let head = self.sandboxed(python, &order);
                self.launch.start(&head, order.files, None).await
            }
            (Role::Judge, JudgeRuntime::Process(python)) => {
                let work = self.work_folder()?;
                let mut head = judge(python, &order, work.path().to_owned());
                leftovers::mark(&mut head);
                self.launch.start(&head, order.files, Some(work)).await
            }
            (Role::Judge, JudgeRuntime::Container(engine)) => {
                let work = self.work_folder()?;
                let head = self.contained(*engine, &order, &work);
                // Rootless engines make user namespaces of their own, which does not work inside of another one.
                let launch = Launch { level: Level::Subreaper, patience: ENGINE_PATIENCE, ..self.launch.clone() };
                let mut running = launch.start(&head, order.files, Some(work)).await?;
                running.folder = JUDGE_FOLDER.into();
                running.held.inside = Some((*engine, order.limits));
                Ok(running)
            }
        }
    }

    fn work_folder(&self) -> Result<WorkFolder, LaunchError> {
        WorkFolder::create(&self.data).map_err(|source| LaunchError::Folder { folder: self.data.clone(), source })
    }

    fn sandboxed(&self, python: &Python, order: &Order) -> OrderHead {
        let homes = [PathBuf::from("/home"), PathBuf::from("/root"), self.data.clone()];
        let own = env::var_os("HOME").map(PathBuf::from);
        // A service may have the whole file system as its home.
        let hidden =
            homes.into_iter().chain(own).filter(|path| path.is_absolute() && path.parent().is_some()).collect();
        let kept = python.home.iter().cloned().collect();
        let python_root = python.root.clone();
        let confinement = Confinement::Sandbox { python_root, hidden, kept };
        OrderHead { confinement, ..judge(python, order, JUDGE_FOLDER.into()) }
    }

    fn contained(&self, engine: Engine, order: &Order, work: &WorkFolder) -> OrderHead {
        let name = work.name();
        let (files, data, limits) = (work.path(), self.data.as_path(), order.limits);
        let container = Container { name: &name, files, data, limits, env: &order.env, argv: &order.argv };
        OrderHead {
            argv: engine.run(&container),
            // The engine's client reads its own settings from there.
            env: env::vars_os().collect(),
            folder: work.path().to_owned(),
            files: lengths(&order.files),
            // The engine limits the container. These are for its client.
            limits: Limits::STUDENT,
            confinement: Confinement::Open,
            grace: Duration::ZERO,
            afterwards: engine.remove_for(&name),
        }
    }
}

fn student(order: &Order, grace: Duration) -> OrderHead {
    OrderHead {
        argv: order.argv.clone(),
        env: env::vars_os().chain(order.env.iter().cloned()).collect(),
        folder: order.folder.clone(),
        files: Vec::new(),
        limits: order.limits,
        confinement: Confinement::Open,
        grace,
        afterwards: Vec::new(),
    }
}

fn judge(python: &Python, order: &Order, folder: PathBuf) -> OrderHead {
    let start = [python.program.clone().into_os_string(), "-u".into()];
    let plain = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.into(), value.into()));
    let home = ("HOME".into(), folder.clone().into_os_string());
    OrderHead {
        argv: start.into_iter().chain(order.argv.iter().cloned()).collect(),
        env: plain.into_iter().chain([home]).chain(order.env.iter().cloned()).collect(),
        folder,
        files: lengths(&order.files),
        limits: order.limits,
        confinement: Confinement::Open,
        grace: Duration::ZERO,
        afterwards: Vec::new(),
    }
}

fn lengths(files: &[(String, Vec<u8>)]) -> Vec<(String, usize)> {
    files.iter().map(|(name, content)| (name.clone(), content.len())).collect()
}
