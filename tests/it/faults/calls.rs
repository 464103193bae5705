//! Calls under way while the simulator is killed and started again: every one is answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::duo::Duo;
use crate::support::http::post;

const CALLERS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn every_call_is_answered_while_the_simulator_dies_and_returns() {
    let mut duo = Duo::start().await;
    let done = Arc::new(AtomicBool::new(false));
    let address = duo.address;
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let done = done.clone();
            tokio::spawn(async move {
                let (mut carried_out, mut refused, mut longest) = (0, 0, Duration::ZERO);
                while !done.load(Relaxed) {
                    let started = Instant::now();
                    // An answer that does not come is a panic in here.
                    let answer = post(address, "/sim/api/pose", "{\"y\": 1}").await;
                    longest = longest.max(started.elapsed());
                    match answer.status {
                        200 => carried_out += 1,
                        409 | 503 => refused += 1,
                        other => panic!("status {other}: {answer:?}"),
                    }
                }
                (carried_out, refused, longest)
            })
        })
        .collect();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        duo.kill_backend();
        duo.wait_running(false).await;
        duo.restart_backend();
        duo.wait_running(true).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    done.store(true, Relaxed);
    let mut longest = Duration::ZERO;
    for caller in callers {
        let (carried_out, refused, slowest) = caller.await.expect("every call is answered");
        assert!(carried_out > 0 && refused > 0, "{carried_out} carried out, {refused} refused");
        longest = longest.max(slowest);
    }
    // The promise is 3 s; a busy machine may add some.
    assert!(longest < Duration::from_secs(6), "one call took {longest:?}");
}
