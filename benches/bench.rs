//! `make bench`: how fast it is, as a table. Ratios are taken within one run, because machines are shared and noisy.

#[path = "bench/events.rs"]
mod events;
#[path = "bench/judge.rs"]
mod judge;
#[path = "bench/odometry.rs"]
mod odometry;
#[path = "bench/physics.rs"]
mod physics;
#[path = "bench/reset.rs"]
mod reset;
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

fn main() {
    println!("{:<58} {:>14}", "what", "measured");
    physics::run();
    odometry::run();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("tokio starts");
    runtime.block_on(async {
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
    println!("{what:<58} {value:>14}");
}
