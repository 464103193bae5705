//! How long an evaluation waits for its processes, and how fast a judging script is shown states.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use sim_api::app::settings::Surroundings;
use sim_api::judge::harness;
use sim_api::judge::supervise::{Limits, Order, Running, Supervisor, SupervisorOptions};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe;

use crate::support::judging::Rig;
use crate::support::wait::wait_for;
use crate::{judged, row};

const ROUNDS: usize = 9;
/// Of one round of calls; rounds of script and echo alternate, so that both meet the same machine.
const CALLS: usize = 200;
const CALL_ROUNDS: usize = 25;
const STATE_BYTES: usize = 5 << 10;

const CALLS_TARGET: f64 = 1000.0;
const SHARE_TARGET: f64 = 0.6;
const START_TARGET_MS: f64 = 1500.0;
const STOP_TARGET_MS: f64 = 500.0;

/// Reads and understands every line as the harness has to, and does nothing else.
const ECHO: &str = "import json, os, sys\nfor line in sys.stdin.buffer:\n    json.loads(line)\n    \
    os.write(1, b'{\"type\":\"evaluated\"}\\n')\n";

/// Tells when it was shown a state first, by the clock that this program reads too.
const FIRST: &str = "import time\n\nfirst = None\n\ndef evaluate(sim):\n    global first\n    \
    if first is None:\n        first = time.time()\n        sim.record(first)\n";

pub async fn run() {
    let data = std::env::temp_dir().join(format!("sim_api_bench_{}", std::process::id()));
    let mut options = SupervisorOptions::new(data.clone());
    let shared = Surroundings::of_this_process().default_data();
    options.python_roots.extend(shared.map(|data| SupervisorOptions::python_root_in(&data)));
    options.program = PathBuf::from(env!("CARGO_BIN_EXE_sim_api_node"));
    let supervisor = Supervisor::probe(options).await.expect("a way to run commands");
    let info = supervisor.runtime();
    println!("  judge: {}, Python {}; student: {}", info.runtime, info.python, info.level);

    calls(&supervisor).await;
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        starts.push(first_word(&supervisor).await);
        ends.push(end(&supervisor, data.parent().unwrap_or(Path::new("/"))).await);
    }
    row("judge: start to the first byte of its Python (median)", &format!("{:.0} ms", median_ms(&mut starts)));
    row("student: stop to everything dead (median)", &format!("{:.0} ms", median_ms(&mut ends)));
    // Only there if the judge has no private file system.
    let _ = std::fs::remove_dir_all(data);
    sessions().await;
}

/// Whole sessions, as a client of the API sees them.
async fn sessions() {
    let rig = Rig::start(&[]).await;
    rig.write_script(FIRST);
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let began = SystemTime::now();
        rig.begin(json!({"command": "sleep 1000"})).await;
        let shown = wait_for("the first observation", async || {
            rig.get("evaluation/session").await["session"]["record"].as_f64()
        })
        .await;
        let began = began.duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs_f64();
        starts.push(Duration::from_secs_f64((shown - began).max(0.0)));
        let began = Instant::now();
        assert_eq!(rig.post("evaluation/stop", json!({})).await.status, 200);
        ends.push(began.elapsed());
    }
    let start_ms = median_ms(&mut starts);
    let what = "evaluation: start to the first observation (median)";
    judged(what, &format!("<= {START_TARGET_MS:.0} ms"), &format!("{start_ms:.0} ms"), start_ms <= START_TARGET_MS);
    let stop_ms = median_ms(&mut ends);
    let what = "evaluation: stop to everything dead and kept (median)";
    judged(what, &format!("<= {STOP_TARGET_MS:.0} ms"), &format!("{stop_ms:.0} ms"), stop_ms <= STOP_TARGET_MS);
}

/// A judge that answers every line with one.
struct Answering {
    stdin: pipe::Sender,
    lines: BufReader<pipe::Receiver>,
    held: sim_api::judge::supervise::Held,
}

impl Answering {
    async fn launch(supervisor: &Supervisor, order: Order) -> Self {
        let running = supervisor.launch(order).await.expect("the judge starts");
        let Running { stdin, stdout, held, .. } = running;
        Self { stdin, lines: BufReader::new(stdout), held }
    }

