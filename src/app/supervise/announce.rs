//! Tells the person at the terminal when the simulator runs, and how to reach it.

use std::fmt::Write;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use tracing::info;

use super::status;
use crate::app::logging::Log;
use crate::app::settings::{Discovery, Settings};

const POLL: Duration = Duration::from_millis(100);
/// Waiting is worth a line from here on, and again each time it has doubled.
const FIRST_NOTICE: Duration = Duration::from_secs(3);

/// Waits until the node at `address` reports a running simulator, then shows the banner.
pub async fn when_running(address: SocketAddr, settings: &Settings, log: &Log) {
    let start = Instant::now();
    let mut notice = FIRST_NOTICE;
    loop {
        let status = status::ask(address, settings.token.as_ref()).await;
        if status.as_ref().is_some_and(|status| status.running) {
            return log.say(&banner(address, settings));
        }
        if start.elapsed() >= notice {
            let what = if status.is_some() { "the world to be ready" } else { "the API to answer" };
            info!("still waiting for {what} ({} s)", start.elapsed().as_secs());
            notice *= 2;
        }
        sleep(POLL).await;
    }
}

/// What people need to know about a running simulator.
pub fn banner(address: SocketAddr, settings: &Settings) -> String {
    let mut text = format!(
        "\n  The simulator is running.\n\n    viewer     http://{address}/sim\n    API        http://{address}/sim/api\n"
    );
    let mut line = |what: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {what:<10} {value}");
    };
    if settings.token.is_some() {
        line("token", "open the viewer once with ?token=... ; other clients send it as a Bearer header");
    }
    if settings.ros_discovery == Discovery::Loopback {
        line("ROS 2", "export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST");
    }
    if settings.domain != 0 {
        let what = if settings.ros_discovery == Discovery::Loopback { "" } else { "ROS 2" };
        line(what, &format!("export ROS_DOMAIN_ID={}", settings.domain));
    }
    line("stop", "Ctrl-C");
    text.push('\n');
    text
}
