//! `make bench`: how fast it is, as a table. Ratios are taken within one run, because machines are shared and noisy; what one
//! thread does is measured in its own CPU time, beside the wall time.

#[path = "bench/cpu.rs"]
mod cpu;
#[path = "bench/events.rs"]
mod events;
#[path = "bench/judge.rs"]
mod judge;
#[path = "bench/loading.rs"]
mod loading;
#[path = "bench/memory.rs"]
mod memory;
#[path = "bench/odometry.rs"]
mod odometry;
#[path = "bench/physics.rs"]
mod physics;
#[path = "bench/reset.rs"]
mod reset;
#[path = "bench/sensors.rs"]
mod sensors;
#[path = "bench/stack.rs"]
mod stack;
#[path = "bench/state.rs"]
mod state;
#[expect(dead_code, reason = "the tests use more of it")]
mod support;
#[path = "bench/teleport.rs"]
mod teleport;
#[path = "bench/worlds.rs"]
mod worlds;

use futures::future::LocalBoxFuture;

/// The worlds of the package.
const OFFICIAL: [&str; 4] = ["vehicle_base", "vehicle_city", "vehicle_oval", "vehicle_slalom"];

/// A part of the table.
type Part = fn() -> LocalBoxFuture<'static, ()>;

macro_rules! parts {
    ($($name:ident: $run:expr),+ $(,)?) => {
        &[$((stringify!($name), || Box::pin(async { $run }))),+]
    };
}

/// In the order of the table. Names on the command line choose among them: `make bench BENCH=judge`.
const PARTS: &[(&str, Part)] = parts![
    physics: physics::run(),
    sensors: sensors::run(),
    loading: loading::run(),
    odometry: odometry::run(),
    memory: memory::run().await,
    teleport: teleport::run().await,
    reset: reset::run().await,
    events: events::run().await,
    worlds: worlds::run().await,
    state: state::run().await,
    judge: judge::run().await,
    stack: stack::run().await,
];

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    if let Some(unknown) = chosen.iter().find(|name| PARTS.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        eprintln!("there is no part `{unknown}`; there are: {}", known.join(", "));
        std::process::exit(2);
    }
    print("what", "target", "measured", "");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("tokio starts");
    for (_, part) in PARTS.iter().filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|wanted| wanted == name)) {
        runtime.block_on(part());
    }
}

fn row(what: &str, value: &str) {
    print(what, "", value, "");
}

/// A row with a target, and whether it was met.
fn judged(what: &str, target: &str, value: &str, met: bool) {
    print(what, target, value, if met { "met" } else { "MISSED" });
}

fn print(what: &str, target: &str, value: &str, verdict: &str) {
    println!("{}", format!("{what:<58} {target:>12} {value:>24}  {verdict}").trim_end());
}
