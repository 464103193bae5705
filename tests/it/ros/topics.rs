//! Topics between two participants.

use std::time::{Duration, Instant};

use futures::StreamExt;
use sim_api::ros::name::Remap;
use sim_api::ros::{Node, NodeOptions};

use super::types::{CAPPED, LATCHED, NUMBERS, Number, node};
use crate::support::domain::TestDomain;
use crate::support::wait::{wait_until, within};

#[tokio::test(flavor = "multi_thread")]
async fn reliable_samples_arrive_complete_and_in_order() {
    let domain = TestDomain::claim();
    let (from, to) = (node("from", domain.id), node("to", domain.id));
    let publisher = from.publisher(&NUMBERS).unwrap();
    let subscriber = to.subscriber(&NUMBERS).unwrap();
    wait_until("a match", || publisher.subscriber_count() == 1).await;
    let received = tokio::spawn(subscriber.take(500).map(|n| n.data).collect::<Vec<_>>());
    for data in 0..500 {
        publisher.publish(Number { data });
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let received = within("all samples", received).await.unwrap();
    assert_eq!(received, (0..500).collect::<Vec<_>>());
    assert_eq!(publisher.dropped(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn late_joiner_receives_the_latched_sample() {
    let domain = TestDomain::claim();
    let from = node("from", domain.id);
    let publisher = from.publisher(&LATCHED).unwrap();
    publisher.publish(Number { data: 1 });
    publisher.publish(Number { data: 2 });
    let to = node("to", domain.id);
    let mut subscriber = to.subscriber(&LATCHED).unwrap();
    // The middleware cleans its history only now and then, so an older sample may come first; the newest always comes last.
    within("the latched sample", async { while subscriber.next().await != Some(Number { data: 2 }) {} }).await;
    assert!(futures::poll!(subscriber.next()).is_pending());
}

#[tokio::test(flavor = "multi_thread")]
async fn capped_topic_thins_a_burst_and_keeps_the_last_sample() {
    let domain = TestDomain::claim();
    let (from, to) = (node("from", domain.id), node("to", domain.id));
    let publisher = from.publisher(&CAPPED).unwrap();
    let mut subscriber = to.subscriber(&CAPPED).unwrap();
    wait_until("a match", || publisher.subscriber_count() == 1).await;
    let started = Instant::now();
    for data in 1..=2000 {
        publisher.publish(Number { data });
        std::thread::sleep(Duration::from_micros(100));
    }
    let took = started.elapsed();
    let mut count = 0;
    loop {
        let number = within("the last sample", subscriber.next()).await.unwrap();
        count += 1;
        if number.data == 2000 {
            break;
        }
    }
    // 50 a second, one more for the first and one for the one held back at the end.
    let most = took.as_secs_f64() * 50.0 + 2.0;
    assert!(count >= 2 && f64::from(count) <= most, "{count} samples came through in {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_follow_namespace_and_remaps() {
    let domain = TestDomain::claim();
    let mut options = NodeOptions::new("from", domain.id);
    options.namespace = "/car1".into();
    let from = Node::open(options).unwrap();
    let publisher = from.publisher(&NUMBERS).unwrap();
    let mut options = NodeOptions::new("to", domain.id);
    options.remaps.push(Remap { from: "numbers".into(), to: "/car1/numbers".into() });
    let to = Node::open(options).unwrap();
    let mut subscriber = to.subscriber(&NUMBERS).unwrap();
    let mut elsewhere = node("elsewhere", domain.id).subscriber(&NUMBERS).unwrap();
    wait_until("a match", || publisher.subscriber_count() == 1).await;
    publisher.publish(Number { data: 7 });
    assert_eq!(within("the sample", subscriber.next()).await, Some(Number { data: 7 }));
    assert!(futures::poll!(elsewhere.next()).is_pending(), "/numbers is not /car1/numbers");
    assert_eq!(publisher.subscriber_count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_subscriber_is_no_longer_counted() {
    let domain = TestDomain::claim();
    let (from, to) = (node("from", domain.id), node("to", domain.id));
    let publisher = from.publisher(&NUMBERS).unwrap();
    let subscriber = to.subscriber(&NUMBERS).unwrap();
    wait_until("a match", || publisher.subscriber_count() == 1).await;
    drop(subscriber);
    // The r2r half notices it with the next samples, so there must be some.
    wait_until("the end of the match", || {
        publisher.publish(Number { data: 1 });
        publisher.subscriber_count() == 0
    })
    .await;
}
