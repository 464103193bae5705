//! Every kind of write under way while the simulator is killed, hung and started again: each one is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::task::JoinHandle;

use super::duo::Duo;
use crate::support::http::post;

const KINDS: [(&str, &str); 10] = [
    ("pose", "{\"y\": 1}"),
    ("models/box1/pose", "{\"x\": 2}"),
    ("reset", "{}"),
    ("respawn", "{}"),
    ("pause", "{\"paused\": true}"),
    ("pause", "{\"paused\": false}"),
    ("step", "{\"steps\": 20}"),
    ("brightness", "{\"value\": 0.7}"),
    ("overlay", "{\"text\": \"x\"}"),
    ("drive", "{\"speed\": 1}"),
];
/// These depend on what others do at the same time, or on a robot that is not there.
const MAY_ALWAYS_FAIL: [&str; 2] = ["step", "drive"];
const DISTURBANCES: usize = 3;
const UNDISTURBED: Duration = Duration::from_millis(300);
/// The promise is 3 s; a busy machine may add some.
const LONGEST: Duration = Duration::from_secs(6);

/// What became of the writes of one kind.
#[derive(Debug, Default)]
struct Tally {
    carried_out: usize,
    refused: usize,
    longest: Duration,
}

/// Calls without a pause until it is told to end.
struct Callers {
    done: Arc<AtomicBool>,
    tallies: Vec<JoinHandle<Tally>>,
}

impl Callers {
    fn start(duo: &Duo) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let address = duo.address;
        let call = |(path, body): (&'static str, &'static str)| {
            let done = done.clone();
            tokio::spawn(async move {
                let mut tally = Tally::default();
                while !done.load(Relaxed) {
                    let started = Instant::now();
                    // An answer that does not come is a panic in here.
                    let answer = post(address, &format!("/sim/api/{path}"), body).await;
                    tally.longest = tally.longest.max(started.elapsed());
                    match answer.status {
                        200 => tally.carried_out += 1,
                        409 | 503 => tally.refused += 1,
                        other => panic!("{path}: status {other}: {answer:?}"),
                    }
                }
                tally
            })
        };
        let tallies = KINDS.map(call).into();
        Self { done, tallies }
    }

    async fn judge(self) {
        self.done.store(true, Relaxed);
        for ((path, body), tally) in KINDS.into_iter().zip(self.tallies) {
            let tally = tally.await.expect("every call is answered");
            assert!(tally.longest < LONGEST, "{path} {body}: {tally:?}");
            assert!(tally.refused > 0, "{path} {body} was not disturbed: {tally:?}");
            assert!(tally.carried_out > 0 || MAY_ALWAYS_FAIL.contains(&path), "{path} {body}: {tally:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_write_is_answered_while_the_simulator_is_killed_and_returns() {
    let mut duo = Duo::start().await;
    let callers = Callers::start(&duo);
    for _ in 0..DISTURBANCES {
        tokio::time::sleep(UNDISTURBED).await;
        duo.kill_backend();
        duo.wait_running(false).await;
        duo.restart_backend();
        duo.wait_running(true).await;
    }
    tokio::time::sleep(UNDISTURBED).await;
    callers.judge().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_write_is_answered_while_the_simulator_hangs_and_goes_on() {
    let mut duo = Duo::start().await;
    let callers = Callers::start(&duo);
    for round in 0..DISTURBANCES {
        tokio::time::sleep(UNDISTURBED).await;
        duo.signal_backend(Signal::STOP);
        duo.wait_running(false).await;
        if round == 1 {
            // One that hung is killed, as a supervisor would.
            duo.kill_backend();
            duo.restart_backend();
        } else {
            duo.signal_backend(Signal::CONT);
        }
        duo.wait_running(true).await;
    }
    tokio::time::sleep(UNDISTURBED).await;
    callers.judge().await;
}
