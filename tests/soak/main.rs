//! `make soak`: long runs that end with an error when something grows or goes missing. Not a part of `make test`.
//!
//! A run is a module here with one function, and a line in the list below. Names on the command line choose among them:
//! `make soak SOAK=switches`.

mod sessions;
#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../../benches/support.rs"]
mod support;
mod switches;

use futures::future::LocalBoxFuture;

type Run = fn() -> LocalBoxFuture<'static, ()>;

const RUNS: &[(&str, Run)] = &[("sessions", || Box::pin(sessions::run())), ("switches", || Box::pin(switches::run()))];

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    if let Some(unknown) = chosen.iter().find(|name| RUNS.iter().all(|(known, _)| known != name)) {
        let known: Vec<&str> = RUNS.iter().map(|(name, _)| *name).collect();
        eprintln!("there is no long run `{unknown}`; there are: {}", known.join(", "));
        std::process::exit(2);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("tokio starts");
    for (name, run) in RUNS.iter().filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|wanted| wanted == name)) {
        println!("{name}");
        runtime.block_on(run());
    }
}
