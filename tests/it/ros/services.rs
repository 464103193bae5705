//! Services between two participants.

use std::time::Duration;

use futures::StreamExt;
use sim_api::ros::{CallError, Node, NodeOptions, ServiceMapping};

use super::types::{DOUBLE, answer, node, request};
use crate::support::domain::TestDomain;
use crate::support::wait::{LIMIT, within};

/// Serves `double` until the node it returns is dropped; answers odd numbers later than even ones.
fn serve(node: &Node) -> tokio::task::JoinHandle<()> {
    let mut server = node.server(&DOUBLE).expect("a server opens");
    tokio::spawn(async move {
        while let Some((asked, responder)) = server.next().await {
            tokio::spawn(async move {
                if asked.steps % 2 == 1 {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                }
                responder.respond(answer(asked.steps * 2));
            });
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_concurrent_callers_each_get_their_own_answer() {
    for mapping in [ServiceMapping::Fastdds, ServiceMapping::Cyclone] {
        let domain = TestDomain::claim();
        let open = |name| Node::open(NodeOptions { mapping, ..NodeOptions::new(name, domain.id) }).unwrap();
        let (ours, theirs) = (open("caller"), open("server"));
        let server = serve(&theirs);
        let client = std::sync::Arc::new(ours.client(&DOUBLE).unwrap());
        let callers = (0..16).map(|caller| {
            let client = client.clone();
            tokio::spawn(async move {
                for call in 0..50 {
                    let number = caller * 1000 + call;
                    let reply = client.call(request(number), LIMIT).await.unwrap();
                    assert_eq!(reply, answer(number * 2), "{mapping:?}");
                }
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            within("all calls", caller).await.unwrap();
        }
        server.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_server_says_so() {
    let domain = TestDomain::claim();
    let ours = node("caller", domain.id);
    let client = ours.client(&DOUBLE).unwrap();
    let reply = client.call(request(1), Duration::from_millis(100)).await;
    assert_eq!(reply, Err(CallError::NoServer("/double".into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unanswered_call_ends_at_its_limit() {
    let domain = TestDomain::claim();
    let (ours, theirs) = (node("caller", domain.id), node("server", domain.id));
    let _silent = theirs.server(&DOUBLE).unwrap();
    let client = ours.client(&DOUBLE).unwrap();
    let limit = Duration::from_secs(2);
    let reply = client.call(request(1), limit).await;
    assert_eq!(reply, Err(CallError::NoAnswer("/double".into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_go_on_after_the_server_was_replaced() {
    let domain = TestDomain::claim();
    let ours = node("caller", domain.id);
    let client = ours.client(&DOUBLE).unwrap();
    for life in 0..3 {
        let theirs = node("server", domain.id);
        let server = serve(&theirs);
        let reply = within("an answer", async {
            loop {
                // A server that has only just been discovered may miss a request; the caller decides to repeat.
                if let Ok(reply) = client.call_idempotent(request(life), Duration::from_secs(1)).await {
                    return reply;
                }
            }
        });
        assert_eq!(reply.await, answer(life * 2));
        server.abort();
        drop(theirs);
        assert!(client.call(request(1), Duration::from_millis(50)).await.is_err());
    }
}
