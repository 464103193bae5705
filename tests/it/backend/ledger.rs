//! Clock and epoch never go back, whatever happens to the process.

use sim_api::backend::ledger::{Ledger, LedgerError};
use sim_api::domain::{Epoch, SimTime};

use super::rig::{Rig, pause, reset};
use crate::support::folder::TempFolder;

#[test]
fn a_new_life_begins_after_everything_of_the_last_one() {
    let folder = TempFolder::new();
    let (mut ledger, time, epoch) = Ledger::open(folder.path()).unwrap();
    assert_eq!((time, epoch), (SimTime::ZERO, Epoch(1)));
    let far = SimTime::ZERO.plus_steps(100_000);
    ledger.cover(far, Epoch(7), 1.0);
    drop(ledger);
    let (_ledger, time, epoch) = Ledger::open(folder.path()).unwrap();
    assert!(time >= far, "{time:?} is before {far:?}");
    assert!(epoch > Epoch(7));
}

#[test]
fn covering_every_step_at_full_speed_reserves_ahead() {
    let folder = TempFolder::new();
    let (mut ledger, mut time, epoch) = Ledger::open(folder.path()).unwrap();
    for _ in 0..20_000 {
        time = time.plus_steps(1);
        ledger.cover(time, epoch, 100.0);
        let on_disk = std::fs::read_to_string(folder.path().join("clock")).unwrap();
        let nanos: i64 = on_disk.split_whitespace().next().unwrap().parse().unwrap();
        assert!(nanos >= time.nanos(), "time {time:?} was granted before it was written");
    }
}

#[test]
fn two_simulators_cannot_share_a_folder() {
    let folder = TempFolder::new();
    let _first = Ledger::open(folder.path()).unwrap();
    let second = Ledger::open(folder.path()).unwrap_err();
    assert!(matches!(second, LedgerError::InUse(_)), "{second}");
}

#[test]
fn a_damaged_file_is_reported_with_what_to_do() {
    let folder = TempFolder::new();
    std::fs::write(folder.path().join("clock"), "nonsense").unwrap();
    let message = Ledger::open(folder.path()).unwrap_err().to_string();
    assert!(message.contains("clock") && message.contains("delete it"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_simulator_goes_on_after_its_last_words() {
    let mut rig = Rig::start(1.0);
    rig.expect(vec![reset()], 3).await;
    let before = rig.expect(vec![reset(), pause(true)], 500).await;
    rig.stop().await;
    rig.restart(1.0);
    let after = rig.expect(vec![], 0).await;
    assert!(after.epoch > before.epoch);
    assert!((after.stamp.sec, after.stamp.nanosec) >= (before.stamp.sec, before.stamp.nanosec));
    assert!(after.step >= before.step);
}
