//! Finds out, once, what this machine allows: each way is tried for real, the best first.

use std::path::PathBuf;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::running::Launch;
use super::{
    Engine, JudgeRuntime, LaunchError, Level, Limits, Order, PATIENCE, Python, Runtime, Supervisor, SupervisorOptions,
    folder, python,
};

/// A Python that takes longer than this to say its version is of no use.
const PYTHON_LIMIT: Duration = Duration::from_secs(20);
const WANTED_PYTHON: &str = "3.14.";

impl Supervisor {
    /// With a container engine that does not have Python's image yet, this takes as long as the download.
    pub async fn probe(options: SupervisorOptions) -> Result<Self, LaunchError> {
        let SupervisorOptions { runtime, engines, data, python_roots, program, best_level, grace } = options;
        let level = Level::probe(&program, best_level).await;
        folder::sweep(&data);
        let warnings: Vec<String> = level.warning().map(str::to_owned).into_iter().collect();
        let launch = Launch { program, level, patience: PATIENCE };
        let mut base = Attempt { launch, data, grace, warnings };
        if matches!(runtime, Runtime::Auto | Runtime::Container) {
            let mut reasons = Vec::new();
            for engine in engines {
                if !engine.answers().await {
                    continue;
                }
                match base.in_container(engine).await {
                    Ok(supervisor) => return Ok(supervisor),
                    Err(reason) => reasons.push(format!("{}: {reason}", engine.program)),
                }
            }
            match (runtime, reasons.is_empty()) {
                (Runtime::Container, true) => return Err(LaunchError::NoEngine),
                (Runtime::Container, false) => return Err(LaunchError::NoContainer(reasons.join("; "))),
                (_, true) => {}
                (_, false) => base.warnings.push(format!("no container for the judge: {}", reasons.join("; "))),
            }
        }
        let mut last = None;
        if runtime != Runtime::Process
            && let Some(root) = python_roots.iter().find(|root| python::is_root(root))
        {
            match base.with(JudgeRuntime::Sandbox(Python::in_root(root)), None).await {
                Ok(supervisor) => return Ok(supervisor),
                Err(reason) => last = Some(reason),
            }
        }
        // Looking for it takes a while on some machines, so only now.
        let Some(system) = Python::of_the_system().await else {
            return Err(last.map_or(LaunchError::NoPython, LaunchError::Refused));
        };
        if runtime != Runtime::Process {
            match base.with(JudgeRuntime::Sandbox(system.clone()), last.take()).await {
                Ok(supervisor) => return Ok(supervisor),
                Err(reason) if runtime == Runtime::Sandbox => return Err(LaunchError::NoSandbox(reason)),
                Err(reason) => last = Some(reason),
            }
        }
        base.with(JudgeRuntime::Process(system), last).await.map_err(LaunchError::Refused)
    }

    /// The version of the Python that judges get, by its own word.
    async fn ask_python(&self) -> Result<String, String> {
        let program = ["-I", "-c", "import platform; print(platform.python_version())"].map(Into::into).to_vec();
        let mut running =
            self.launch(Order::judge(program, Vec::new(), Limits::JUDGE)).await.map_err(|err| err.to_string())?;
        let (mut version, mut complaint) = (String::new(), String::new());
        let asked = async {
            let texts = tokio::join!(
                running.stdout.read_to_string(&mut version),
                running.stderr.read_to_string(&mut complaint)
            );
            (running.exited().await, texts)
        };
        let answer = match timeout(PYTHON_LIMIT, asked).await {
            Ok((exit, (Ok(_), _))) if exit.code == 0 => Ok(version.trim().to_owned()),
            Ok((exit, _)) => Err(format!("Python ended with {}: {}", exit.code, complaint.trim())),
            Err(_) => Err(format!("Python did not answer within {} s", PYTHON_LIMIT.as_secs())),
        };
        running.stop().await;
        answer
    }
}

/// What every candidate for the judge's runtime has in common.
struct Attempt {
    launch: Launch,
    data: PathBuf,
    grace: Duration,
    warnings: Vec<String>,
}

impl Attempt {
    /// A supervisor whose judges run in containers of this engine, if that works.
    async fn in_container(&self, engine: Engine) -> Result<Supervisor, String> {
        engine.sweep(&self.data).await;
        engine.prepare().await?;
        self.with(JudgeRuntime::Container(engine), None).await
    }

    /// A supervisor whose judges run like this, if that works. `reason` says why nothing better did.
    async fn with(&self, judge: JudgeRuntime, reason: Option<String>) -> Result<Supervisor, String> {
        let (launch, data, grace) = (self.launch.clone(), self.data.clone(), self.grace);
        let mut warnings = self.warnings.clone();
        warnings.extend(reason.map(|reason| format!("no better place for the judge: {reason}")));
        let mut supervisor = Supervisor { launch, data, grace, judge, python: String::new(), warnings };
        supervisor.python = supervisor.ask_python().await?;
        if !supervisor.python.starts_with(WANTED_PYTHON) {
            let version = &supervisor.python;
            let text = format!("judged by Python {version} of this machine, not by 3.14; `make` fetches it");
            supervisor.warnings.push(text);
        }
        Ok(supervisor)
    }
}
