//! Every kind of write under way while the simulator is killed, hung and started again: each one is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::task::JoinHandle;

use super::duo::Duo;
use crate::support::http::post;
use crate::support::wait::wait_for;

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
/// What is promised for every call. A busy machine may spoil one disturbance; the one in which the calls of a kind took least tells
/// what the program does.
const PROMISED: Duration = Duration::from_secs(3);
/// And what a busy machine may make of it.
const LONGEST: Duration = Duration::from_secs(6);

/// What became of the writes of one kind.
#[derive(Debug, Default)]
struct Tally {
    carried_out: usize,
    refused: usize,
    /// In each disturbance, by when the call began.
    longest: [Duration; DISTURBANCES],
}

/// Calls without a pause until it is told to end.
struct Callers {
    done: Arc<AtomicBool>,
    /// Which disturbance is next or under way.
    disturbance: Arc<AtomicUsize>,
    /// How many calls of each kind have been answered.
    answered: Arc<[AtomicUsize; KINDS.len()]>,
    tallies: Vec<JoinHandle<Tally>>,
}

impl Callers {
    fn start(duo: &Duo) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (disturbance, answered) = (Arc::new(AtomicUsize::new(0)), Arc::<[AtomicUsize; KINDS.len()]>::default());
        let address = duo.address;
        let call = |kind: usize| {
            let (path, body) = KINDS[kind];
            let (done, disturbance, answered) = (done.clone(), disturbance.clone(), answered.clone());
            tokio::spawn(async move {
                let mut tally = Tally::default();
                while !done.load(Relaxed) {
                    let (started, disturbance) = (Instant::now(), disturbance.load(Relaxed));
                    // An answer that does not come is a panic in here.
                    let answer = post(address, &format!("/sim/api/{path}"), body).await;
                    answered[kind].fetch_add(1, Relaxed);
                    let longest = &mut tally.longest[disturbance];
                    *longest = started.elapsed().max(*longest);
                    match answer.status {
                        200 => tally.carried_out += 1,
                        409 | 503 => tally.refused += 1,
                        other => panic!("{path}: status {other}: {answer:?}"),
                    }
                }
                tally
            })
        };
        let tallies = (0..KINDS.len()).map(call).collect();
        Self { done, disturbance, answered, tallies }
    }

    /// Waits until every call that is under way now has been answered, and one that began later.
    async fn wait_for_answers(&self) {
        let counts = || self.answered.each_ref().map(|count| count.load(Relaxed));
        let before = counts();
        wait_for("answers to all calls", async || {
            counts().iter().zip(before).all(|(now, before)| *now >= before + 2).then_some(())
        })
        .await;
    }

    /// What is called from now on belongs to the next disturbance.
    fn end_disturbance(&self) {
        let last = DISTURBANCES - 1;
        self.disturbance.store((self.disturbance.load(Relaxed) + 1).min(last), Relaxed);
    }

    /// After disturbances that everybody must have noticed, or that nobody need have.
    async fn judge(self, were_noticed: bool) {
        self.done.store(true, Relaxed);
        for ((path, body), tally) in KINDS.into_iter().zip(self.tallies) {
            let tally = tally.await.expect("every call is answered");
            println!("{path} {body}: {tally:?}");
            assert!(tally.longest.iter().all(|longest| *longest < LONGEST), "{path} {body}: {tally:?}");
            assert!(tally.longest.iter().any(|longest| *longest < PROMISED), "{path} {body}: {tally:?}");
            assert!(tally.refused > 0 || !were_noticed, "{path} {body} was not disturbed: {tally:?}");
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
        callers.wait_for_answers().await;
        duo.restart_backend();
        duo.wait_running(true).await;
        callers.end_disturbance();
    }
    tokio::time::sleep(UNDISTURBED).await;
    callers.judge(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_write_is_answered_while_the_simulator_hangs_and_goes_on() {
    let mut duo = Duo::start().await;
    let callers = Callers::start(&duo);
    for round in 0..DISTURBANCES {
        tokio::time::sleep(UNDISTURBED).await;
        duo.signal_backend(Signal::STOP);
        duo.wait_running(false).await;
        callers.wait_for_answers().await;
        if round == 1 {
            // One that hung is killed, as a supervisor would.
            duo.kill_backend();
            duo.restart_backend();
        } else {
            duo.signal_backend(Signal::CONT);
        }
        duo.wait_running(true).await;
        callers.end_disturbance();
    }
    tokio::time::sleep(UNDISTURBED).await;
    callers.judge(true).await;
}

/// So quick a restart that the node never misses the simulator: what the dead one was asked is answered all the same.
#[tokio::test(flavor = "multi_thread")]
async fn every_write_is_answered_when_the_simulator_is_replaced_at_once() {
    let mut duo = Duo::start().await;
    let callers = Callers::start(&duo);
    for _ in 0..DISTURBANCES {
        tokio::time::sleep(UNDISTURBED).await;
        let epoch = duo.status().await["epoch"].as_u64();
        duo.kill_backend();
        duo.restart_backend();
        wait_for("the new simulator", async || (duo.status().await["epoch"].as_u64() > epoch).then_some(())).await;
        callers.wait_for_answers().await;
        duo.wait_running(true).await;
        callers.end_disturbance();
    }
    callers.judge(false).await;
}
