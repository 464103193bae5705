//! The simulator killed and hung: the node tells, answers, reads on, and recovers by itself.

use std::time::Duration;

use rustix::process::Signal;

use super::duo::Duo;
use crate::support::http::get;
use crate::support::wait::wait_for;

/// Once may be spoilt by a busy machine; the best of three tells what the program does.
const TRIES: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_simulator_is_told_answered_and_survived() {
    let mut duo = Duo::start().await;
    let (mut told, mut answered) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        let before = duo.status().await;
        duo.kill_backend();
        told = told.min(duo.wait_running(false).await);
        answered = answered.min(expect_unavailable(&duo).await);
        expect_reads(&duo).await;
        duo.restart_backend();
        expect_recovery(&duo, before["epoch"].as_u64().unwrap()).await;
    }
    assert!(told < Duration::from_secs(1), "/status told of the death after {told:?}");
    assert!(answered < Duration::from_secs(3), "a write was answered after {answered:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_simulator_is_told_answered_and_survived() {
    let duo = Duo::start().await;
    let (mut told, mut answered) = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        duo.signal_backend(Signal::STOP);
        // At once, before the node can know: the request is on its way to somebody who does not answer.
        let (answer, took) = duo.teleport(7.0).await;
        assert_eq!((answer.status, answer.code()), (503, "simulator_not_running".into()));
        answered = answered.min(took).min(expect_unavailable(&duo).await);
        told = told.min(duo.wait_running(false).await);
        expect_reads(&duo).await;
        duo.signal_backend(Signal::CONT);
        expect_recovery(&duo, 1).await;
        let x = get(duo.address, "/sim/api/pose").await.json()["x"].as_f64().unwrap();
        assert!((x - 7.0).abs() > 1.0, "a teleport that was answered with 503 has happened all the same");
    }
    assert!(told < Duration::from_secs(1), "/status told of the silence after {told:?}");
    assert!(answered < Duration::from_secs(3), "a write was answered after {answered:?}");
}

async fn expect_unavailable(duo: &Duo) -> Duration {
    let (answer, took) = duo.teleport(7.0).await;
    assert_eq!((answer.status, answer.code()), (503, "simulator_not_running".into()));
    took
}

async fn expect_reads(duo: &Duo) {
    for path in ["/sim/api/status", "/sim/api/clock", "/sim/api/pose", "/sim/api/state"] {
        assert_eq!(get(duo.address, path).await.status, 200, "{path}");
    }
}

/// The same node works again, in an epoch that is not older.
async fn expect_recovery(duo: &Duo, epoch: u64) {
    duo.wait_running(true).await;
    wait_for("a write that succeeds", async || {
        let (answer, _) = duo.teleport(2.0).await;
        (answer.status == 200).then_some(())
    })
    .await;
    let pose = get(duo.address, "/sim/api/pose").await.json();
    assert!((pose["x"].as_f64().unwrap() - 2.0).abs() < 0.01, "{pose}");
    assert!(duo.status().await["epoch"].as_u64().unwrap() >= epoch);
}
