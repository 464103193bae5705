//! A killed subscriber must not starve the others. Every evaluation ends by killing a student's program.

use std::time::{Duration, Instant};

use futures::StreamExt;
use sim_api::ros::msg::sensor_msgs::Imu;
use sim_api::ros::{Node, NodeOptions, topics};

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::process::Lone;
use crate::support::wait::{wait_until, within};

/// The IMU's 50 Hz at ten times real time.
const PERIOD: Duration = Duration::from_millis(2);
/// Longer than an unacknowledged sample takes to fill any buffer at this rate.
const AFTER_THE_KILL: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_reliable_subscriber_does_not_starve_the_other() {
    let domain = TestDomain::claim();
    let folder = TempFolder::new();
    let id = domain.id.to_string();
    let (from, to) = (NodeOptions::new("sensors", domain.id), NodeOptions::new("survivor", domain.id));
    let (from, to) = (Node::open(from).unwrap(), Node::open(to).unwrap());
    let publisher = from.publisher(&topics::IMU).unwrap();
    let mut survivor = to.subscriber(&topics::IMU).unwrap();
    let mut victim = Lone::start("sim", folder.path(), &["echo", "/imu", "--config=/dev/null", "--domain", &id]);
    wait_until("both subscribers", || publisher.subscriber_count() == 2).await;

    let publishing = {
        let publisher = publisher.clone();
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(PERIOD);
            let mut message = Imu::default();
            loop {
                tick.tick().await;
                message.angular_velocity.z += 1.0;
                publisher.publish(message.clone());
            }
        })
    };
    within("samples before the kill", async {
        for _ in 0..100 {
            survivor.next().await;
        }
    })
    .await;
    victim.kill();
    let (killed_at, mut count, mut last) = (Instant::now(), 0_u32, Instant::now());
    let mut longest_gap = Duration::ZERO;
    while killed_at.elapsed() < AFTER_THE_KILL {
        within("a sample after the kill", survivor.next()).await.unwrap();
        longest_gap = longest_gap.max(last.elapsed());
        last = Instant::now();
        count += 1;
    }
    publishing.abort();
    let rate = f64::from(count) / AFTER_THE_KILL.as_secs_f64();
    assert!(rate > 75.0, "the survivor received only {rate:.0} of 150 samples a second");
    assert!(longest_gap < Duration::from_secs(2), "the survivor waited {longest_gap:?}");
}
