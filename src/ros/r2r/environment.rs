//! What a node was asked for, compared with what `rcl` takes from the environment.

use std::env;

use tracing::warn;

use crate::ros::{Discovery, NodeOptions, RosError};

/// `rcl` knows no other way to choose a domain or a range than these variables, and a process that has threads must not set them.
pub(super) fn check(options: &NodeOptions) -> Result<(), RosError> {
    let domain = variable("ROS_DOMAIN_ID");
    let present = domain.parse().unwrap_or(0);
    if options.domain != present {
        let reason = format!("this build takes the domain from ROS_DOMAIN_ID, which is `{domain}` (unset is 0)");
        return Err(RosError::Start { domain: options.domain, reason });
    }
    if options.discovery == Discovery::Loopback && !this_machine_only() {
        warn!("other machines can see this node; set ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST to prevent it");
    }
    Ok(())
}

fn this_machine_only() -> bool {
    matches!(variable("ROS_AUTOMATIC_DISCOVERY_RANGE").as_str(), "LOCALHOST" | "OFF")
        || variable("ROS_LOCALHOST_ONLY") == "1"
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
