//! What this machine knows of ROS 2, and how our nodes and its tools find each other.

use std::env;
use std::fs;

use super::{Finding, Mark};
use crate::app::settings::value::word;
use crate::app::settings::{Discovery, Settings};

/// The variables that decide, and the distributions under `/opt/ros`.
#[derive(Debug, Clone, Default)]
pub struct RosEnvironment {
    pub distro: Option<String>,
    pub ament_prefix_path: Option<String>,
    pub rmw_implementation: Option<String>,
    pub discovery_range: Option<String>,
    pub installed: Vec<String>,
}

impl RosEnvironment {
    pub fn of_this_process() -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let folders = fs::read_dir("/opt/ros").into_iter().flatten().flatten();
        let mut installed: Vec<String> = folders
            .filter(|folder| folder.path().join("setup.bash").is_file())
            .map(|folder| folder.file_name().to_string_lossy().into_owned())
            .collect();
        installed.sort();
        Self {
            distro: variable("ROS_DISTRO"),
            ament_prefix_path: variable("AMENT_PREFIX_PATH"),
            rmw_implementation: variable("RMW_IMPLEMENTATION"),
            discovery_range: variable("ROS_AUTOMATIC_DISCOVERY_RANGE"),
            installed,
        }
    }

    fn is_sourced(&self) -> bool {
        self.distro.is_some() && self.ament_prefix_path.is_some()
    }
}

pub fn findings(settings: Option<&Settings>, ros: &RosEnvironment) -> Vec<Finding> {
    let mut findings = vec![installation(ros)];
    if let Some(settings) = settings {
        findings.push(mapping(settings, ros));
        findings.push(discovery(settings, ros));
    }
    findings
}

fn installation(ros: &RosEnvironment) -> Finding {
    match (&ros.distro, ros.installed.last()) {
        (Some(distro), _) if ros.is_sourced() => Finding::new(Mark::Ok, "ROS 2", format!("{distro} is sourced")),
        (_, Some(found)) => Finding::new(
            Mark::Warn,
            "ROS 2",
            format!("{found} is installed but not sourced; for its tools: source /opt/ros/{found}/setup.bash"),
        ),
        _ => Finding::new(Mark::Missing, "ROS 2", "not installed; not needed, our programs speak it themselves"),
    }
}

fn mapping(settings: &Settings, ros: &RosEnvironment) -> Finding {
    let rmw = ros.rmw_implementation.as_deref();
    let mapping = word(settings.ros_service_mapping.decided(rmw));
    let text = match rmw {
        Some(rmw) => format!("services as {mapping} (RMW_IMPLEMENTATION is {rmw})"),
        None => format!("services as {mapping} (RMW_IMPLEMENTATION is not set)"),
    };
    match rmw {
        Some(rmw) if !rmw.contains("fastrtps") && !rmw.contains("cyclone") => {
            let text = format!("{text}; this one is not known here: use rmw_fastrtps_cpp or rmw_cyclonedds_cpp");
            Finding::new(Mark::Warn, "RMW", text)
        }
        _ => Finding::new(Mark::Ok, "RMW", text),
    }
}

fn discovery(settings: &Settings, ros: &RosEnvironment) -> Finding {
    let domain = settings.domain;
    if settings.ros_discovery == Discovery::Network {
        let text = format!("domain {domain}, open: every machine on the network sees our nodes");
        return Finding::new(Mark::Ok, "discovery", text);
    }
    let text = format!("domain {domain}, this machine only");
    let is_local = ros.discovery_range.as_deref().is_some_and(|range| range.eq_ignore_ascii_case("localhost"));
    if ros.is_sourced() && !is_local {
        let text = format!("{text}; ROS 2 tools need: export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST");
        return Finding::new(Mark::Warn, "discovery", text);
    }
    Finding::new(Mark::Ok, "discovery", format!("{text} (ROS 2 tools: ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST)"))
}
