//! What connections may do to the server, and how it ends.

use std::time::Duration;

use sim_api::api::{ApiOptions, ConnectionLimits};
use sim_api::bridge::channel;

use crate::support::http::{Connection, get, request};
use crate::support::node::{Node, running};

async fn node_with(limits: ConnectionLimits) -> Node {
    // The owner goes away at once; reads do not need it.
    let (bridge, _) = channel(running());
    Node::serve(ApiOptions { limits, ..ApiOptions::default() }, bridge).await
}

#[tokio::test]
async fn silent_connections_keep_nobody_out() {
    let node = node_with(ConnectionLimits { max_connections: 8, ..ConnectionLimits::default() }).await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        let mut connection = Connection::open(node.address).await;
        connection.send(b"GET /sim/api/status HTTP/1.1\r\nHost: local").await;
        silent.push(connection);
    }
    assert_eq!(get(node.address, "/sim/api/status").await.status, 200);
    let oldest = silent.remove(0);
    assert_eq!(oldest.read_to_end().await, b"", "the oldest made room");
    node.stop().await;
}

#[tokio::test]
async fn one_connection_more_than_fits_is_told_so() {
    let node = node_with(ConnectionLimits { max_connections: 3, ..ConnectionLimits::default() }).await;
    let mut busy = Vec::new();
    for _ in 0..3 {
        let mut connection = Connection::open(node.address).await;
        connection.send(&request("GET", "/sim/api/events", "", b"")).await;
        assert!(connection.event_stream().await);
        busy.push(connection);
    }
    let refused = Connection::open(node.address).await.answer().await.expect("an answer");
    assert_eq!((refused.status, refused.code().as_str()), (503, "too_many_connections"));
    node.stop().await;
}

#[tokio::test]
async fn a_head_that_never_ends_and_a_connection_without_requests_are_closed() {
    let limits = ConnectionLimits { head_timeout: Duration::from_millis(100), ..ConnectionLimits::default() };
    let node = node_with(limits).await;
    let mut slow = Connection::open(node.address).await;
    slow.send(b"GET /sim/api/status HTTP/1.1\r\nHost: local").await;
    slow.read_to_end().await;
    let mut idle = Connection::open(node.address).await;
    idle.send(&request("GET", "/sim/api/status", "", b"")).await;
    assert_eq!(idle.answer().await.expect("an answer").status, 200);
    assert_eq!(idle.read_to_end().await, b"");
    node.stop().await;
}

#[tokio::test]
async fn shutdown_ends_event_streams_and_idle_connections() {
    let node = node_with(ConnectionLimits::default()).await;
    let mut stream = Connection::open(node.address).await;
    stream.send(&request("GET", "/sim/api/events", "", b"")).await;
    assert!(stream.event_stream().await);
    let mut idle = Connection::open(node.address).await;
    idle.send(&request("GET", "/sim/api/status", "", b"")).await;
    idle.answer().await.expect("an answer");
    let address = node.address;
    node.stop().await;
    assert!(stream.event().await.is_some_and(|event| event.starts_with("event: state")));
    assert_eq!(stream.event().await, None);
    assert_eq!(idle.read_to_end().await, b"");
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn shutdown_does_not_wait_for_a_client_that_reads_nothing() {
    let node = node_with(ConnectionLimits::default()).await;
    let mut deaf = Connection::open(node.address).await;
    for _ in 0..20_000 {
        if !deaf.try_send(&request("GET", "/sim/api/state", "", b"")) {
            break;
        }
    }
    node.stop().await;
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_given_up() {
    let limits = ConnectionLimits { write_stall: Duration::from_millis(200), ..ConnectionLimits::default() };
    let node = node_with(limits).await;
    let mut deaf = Connection::open(node.address).await;
    // Ends because the server resets the connection: until then either side's buffers are full.
    crate::support::in_time(async { while deaf.send_or_end(&request("GET", "/sim/api/state", "", b"")).await {} })
        .await;
    node.stop().await;
}