    /// Says a line and waits for the word that answers it.
    async fn ask(&mut self, line: &[u8], answer: &str) {
        self.stdin.write_all(line).await.expect("the judge reads");
        let mut said = String::new();
        while !said.contains(answer) {
            said.clear();
            let read = self.lines.read_line(&mut said).await.expect("the judge writes");
            assert!(read > 0, "the judge has ended");
        }
    }

    /// Calls per second.
    async fn round(&mut self, line: &[u8]) -> f64 {
        let began = Instant::now();
        for _ in 0..CALLS {
            self.ask(line, "evaluated").await;
        }
        CALLS as f64 / began.elapsed().as_secs_f64()
    }
}

async fn calls(supervisor: &Supervisor) {
    let state = state();
    let observation = line(&json!({ "state": state }));
    let script = harness::order("bench", "def evaluate(sim):\n    sim.state.pose.x\n", Limits::JUDGE);
    let mut script = Answering::launch(supervisor, script).await;
    let nothing = json!({});
    let setup = json!({
        "evaluate_s": 2.0, "config": nothing, "track": nothing, "route": null, "objects": nothing, "origins": nothing,
        "state": state,
    });
    script.ask(&line(&setup), "initialized").await;
    let argv = ["-c", ECHO].map(Into::into).to_vec();
    let mut echo = Answering::launch(supervisor, Order::judge(argv, Vec::new(), Limits::JUDGE)).await;
    let (mut scripts, mut echoes) = (Vec::new(), Vec::new());
    for _ in 0..CALL_ROUNDS {
        scripts.push(script.round(&observation).await);
        echoes.push(echo.round(&observation).await);
    }
    script.held.stop().await;
    echo.held.stop().await;
    // Neighbours are compared: what else the machine does changes from round to round.
    let mut shares: Vec<_> = scripts.iter().zip(&echoes).map(|(script, echo)| script / echo).collect();
    let (ours, bare, share) = (median(&mut scripts), median(&mut echoes), median(&mut shares));
    let what = format!("judge: evaluate per second, {} B of state", observation.len());
    judged(&what, &format!(">= {CALLS_TARGET:.0}/s"), &format!("{ours:.0}/s"), ours >= CALLS_TARGET);
    let what = "judge: that against a bare JSON echo on the same pipe";
    let measured = format!("{:.0} % of {bare:.0}/s", share * 100.0);
    judged(what, &format!(">= {:.0} %", SHARE_TARGET * 100.0), &measured, share >= SHARE_TARGET);
}

/// What a script is shown, with as many objects as it takes to fill it.
fn state() -> Value {
    let pose =
        json!({"x": 1.234567, "y": -2.345678, "z": 0.012345, "roll": 0.000123, "pitch": -0.000456, "yaw": 1.234567});
    let mut state = json!({
        "time": 123.456, "paused": false, "rtf": 1.0, "pose": pose, "objects": {}, "lights": {"light1": "green"},
        "light_changes": [], "contacts": [], "brightness": 1.0, "run": {"running": true, "exit_code": null},
        "audio": {"playing": [], "events": []},
    });
    state["pose"]["speed"] = json!(0.987654);
    let mut count = 0;
    while state.to_string().len() < STATE_BYTES {
        count += 1;
        state["objects"][format!("object{count}")] = pose.clone();
    }
    state
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

async fn first_word(supervisor: &Supervisor) -> Duration {
    let began = Instant::now();
    let argv = ["-c", "import asyncio, json; print('x')"].map(Into::into).to_vec();
    let mut judge = supervisor.launch(Order::judge(argv, Vec::new(), Limits::JUDGE)).await.expect("the judge starts");
    judge.stdout.read_u8().await.expect("its first byte");
    let took = began.elapsed();
    judge.stop().await;
    took
}

/// A well-behaved student with a few processes.
async fn end(supervisor: &Supervisor, folder: &Path) -> Duration {
    let command = "sleep 1000 & (sleep 1000 &) ; exec python3 -c 'print(\"x\"); import time; time.sleep(1000)'";
    let order = Order::student(command, folder.to_owned(), Limits::STUDENT);
    let mut student = supervisor.launch(order).await.expect("the student starts");
    student.stdout.read_u8().await.expect("its first byte");
    let began = Instant::now();
    student.stop().await;
    began.elapsed()
}

fn median_ms(samples: &mut [Duration]) -> f64 {
    let mut milliseconds: Vec<_> = samples.iter().map(|sample| sample.as_secs_f64() * 1e3).collect();
    median(&mut milliseconds)
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
