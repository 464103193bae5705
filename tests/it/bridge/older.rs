//! The node over a simulator that takes our orders, but has none of the services that came later.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use sim_api::bridge::{self, BridgeError, BridgeOptions, WayIn};
use sim_api::domain::Snapshot;
use sim_api::ros::msg::geometry_msgs::{Pose, Quaternion, Twist};
use sim_api::ros::msg::sim_api_msgs::{ApplyResponse, EntityStates, SimStatus};
use sim_api::ros::{Node, NodeOptions, services, topics};
use tokio_util::sync::CancellationToken;

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::node::{OneWorld, contents};
use crate::support::wait::wait_for;

fn states() -> EntityStates {
    let orientation = Quaternion { w: 1.0, ..Default::default() };
    EntityStates {
        epoch: 1,
        names: vec!["vehicle".into()],
        poses: vec![Pose { orientation, ..Default::default() }],
        twists: vec![Twist::default()],
        ..Default::default()
    }
}

/// Lives until it is dropped, with everything in it standing where it is.
async fn be_an_older_simulator(node: Node) {
    let status = node.publisher(&topics::STATUS).expect("a publisher opens");
    let mut orders = node.server(&services::APPLY).expect("a server opens");
    let mut beat = tokio::time::interval(Duration::from_millis(50));
    loop {
        tokio::select! {
            _ = beat.tick() => status.publish(SimStatus {
                epoch: 1,
                world: "plain".into(),
                vehicle: "vehicle".into(),
                state: SimStatus::STATE_READY,
                ..Default::default()
            }),
            Some((_, responder)) = orders.next() => responder.respond(ApplyResponse {
                result: ApplyResponse::OK,
                epoch: 1,
                states: states(),
                ..Default::default()
            }),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_drives_that_the_simulator_does_not_tell() {
    let (folder, domain) = (TempFolder::new(), TestDomain::claim());
    let open = |name| Node::open(NodeOptions::new(name, domain.id)).expect("a node opens");
    let older = tokio::spawn(be_an_older_simulator(open("sim_backend")));
    let (handle, end) = bridge::channel(Snapshot::default());
    let catalogue = Arc::new(OneWorld(Arc::new(contents())));
    let options = BridgeOptions { data: folder.path().to_owned(), seed: 0, catalogue, way_in: WayIn::Apply };
    let (node, shutdown) = (open("sim_api_node"), CancellationToken::new());
    let stop = shutdown.clone();
    let bridging = tokio::spawn(async move { bridge::run(&node, end, options, stop).await });
    wait_for("a simulator", async || handle.snapshot().running().then_some(())).await;
    handle.set_paused(false).await.expect("it takes orders");
    let asked = Instant::now();
    let refused = handle.catch_up_with_drives().await;
    assert!(matches!(refused, Err(BridgeError::Unsupported(_))), "{refused:?}");
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    shutdown.cancel();
    in_time(bridging).await.expect("no panic").expect("an orderly end");
    older.abort();
}
