//! Finds out, once, what this machine allows: each way is tried for real, the best first.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::running::Launch;
use super::{
    Engine, JudgeRuntime, LaunchError, Level, Limits, Order, Python, Runtime, Supervisor, SupervisorOptions, folder,
    python,
};

/// A Python that takes longer than this to say its version is of no use.
const PYTHON_LIMIT: Duration = Duration::from_secs(20);
const WANTED_PYTHON: &str = "3.14.";

impl Supervisor {
    /// With a container engine that does not have Python's image yet, this takes as long as the download.
    pub async fn probe(options: SupervisorOptions) -> Result<Self, LaunchError> {
        let SupervisorOptions { runtime, data, python_roots, program, best_level, grace } = options;
        let level = Level::probe(&program, best_level).await;
        folder::sweep(&data);
        let mut warnings: Vec<String> = level.warning().map(str::to_owned).into_iter().collect();
        let launch = Launch { program, level };
        if matches!(runtime, Runtime::Auto | Runtime::Container) {
            match Engine::probe().await {
                Some(engine) => {
                    engine.sweep(&data).await;
                    match engine.prepare().await {
                        Ok(python) => {
                            return Ok(Self {
                                launch,
                                data,
                                grace,
                                judge: JudgeRuntime::Container(engine),
                                python,
                                warnings,
                            });
                        }
                        Err(reason) if runtime == Runtime::Container => return Err(LaunchError::NoImage(reason)),
                        Err(reason) => warnings.push(format!("no container for the judge: {reason}")),
                    }
                }
                None if runtime == Runtime::Container => return Err(LaunchError::NoEngine),
                None => {}
            }
        }
        let root = python_roots.iter().find(|root| python::is_root(root)).map(|root| Python::in_root(root));
        let system = Python::of_the_system().await;
        let mut candidates = Vec::new();
        if runtime != Runtime::Process {
            candidates.extend([root, system.clone()].into_iter().flatten().map(JudgeRuntime::Sandbox));
        }
        if runtime != Runtime::Sandbox {
            candidates.extend(system.map(JudgeRuntime::Process));
        }
        let mut last = None;
        for judge in candidates {
            let (launch, data, warnings) = (launch.clone(), data.clone(), warnings.clone());
            let mut supervisor = Self { launch, data, grace, judge, python: String::new(), warnings };
            match supervisor.ask_python().await {
                Ok(version) => {
                    supervisor.python = version;
                    supervisor.warnings.extend(last.map(|reason| format!("no better place for the judge: {reason}")));
                    if !supervisor.python.starts_with(WANTED_PYTHON) {
                        let text = format!(
                            "judged by Python {} of this machine, not by 3.14; `make` fetches it",
                            supervisor.python
                        );
                        supervisor.warnings.push(text);
                    }
                    return Ok(supervisor);
                }
                Err(reason) => last = Some(reason),
            }
        }
        Err(match last {
            Some(reason) if runtime == Runtime::Sandbox => LaunchError::NoSandbox(reason),
            Some(reason) => LaunchError::Refused(reason),
            None => LaunchError::NoPython,
        })
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
