//! `apply`: all or nothing, between two steps, also while paused.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sim_api::ros::msg::sim_api_msgs::{ApplyRequest, ApplyResponse, Command};

use super::rig::{Rig, drive, pause, place, position, reset};

#[tokio::test(flavor = "multi_thread")]
async fn commands_take_hold_while_paused_without_a_step() {
    let rig = Rig::start(1.0);
    let before = rig.expect(vec![pause(true)], 0).await;
    let after = rig.expect(vec![place("vehicle", 2.0), place("box1", -3.0)], 0).await;
    assert_eq!(after.step, before.step, "no step was made");
    assert!(after.states.revision > before.states.revision, "but the revision tells of the change");
    assert!((position(&after, "vehicle")[0] - 2.0).abs() < 1e-6);
    assert!((position(&after, "box1")[0] + 3.0).abs() < 1e-6);
    assert!(position(&after, "box1")[1] > 0.4, "y was not given and keeps its value");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_impossible_command_stops_them_all() {
    let rig = Rig::start(1.0);
    let before = rig.expect(vec![pause(true)], 0).await;
    let refused = rig.apply(vec![place("vehicle", 2.0), place("nobody", 1.0)], 0).await;
    assert_eq!(refused.result, ApplyResponse::NOT_FOUND);
    assert!(refused.message.contains("nobody"), "{}", refused.message);
    let refused = rig.apply(vec![place("vehicle", 2.0), place("box1", f64::NAN)], 0).await;
    assert_eq!(refused.result, ApplyResponse::REFUSED);
    let refused = rig.apply(vec![reset(), Command { kind: 99, ..Default::default() }], 0).await;
    assert_eq!(refused.result, ApplyResponse::REFUSED);
    let after = rig.expect(vec![], 0).await;
    assert_eq!(after.states, before.states, "nothing has changed");
    assert_eq!(after.epoch, before.epoch);
}

#[tokio::test(flavor = "multi_thread")]
async fn advancing_is_exact_and_answered_after_the_last_step() {
    let rig = Rig::start(1.0);
    let before = rig.expect(vec![pause(true), reset(), drive(1.0)], 0).await;
    let after = rig.expect(vec![], 400).await;
    assert_eq!(after.step, before.step + 400);
    let secs = |r: &ApplyResponse| f64::from(r.stamp.sec) + f64::from(r.stamp.nanosec) * 1e-9;
    assert!((secs(&after) - secs(&before) - 2.0).abs() < 1e-9);
    let travelled = position(&after, "vehicle")[0];
    assert!((1.8..2.0).contains(&travelled), "2 s at 1 m/s after 0.1 s of acceleration, but {travelled} m");
    let too_far = rig.apply(vec![], 1_000_000).await;
    assert_eq!(too_far.result, ApplyResponse::REFUSED);
}

#[tokio::test(flavor = "multi_thread")]
async fn lockstep_repeats_bit_for_bit() {
    let rig = Rig::start(1.0);
    let mut runs = Vec::new();
    for _ in 0..2 {
        rig.expect(vec![pause(true), reset(), drive(2.0)], 0).await;
        let mut states = Vec::new();
        for _ in 0..20 {
            states.push(rig.expect(vec![], 17).await.states.poses);
        }
        runs.push(states);
    }
    assert_eq!(runs[0], runs[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_another_epoch_is_refused() {
    let rig = Rig::start(1.0);
    let first = rig.expect(vec![reset()], 0).await;
    let second = rig.expect(vec![reset()], 0).await;
    assert_eq!(second.epoch, first.epoch + 1);
    let request =
        ApplyRequest { expected_epoch: first.epoch, commands: vec![place("vehicle", 1.0)], ..Default::default() };
    let refused = rig.request(request).await;
    assert_eq!((refused.result, refused.epoch), (ApplyResponse::WRONG_EPOCH, second.epoch));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_past_its_deadline_is_not_carried_out() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true)], 0).await;
    let past = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() - Duration::from_secs(1);
    let request =
        ApplyRequest { deadline: past.as_secs_f64(), commands: vec![place("vehicle", 5.0)], ..Default::default() };
    assert_eq!(rig.request(request).await.result, ApplyResponse::TOO_LATE);
    assert!(position(&rig.expect(vec![], 0).await, "vehicle")[0] < 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn loading_the_same_world_is_a_respawn_and_an_unknown_one_changes_nothing() {
    let rig = Rig::start(1.0);
    let load = |world: &str| Command { kind: Command::LOAD_WORLD, world: world.into(), ..Default::default() };
    let before = rig.expect(vec![pause(true), place("box1", 4.0)], 0).await;
    let unknown = rig.apply(vec![load("nowhere")], 0).await;
    assert_eq!(unknown.result, ApplyResponse::NOT_FOUND);
    assert_eq!(unknown.epoch, before.epoch);
    let after = rig.expect(vec![load("plain")], 0).await;
    assert_eq!(after.epoch, before.epoch + 1);
    assert!((position(&after, "box1")[0] - 1.5).abs() < 1e-6, "everything is where the world file has it");
}
