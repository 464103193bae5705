//! `sim doctor`: says in plain words what this machine has, one line per finding.
//!
//! It looks and changes nothing, except that it writes and removes one small file in the data folder if that exists. Its exit
//! code is 1 only when `sim up` could not work.

pub mod machine;
pub mod ros;
pub mod sandbox;
pub mod settings;

use std::fmt;
use std::io::{self, Write};
use std::process::{ExitCode, Output, Stdio};
use std::time::Duration;

use anyhow::Context;
use tokio::process::Command;
use tokio::time::timeout;

use super::Program;
use super::settings::{Settings, SettingsError, Sources};

/// How long a probed tool may take; one that hangs is as good as missing.
const PROBE_LIMIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Ok,
    /// Works, but not as well as it could.
    Warn,
    /// Something optional is not there.
    Missing,
    /// Something essential does not work.
    Broken,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub mark: Mark,
    pub subject: &'static str,
    pub text: String,
}

impl Finding {
    pub fn new(mark: Mark, subject: &'static str, text: impl Into<String>) -> Self {
        Self { mark, subject, text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Ok => "ok",
            Mark::Warn => "warn",
            Mark::Missing => "missing",
            Mark::Broken => "broken",
        };
        write!(f, "{mark:<8} {:<12} {}", self.subject, self.text)
    }
}

/// Prints the findings. Wrong settings are a finding too; what does not depend on them is still examined.
pub fn examine(sources: Result<Sources, SettingsError>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start tokio")?;
    let findings = runtime.block_on(findings(sources));
    let broken = findings.iter().any(|finding| finding.mark == Mark::Broken);
    let mut out = io::stdout().lock();
    for finding in &findings {
        writeln!(out, "{finding}").context("cannot write to stdout")?;
    }
    let verdict = if broken { "Something essential is broken; see above." } else { "Ready: `sim up` starts it." };
    writeln!(out, "\n{verdict}").context("cannot write to stdout")?;
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn findings(sources: Result<Sources, SettingsError>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let resolved: Result<(Sources, Settings), SettingsError> =
        sources.and_then(|sources| sources.resolve(Program::Node.name()).map(|settings| (sources, settings)));
    let settings = match resolved {
        Ok((sources, settings)) => {
            findings.extend(settings::findings(&sources, &settings));
            Some(settings)
        }
        Err(err) => {
            findings.push(Finding::new(Mark::Broken, "settings", err.to_string()));
            None
        }
    };
    findings.extend(ros::findings(settings.as_ref(), &ros::RosEnvironment::of_this_process()));
    let wanted = settings.as_ref().map(|settings| settings.evaluation_runtime).unwrap_or_default();
    findings.push(sandbox::finding(sandbox::Offer::probe().await, wanted));
    findings.push(machine::python().await);
    findings.extend([machine::cores(), machine::udp_buffers()]);
    findings
}

/// What a tool says; None when it is missing, hangs or fails.
async fn ask(tool: &str, args: &[&str]) -> Option<Output> {
    let output = Command::new(tool).args(args).stdin(Stdio::null()).kill_on_drop(true).output();
    let output = timeout(PROBE_LIMIT, output).await.ok()?.ok()?;
    output.status.success().then_some(output)
}
