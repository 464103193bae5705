//! From `POST /brightness` to the frame at every event client, and what five hundred clients weigh, with the real programs.

use std::time::{Duration, Instant};

use sim_api::app::file_limit;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::support::http::{Connection, request, state_of};
use crate::support::process::SimUp;
use crate::support::wait::wait_for;

const CROWDS: [usize; 3] = [1, 100, 500];
const CHANGES: usize = 40;
const TARGET_P99_MS: f64 = 50.0;
const TARGET_MB: f64 = 100.0;

pub async fn run() {
    file_limit::raise();
    let sim = SimUp::start();
    wait_for("a world", async || {
        tokio::net::TcpStream::connect(sim.address).await.ok()?;
        let mut connection = Connection::open(sim.address).await;
        connection.send(&brightness(1.0)).await;
        connection.answer().await.filter(|answer| answer.status == 200)
    })
    .await;
    for clients in CROWDS {
        let mut took = delays(&sim, clients).await;
        took.sort_unstable();
        let ms = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        let target = if clients == 500 { format!(" (p99 <= {TARGET_P99_MS:.0} ms)") } else { String::new() };
        let what = format!("POST /brightness to the frame, {clients} clients{target}");
        crate::row(&what, &format!("{:.1} / {:.1} ms", ms(0.5), ms(0.99)));
    }
}

/// From the request to the frame that shows it, of every change at every client.
async fn delays(sim: &SimUp, clients: usize) -> Vec<Duration> {
    let (seen, mut all_seen) = mpsc::unbounded_channel::<(f64, Instant)>();
    let mut streams = JoinSet::new();
    for _ in 0..clients {
        let mut connection = Connection::open(sim.address).await;
        connection.send(&request("GET", "/sim/api/events", "", b"")).await;
        assert!(connection.event_stream().await);
        let seen = seen.clone();
        streams.spawn(async move {
            let mut last = f64::NAN;
            while let Some(event) = connection.event().await {
                let now = Instant::now();
                if !event.starts_with("event: state") {
                    continue;
                }
                let shown = state_of(&event)["brightness"].as_f64().unwrap_or(f64::NAN);
                if shown != last {
                    last = shown;
                    let _ = seen.send((shown, now));
                }
            }
        });
    }
    // Everybody's first frame.
    for _ in 0..clients {
        all_seen.recv().await.expect("clients are there");
    }
    let mut writer = Connection::open(sim.address).await;
    let mut delays = Vec::with_capacity(clients * CHANGES);
    for change in 0..CHANGES {
        let value = 0.5 + (change % 2) as f64 * 0.5 + change as f64 * 1e-3;
        let asked = Instant::now();
        writer.send(&brightness(value)).await;
        assert_eq!(writer.answer().await.expect("an answer").status, 200);
        for _ in 0..clients {
            let (shown, at) = all_seen.recv().await.expect("clients are there");
            assert_eq!(shown, value);
            delays.push(at - asked);
        }
        tokio::time::sleep(Duration::from_millis(37)).await;
    }
    if clients == *CROWDS.last().unwrap_or(&0) {
        let mb = resident_mb(sim.child_named("sim_api_node"));
        crate::row(
            &format!("resident memory of the node with {clients} clients (<= {TARGET_MB:.0} MB)"),
            &format!("{mb:.0} MB"),
        );
    }
    streams.abort_all();
    delays
}

fn brightness(value: f64) -> Vec<u8> {
    request("POST", "/sim/api/brightness", "", format!("{{\"value\": {value}}}").as_bytes())
}

fn resident_mb(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a living process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}
