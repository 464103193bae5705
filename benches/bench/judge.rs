//! How long an evaluation waits for its processes: for the first word of the judge's Python, and for the end of a student.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sim_api::app::settings::Surroundings;
use sim_api::judge::supervise::{Limits, Order, Supervisor, SupervisorOptions};
use tokio::io::AsyncReadExt;

use crate::row;

const ROUNDS: usize = 9;

pub async fn run() {
    let data = std::env::temp_dir().join(format!("sim_api_bench_{}", std::process::id()));
    let mut options = SupervisorOptions::new(data.clone());
    let shared = Surroundings::of_this_process().default_data();
    options.python_roots.extend(shared.map(|data| SupervisorOptions::python_root_in(&data)));
    options.program = PathBuf::from(env!("CARGO_BIN_EXE_sim_api_node"));
    let supervisor = Supervisor::probe(options).await.expect("a way to run commands");
    let info = supervisor.runtime();
    println!("  judge: {}, Python {}; student: {}", info.runtime, info.python, info.level);

    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        starts.push(first_word(&supervisor).await);
        ends.push(end(&supervisor, data.parent().unwrap_or(Path::new("/"))).await);
    }
    row("judge: start to the first byte of its Python (median)", &milliseconds(&mut starts));
    row("student: stop to everything dead (median)", &milliseconds(&mut ends));
    // Only there if the judge has no private file system.
    let _ = std::fs::remove_dir_all(data);
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

fn milliseconds(samples: &mut [Duration]) -> String {
    samples.sort_unstable();
    format!("{:.0} ms", samples[samples.len() / 2].as_secs_f64() * 1e3)
}
