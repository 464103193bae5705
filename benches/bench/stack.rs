//! Everything together: all programs running, lidar and compressed camera heard, every picture waited for.

use std::time::{Duration, Instant};

use futures::StreamExt;
use sim_api::ros::{Node, NodeOptions, topics};

use crate::support::http::post;
use crate::support::process::SimUp;
use crate::support::wait::{wait_for, within};

const STEPS_PER_CALL: u32 = 400;
const CALLS: u32 = 10;
const TARGET: f64 = 5.0;

pub async fn run() {
    let sim = SimUp::start();
    switch(&sim, "vehicle_city").await;
    let node = Node::open(NodeOptions::new("watcher", sim.domain.id)).expect("a node opens");
    let mut pictures = node.subscriber(&topics::CAMERA_COMPRESSED).expect("a subscriber");
    let _scans = node.subscriber(&topics::SCAN_FILTERED).expect("a subscriber");
    within("a picture", pictures.next()).await;
    post(sim.address, "/sim/api/pause", "{\"paused\": true}").await;
    let heard = tokio::spawn(async move {
        let mut count = 0_u32;
        while tokio::time::timeout(Duration::from_secs(2), pictures.next()).await.is_ok_and(|picture| picture.is_some())
        {
            count += 1;
        }
        count
    });
    let started = Instant::now();
    for _ in 0..CALLS {
        let body = format!("{{\"steps\": {STEPS_PER_CALL}, \"speed\": 0.5}}");
        assert_eq!(post(sim.address, "/sim/api/step", &body).await.status, 200);
    }
    let wall = started.elapsed().as_secs_f64();
    let simulated_s = f64::from(STEPS_PER_CALL * CALLS) / 200.0;
    let heard = heard.await.expect("no panic");
    let factor = simulated_s / wall;
    crate::judged("vehicle_city, all programs, lockstep (wall)", ">= 5 x", &format!("{factor:.1} x"), factor >= TARGET);
    crate::row("  compressed pictures heard of 15 a second", &format!("{:.1}", f64::from(heard) / simulated_s));
}

/// Loads a world as soon as everything is there.
pub async fn switch(sim: &SimUp, world: &str) {
    let body = format!("{{\"world\": \"{world}.world\"}}");
    wait_for("a world", async || {
        tokio::net::TcpStream::connect(sim.address).await.ok()?;
        (post(sim.address, "/sim/api/switch", &body).await.status == 200).then_some(())
    })
    .await;
}
