//! `sim evaluate`: one evaluation without a server that stays, the unit of batch grading.
//!
//! Starts the same programs as `sim up`, at a port of its own and by default with a data folder that is gone afterwards, asks them
//! over HTTP for one session, and hands out its record. The exit code is 0 only if the script finished.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tracing::{error, info};

use super::Settings;
use super::sentence::sentence;
use super::settings::{SettingsLayer, Sources};
use super::supervise::status::{self, Request};
use super::supervise::{self, reachable};
use crate::record;

const POLL: Duration = Duration::from_millis(100);
/// From the start of the programs; far more than they need on a slow machine.
const READY_LIMIT: Duration = Duration::from_secs(120);
/// A record holds a log of 16 MiB, unless the settings allow more, and JSON may make it several times as long.
const MAX_RECORD_BYTES: u64 = 256 << 20;

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    /// The student's command, run by bash in this folder; without it the script only watches
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,

    /// Simulated seconds until the run is disqualified [default: as the world says]
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,

    /// Write the record to this file instead of printing it
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Keep the recording of the run (MCAP) in this file
    #[arg(long, value_name = "FILE")]
    mcap: Option<PathBuf>,

    #[command(flatten)]
    pub settings: SettingsLayer,
}

/// A data folder for one evaluation, removed with everything in it.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary folder; what cannot be removed now, the system removes later.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn run(args: &EvaluateArgs, mut sources: Sources) -> anyhow::Result<ExitCode> {
    let flags = &mut sources.flags;
    flags.bind.get_or_insert(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
    let is_given = flags.data.is_some() || sources.environment.data.is_some();
    let _scratch = (!is_given).then(|| {
        let folder = std::env::temp_dir().join(format!("sim_evaluate_{}", std::process::id()));
        flags.data = Some(folder.clone());
        Scratch(folder)
    });
    supervise::run(&sources, async |settings, _| match evaluate(args, settings).await {
        Ok(code) => code,
        Err(err) => {
            error!("{}", sentence(&err));
            ExitCode::FAILURE
        }
    })
}

async fn evaluate(args: &EvaluateArgs, settings: &Settings) -> anyhow::Result<ExitCode> {
    let node = Node { address: reachable(settings.bind), settings };
    timeout(READY_LIMIT, node.ready()).await.context("the simulator was not ready in time; see its lines above")?;
    let wish = json!({ "command": args.command, "time_limit_s": args.time_limit, "seed": settings.seed });
    let started = node.ask("POST", "/sim/api/evaluation/start", &wish.to_string()).await?;
    let id = started["session_id"].as_str().context("the session has no name")?.to_owned();
    info!("evaluating as session {id}");
    loop {
        let answer = node.ask("GET", "/sim/api/evaluation/session", "").await?;
        let session = &answer["session"];
        if session["session_id"] != id.as_str() {
            bail!("another session took its place");
        }
        if session["phase"] == "ended" {
            break;
        }
        sleep(POLL).await;
    }
    let record = node.ask("GET", &format!("/sim/api/evaluation/record?session={id}&full=true"), "").await?;
    hand_out(&record, args.json.as_deref())?;
    if let Some(file) = &args.mcap {
        keep_recording(&record, &settings.data, file)?;
    }
    let outcome = record["outcome"].as_str().unwrap_or("without an outcome");
    let reason = record["reason"].as_str().map(|reason| format!(": {reason}")).unwrap_or_default();
    info!("{outcome}{reason}; record {}", record["record"]);
    Ok(if outcome == "finished" { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn hand_out(record: &Value, file: Option<&Path>) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(record).context("the record cannot be written as JSON")?;
    match file {
        Some(file) => fs::write(file, text).with_context(|| format!("{} cannot be written", file.display())),
        None => {
            println!("{text}");
            Ok(())
        }
    }
}

fn keep_recording(record: &Value, data: &Path, file: &Path) -> anyhow::Result<()> {
    if record["mcap"] != true {
        bail!("the run has no recording; the lines above say why");
    }
    let recording = record::tape_path(data, record["session_id"].as_str().unwrap_or_default());
    fs::copy(recording, file).with_context(|| format!("{} cannot be written", file.display()))?;
    Ok(())
}

struct Node<'a> {
    address: SocketAddr,
    settings: &'a Settings,
}

impl Node<'_> {
    /// Returns when the world runs and the vehicle's own software answers.
    async fn ready(&self) {
        while !status::ask(self.address, self.settings.token.as_ref()).await.is_some_and(|status| status.running) {
            sleep(POLL).await;
        }
        while self.ask("GET", "/sim/api/state", "").await.is_ok_and(|state| state["odom"].is_null()) {
            sleep(POLL).await;
        }
    }

    async fn ask(&self, method: &'static str, path: &str, body: &str) -> anyhow::Result<Value> {
        let request = Request { method, path, body };
        let (code, text) = status::exchange(self.address, self.settings.token.as_ref(), &request, MAX_RECORD_BYTES)
            .await
            .with_context(|| format!("the node does not answer {path}"))?;
        let value: Value = serde_json::from_str(&text).with_context(|| format!("{path} answered no JSON"))?;
        if code == 200 { Ok(value) } else { bail!("{}", value["error"].as_str().unwrap_or("the node refused")) }
    }
}
