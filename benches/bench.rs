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

/// The worlds of the package.
const OFFICIAL: [&str; 4] = ["vehicle_base", "vehicle_city", "vehicle_oval", "vehicle_slalom"];

fn main() {
    print("what", "target", "measured", "");
    physics::run();
    sensors::run();
    loading::run();
    odometry::run();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("tokio starts");
    runtime.block_on(async {
        memory::run().await;
        teleport::run().await;
        reset::run().await;
        events::run().await;
        worlds::run().await;
        state::run().await;
        judge::run().await;
        stack::run().await;
    });
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
