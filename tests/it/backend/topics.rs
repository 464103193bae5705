//! What the simulator publishes.

use futures::StreamExt;
use sim_api::ros::topics;

use super::rig::{Rig, pause, reset};
use crate::support::wait::within;

#[tokio::test(flavor = "multi_thread")]
async fn status_comes_also_while_paused_and_the_clock_stands_still() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true)], 0).await;
    let mut statuses = rig.node.subscriber(&topics::STATUS).unwrap();
    let first = within("a status", statuses.next()).await.unwrap();
    for _ in 0..5 {
        let next = within("the next status", statuses.next()).await.unwrap();
        assert_eq!(next.sim_time, first.sim_time);
        assert!(next.paused && next.real_time > first.real_time);
        assert_eq!((next.world.as_str(), next.vehicle.as_str()), ("plain", "vehicle"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_never_runs_backwards_through_resets_and_restarts() {
    let mut rig = Rig::start(5.0);
    let mut clock = rig.node.subscriber(&topics::CLOCK).unwrap();
    let mut last = (0, 0);
    for life in 0..3 {
        for _ in 0..3 {
            rig.expect(vec![reset()], 0).await;
            for _ in 0..20 {
                let tick = within("a tick", clock.next()).await.unwrap().clock;
                assert!((tick.sec, tick.nanosec) >= last, "life {life}: {tick:?} after {last:?}");
                last = (tick.sec, tick.nanosec);
            }
        }
        rig.stop().await;
        rig.restart(5.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_epoch_is_announced_with_its_cause() {
    let rig = Rig::start(1.0);
    let mut epochs = rig.node.subscriber(&topics::EPOCH).unwrap();
    let first = within("the first epoch", epochs.next()).await.unwrap();
    assert_eq!((first.number, first.cause.as_str()), (1, "restart"));
    rig.expect(vec![reset()], 0).await;
    let second = within("the second epoch", epochs.next()).await.unwrap();
    assert_eq!((second.number, second.cause.as_str()), (2, "reset"));
}

#[tokio::test(flavor = "multi_thread")]
async fn entity_states_tell_of_a_change_also_while_paused() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true)], 0).await;
    let mut states = rig.node.subscriber(&topics::ENTITY_STATES).unwrap();
    // Best effort: repeat the change until the subscriber is known.
    let seen = async {
        loop {
            let response = rig.expect(vec![super::rig::place("box1", 4.0)], 0).await;
            let next = tokio::time::timeout(std::time::Duration::from_millis(200), states.next()).await;
            // One that was on its way before the change may come first.
            if let Ok(Some(state)) = next
                && (state.poses[0].position.x - 4.0).abs() < 1e-6
            {
                return (response, state);
            }
        }
    };
    let (response, state) = within("a state with the change", seen).await;
    assert_eq!(state.epoch, response.epoch);
    assert_eq!(state.names, ["box1", "vehicle"]);
}
