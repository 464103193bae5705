//! The live stream.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use serde_json::json;
use sim_api::api::ApiOptions;
use sim_api::api::events::{EventHub, FRAME_INTERVAL};
use sim_api::api::frames::Frames;
use sim_api::bridge::{OwnerEnd, channel};
use sim_api::domain::{Pose, Snapshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::support::http::{Connection, get, request, state_of};
use crate::support::in_time;
use crate::support::node::{Node, entity, running};

fn with_seq(seq: u64) -> Snapshot {
    Snapshot { seq, ..running() }
}

async fn served() -> (Node, OwnerEnd) {
    let (bridge, owner) = channel(with_seq(1));
    (Node::serve(ApiOptions::default(), bridge).await, owner)
}

/// A stream that has its answer's head behind it.
async fn listen(node: &Node) -> Connection {
    let mut connection = Connection::open(node.address).await;
    connection.send(&request("GET", "/sim/api/events?client=page", "", b"")).await;
    assert!(connection.event_stream().await);
    connection
}

/// Reads on until the state with this seq, and says how many frames came before and with it.
async fn frames_until(connection: &mut Connection, seq: u64) -> usize {
    for frames in 1.. {
        let event = connection.event().await.expect("the stream goes on");
        if state_of(&event)["seq"] == json!(seq) {
            return frames;
        }
    }
    unreachable!("the loop has no end")
}

/// The hub without a server, and its pacing task.
fn hub(snapshot: Snapshot, keep_alive: Duration) -> (Arc<EventHub>, OwnerEnd, CancellationToken) {
    let (bridge, owner) = channel(snapshot);
    let frames = Arc::new(Frames::new(bridge.clone()));
    let ended = CancellationToken::new();
    let hub = Arc::new(EventHub::new(frames, bridge, keep_alive, ended.clone()));
    let (pacing, until) = (hub.clone(), ended.clone());
    tokio::spawn(async move { pacing.pace(until).await });
    (hub, owner, ended)
}

fn seq_of(event: &Bytes) -> u64 {
    state_of(std::str::from_utf8(event).expect("text"))["seq"].as_u64().expect("a seq")
}

#[tokio::test]
async fn the_first_event_is_the_full_state_and_says_what_get_state_says() {
    let (node, _owner) = served().await;
    let mut connection = Connection::open(node.address).await;
    connection.send(&request("GET", "/sim/api/events", "", b"")).await;
    let head = connection.head().await.expect("an answer");
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    assert_eq!(head.header("cache-control"), Some("no-cache"));
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    let first = connection.event().await.expect("an event");
    assert_eq!(state_of(&first), get(node.address, "/sim/api/state").await.json());
    node.stop().await;
}

#[tokio::test]
async fn a_change_reaches_two_hundred_clients() {
    let (node, owner) = served().await;
    let mut clients = Vec::new();
    for _ in 0..200 {
        clients.push(listen(&node).await);
    }
    owner.publish(with_seq(2));
    for client in &mut clients {
        assert!(frames_until(client, 2).await <= 2);
    }
    node.stop().await;
}

#[tokio::test]
async fn quick_changes_are_merged_and_the_last_one_is_never_lost() {
    let (node, owner) = served().await;
    let mut client = listen(&node).await;
    for last in [1_000_u64, 2_000, 3_000] {
        let started = Instant::now();
        for seq in last - 500..=last {
            owner.publish(with_seq(seq));
            tokio::task::yield_now().await;
        }
        let frames = frames_until(&mut client, last).await;
        let room = started.elapsed().div_duration_f64(FRAME_INTERVAL) as usize + 3;
        assert!(frames <= room, "{frames} frames where {room} have room");
    }
    node.stop().await;
}

#[tokio::test]
async fn a_state_that_says_the_same_is_no_event() {
    let (hub, owner, _ended) = hub(with_seq(1), Duration::from_millis(200));
    let mut stream = pin!(hub.stream());
    assert_eq!(seq_of(&in_time(stream.next()).await.unwrap()), 1);
    owner.publish(with_seq(1));
    assert_eq!(in_time(stream.next()).await.unwrap(), ": keep-alive\n\n");
}

#[tokio::test]
async fn silence_is_broken_by_a_comment_again_and_again() {
    let (bridge, _owner) = channel(running());
    let options = ApiOptions { keep_alive: Duration::from_millis(20), ..ApiOptions::default() };
    let node = Node::serve(options, bridge).await;
    let mut client = listen(&node).await;
    client.event().await.expect("the first state");
    for _ in 0..3 {
        assert_eq!(client.event().await.as_deref(), Some(": keep-alive\n\n"));
    }
    node.stop().await;
}

#[tokio::test]
async fn the_default_silence_is_shorter_than_promised() {
    assert!(ApiOptions::default().keep_alive < Duration::from_secs(15));
}

#[tokio::test]
async fn a_reader_that_pauses_finds_the_newest_state_and_no_backlog() {
    let (hub, owner, _ended) = hub(with_seq(1), Duration::from_secs(10));
    let (mut quick, mut slow) = (pin!(hub.stream()), pin!(hub.stream()));
    assert_eq!(hub.clients(), 2);
    assert_eq!(seq_of(&in_time(slow.next()).await.unwrap()), 1);
    in_time(quick.next()).await.unwrap();
    for seq in 2..=6 {
        owner.publish(with_seq(seq));
        assert_eq!(seq_of(&in_time(quick.next()).await.unwrap()), seq);
    }
    assert_eq!(seq_of(&in_time(slow.next()).await.unwrap()), 6);
}

#[tokio::test]
async fn streams_share_the_bytes_of_a_frame() {
    let (hub, owner, _ended) = hub(with_seq(1), Duration::from_secs(10));
    let (mut one, mut other) = (pin!(hub.stream()), pin!(hub.stream()));
    for seq in 2..4 {
        let (left, right) = (in_time(one.next()).await.unwrap(), in_time(other.next()).await.unwrap());
        assert_eq!(left.as_ptr(), right.as_ptr());
        owner.publish(with_seq(seq));
    }
}

#[tokio::test]
async fn announcements_come_in_order_beside_the_state() {
    let (hub, _owner, ended) = hub(with_seq(1), Duration::from_secs(10));
    hub.announce("run", &json!({"lost": "nobody listened"}));
    let mut stream = pin!(hub.stream());
    in_time(stream.next()).await.expect("the first state");
    for line in 0..3 {
        hub.announce("run", &json!({"line": line}));
    }
    for line in 0..3 {
        let expected = format!("event: run\ndata: {{\"line\":{line}}}\n\n");
        assert_eq!(in_time(stream.next()).await.unwrap(), expected);
    }
    ended.cancel();
    assert_eq!(in_time(stream.next()).await, None);
}

#[tokio::test]
async fn a_closed_stream_is_no_longer_counted() {
    let (hub, _owner, _ended) = hub(with_seq(1), Duration::from_secs(10));
    let stream = hub.stream();
    assert_eq!(hub.clients(), 1);
    drop(stream);
    assert_eq!(hub.clients(), 0);
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_frames_but_not_the_last_state() {
    let big = |seq| {
        let objects = (0..4_000).map(|at| entity(&format!("box{at}"), Pose::upright(0.123456, 0.2, 0.3, 0.4)));
        Snapshot { objects: objects.collect(), ..with_seq(seq) }
    };
    let (bridge, owner) = channel(big(1));
    let node = Node::serve(ApiOptions::default(), bridge).await;
    let (mut deaf, mut reader) = (listen(&node).await, listen(&node).await);
    frames_until(&mut reader, 1).await;
    let last = 60;
    for seq in 2..=last {
        owner.publish(big(seq));
        assert_eq!(frames_until(&mut reader, seq).await, 1, "the other client does not slow this one down");
    }
    assert!(frames_until(&mut deaf, last).await < last as usize, "what was not read in time is gone");
    node.stop().await;
}
