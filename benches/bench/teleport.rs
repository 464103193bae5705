//! From `POST /pose` to its answer, through both processes.

use std::time::{Duration, Instant};

use crate::support::http::{Connection, request};
use crate::support::process::SimUp;

const CALLS: usize = 1000;

pub async fn run() {
    let sim = SimUp::start();
    let mut connection = loop {
        if let Ok(stream) = tokio::net::TcpStream::connect(sim.address).await {
            drop(stream);
            let mut connection = Connection::open(sim.address).await;
            connection.send(&teleport(0)).await;
            if connection.answer().await.is_some_and(|answer| answer.status == 200) {
                break connection;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let mut took = Vec::with_capacity(CALLS);
    for call in 0..CALLS {
        let started = Instant::now();
        connection.send(&teleport(call)).await;
        let answer = connection.answer().await.expect("an answer");
        took.push(started.elapsed());
        assert_eq!(answer.status, 200);
        // Students do not teleport back to back; this also meets every phase of a step.
        tokio::time::sleep(Duration::from_micros(3100)).await;
    }
    took.sort_unstable();
    let ms = |share: f64| took[((CALLS - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    crate::judged("teleport over HTTP: median", "<= 17 ms", &format!("{:.2} ms", ms(0.5)), ms(0.5) <= 17.0);
    crate::row("teleport over HTTP: 99th percentile", &format!("{:.2} ms", ms(0.99)));
}

fn teleport(call: usize) -> Vec<u8> {
    let body = format!("{{\"x\": {}}}", (call % 10) as f64 * 0.1);
    request("POST", "/sim/api/pose", "", body.as_bytes())
}
