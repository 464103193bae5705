//! Commands under supervision, and a look at what is left of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use sim_api::judge::supervise::{Exit, Level, Limits, Order, Running, Runtime, Supervisor, SupervisorOptions};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::pipe;

use crate::support::folder::TempFolder;
use crate::support::process::data_home;
use crate::support::wait::{in_time, wait_until};

pub const NODE: &str = env!("CARGO_BIN_EXE_sim_api_node");
const MARK: &str = "SIM_API_TEST_MARK";

/// A supervisor with a data folder of its own.
pub struct Bench {
    pub folder: TempFolder,
    pub supervisor: Supervisor,
}

impl Bench {
    /// With at most this level; None where this machine does not offer it.
    pub async fn at(level: Level) -> Option<Self> {
        let bench = Self::with(level, Runtime::Process).await;
        (bench.supervisor.runtime().level == level.word()).then_some(bench)
    }

    pub async fn with(level: Level, runtime: Runtime) -> Self {
        let folder = TempFolder::new();
        let supervisor =
            Supervisor::probe(options(folder.path(), level, runtime)).await.expect("a way to run commands");
        Self { folder, supervisor }
    }

    /// A student's command that carries a mark.
    pub async fn student(&self, command: &str) -> Marked {
        self.limited_student(command, Limits::STUDENT).await
    }

    pub async fn limited_student(&self, command: &str, limits: Limits) -> Marked {
        let mut order = Order::student(command, self.folder.path().to_owned(), limits);
        // No login files but the system's.
        order.env.push(("HOME".into(), self.folder.path().into()));
        Marked::launch(&self.supervisor, order).await
    }

    /// A judging script that carries a mark.
    pub async fn judge(&self, script: &str) -> Marked {
        self.limited_judge(script, Limits::JUDGE).await
    }

    pub async fn limited_judge(&self, script: &str, limits: Limits) -> Marked {
        let files = vec![("script.py".to_owned(), script.as_bytes().to_vec())];
        Marked::launch(&self.supervisor, Order::judge(vec!["script.py".into()], files, limits)).await
    }
}

pub fn options(data: &Path, level: Level, runtime: Runtime) -> SupervisorOptions {
    let mut options = SupervisorOptions::new(data.to_owned());
    options.python_roots.extend(python_root());
    // No engine, whatever this machine has.
    SupervisorOptions { program: NODE.into(), best_level: level, runtime, engines: Vec::new(), ..options }
}

/// Where `make` puts Python for everybody.
pub fn python_root() -> Option<PathBuf> {
    Some(data_home()?.join("sim_api/python"))
}

/// A command whose processes can be told from all others of this machine.
pub struct Marked {
    mark: String,
    pub running: Running,
    pub lines: BufReader<pipe::Receiver>,
}

impl Marked {
    async fn launch(supervisor: &Supervisor, mut order: Order) -> Self {
        let mark = new_mark();
        order.env.push((MARK.into(), mark.clone().into()));
        let mut running = in_time(supervisor.launch(order)).await.expect("the command starts");
        // Nothing else may read it; an own pipe takes its place.
        let (_, nothing) = pipe::pipe().expect("a pipe");
        let lines = BufReader::new(std::mem::replace(&mut running.stdout, nothing));
        Self { mark, running, lines }
    }

    /// The next line of its output, without its end.
    pub async fn line(&mut self) -> String {
        let mut line = String::new();
        in_time(self.lines.read_line(&mut line)).await.expect("text");
        line.trim_end().to_owned()
    }

    /// Everything it still says, until the last process that could say something is gone.
    pub async fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        in_time(self.lines.read_to_end(&mut bytes)).await.expect("a pipe");
        bytes
    }

    pub async fn complaints(&mut self) -> String {
        let mut bytes = Vec::new();
        in_time(self.running.stderr.read_to_end(&mut bytes)).await.expect("a pipe");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub async fn exited(&mut self) -> Exit {
        in_time(self.running.exited()).await
    }

    pub fn mark(&self) -> String {
        self.mark.clone()
    }

    pub fn alive(&self) -> Vec<u32> {
        with_mark(&self.mark)
    }

    /// Stops it and looks for anything that is left, at once.
    pub async fn stop(self) -> Exit {
        let exit = in_time(self.running.stop()).await;
        assert_eq!(with_mark(&self.mark), Vec::<u32>::new(), "processes that survived");
        exit
    }

    /// Waits until it is gone with everything it started.
    pub async fn vanishes(&self) {
        let mark = self.mark.clone();
        wait_until("the end of all its processes", || with_mark(&mark).is_empty()).await;
    }
}

pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("mark-{}-{}-", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Living processes that have this mark in their environment or among their arguments.
pub fn with_mark(mark: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |pid: &u32| {
        ["environ", "cmdline"].iter().any(|file| {
            let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
            bytes.windows(mark.len()).any(|window| window == mark.as_bytes())
        })
    };
    numbers.filter(has).filter(|pid| crate::support::process::is_alive(*pid)).collect()
}
