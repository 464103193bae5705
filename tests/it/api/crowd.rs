//! A thousand event clients, some of whom do not listen.

use serde_json::json;
use sim_api::app::file_limit;
use tokio::task::JoinSet;

use crate::support::http::{Connection, post, request, state_of};
use crate::support::node::{Node, running};

const CLIENTS: usize = 1000;
/// They open a stream and never read it.
const DEAF: usize = 100;
const CHANGES: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_clients_see_the_last_change_and_deaf_ones_disturb_nobody() {
    file_limit::raise();
    let node = Node::showing(running()).await;
    let address = node.address;
    let mut deaf = Vec::new();
    for _ in 0..DEAF {
        let mut connection = Connection::open(address).await;
        connection.send(&request("GET", "/sim/api/events", "", b"")).await;
        deaf.push(connection);
    }
    let mut listening = JoinSet::new();
    let (ready, mut all_ready) = tokio::sync::mpsc::channel(CLIENTS);
    for _ in 0..CLIENTS - DEAF {
        let ready = ready.clone();
        let mut connection = Connection::open(address).await;
        listening.spawn(async move {
            connection.send(&request("GET", "/sim/api/events", "", b"")).await;
            assert!(connection.event_stream().await, "the server takes a thousand clients");
            let first = connection.event().await.expect("a first frame");
            assert_eq!(state_of(&first)["brightness"], 1.0);
            ready.send(()).await.expect("the test waits");
            let mut frames = 0;
            loop {
                let event = connection.event().await.expect("the stream goes on");
                frames += 1;
                if state_of(&event)["brightness"] == 0.5 {
                    return frames;
                }
            }
        });
    }
    for _ in 0..CLIENTS - DEAF {
        all_ready.recv().await.expect("every client gets its first frame");
    }
    for change in 0..CHANGES {
        let value = 1.5 - change as f64 * 1e-3;
        assert_eq!(post(address, "/sim/api/brightness", json!({ "value": value }).to_string()).await.status, 200);
    }
    assert_eq!(post(address, "/sim/api/brightness", json!({"value": 0.5}).to_string()).await.status, 200);
    while let Some(frames) = listening.join_next().await {
        assert!(frames.expect("a client is happy") <= CHANGES + 1);
    }
    drop(deaf);
    node.stop().await;
}
