//! What `sim_backend` keeps in memory from one official world to the next, while somebody watches its camera and its lidar.

use futures::StreamExt;
use sim_api::ros::{Node, NodeOptions, topics};

use crate::OFFICIAL;
use crate::support::http::post;
use crate::support::process::SimUp;
use crate::support::wait::{wait_for, within};

const TARGET_MB: f64 = 250.0;
const PICTURES: usize = 30;

pub async fn run() {
    let sim = SimUp::start();
    let node = Node::open(NodeOptions::new("watcher", sim.domain.id)).expect("a node opens");
    let mut images = node.subscriber(&topics::CAMERA_IMAGE).expect("a subscriber");
    let _scans = node.subscriber(&topics::SCAN).expect("a subscriber");
    for world in OFFICIAL {
        switch(&sim, world).await;
        for _ in 0..PICTURES {
            within("a picture", images.next()).await;
        }
        let (now, most) = resident_mb(sim.child_named("sim_backend"));
        let value = format!("{now:.0} MB (most {most:.0})");
        crate::judged(&format!("{world}, resident memory of sim_backend"), "<= 250 MB", &value, most <= TARGET_MB);
    }
}

/// Loads a world as soon as everything is there.
async fn switch(sim: &SimUp, world: &str) {
    let body = format!("{{\"world\": \"{world}.world\"}}");
    wait_for("a world", async || {
        tokio::net::TcpStream::connect(sim.address).await.ok()?;
        (post(sim.address, "/sim/api/switch", &body).await.status == 200).then_some(())
    })
    .await;
}

/// Now, and the most that it ever was.
fn resident_mb(pid: u32) -> (f64, f64) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a living process");
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
    };
    (field("VmRSS:"), field("VmHWM:"))
}
