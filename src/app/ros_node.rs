//! Opens a program's ROS node as the settings say.

use super::settings::{self, Settings};
use crate::ros::{Discovery, Node, NodeOptions, RosError, ServiceMapping};

pub fn open(name: &str, settings: &Settings) -> Result<Node, RosError> {
    let rmw = std::env::var("RMW_IMPLEMENTATION").ok();
    let options = NodeOptions {
        discovery: match settings.ros_discovery {
            settings::Discovery::Loopback => Discovery::Loopback,
            settings::Discovery::Network => Discovery::Network,
        },
        mapping: match settings.ros_service_mapping {
            settings::ServiceMapping::Auto => ServiceMapping::for_rmw(rmw.as_deref()),
            settings::ServiceMapping::Fastdds => ServiceMapping::Fastdds,
            settings::ServiceMapping::Cyclone => ServiceMapping::Cyclone,
        },
        ..NodeOptions::new(name, settings.domain)
    };
    Node::open(options.with_args(&settings.ros))
}
