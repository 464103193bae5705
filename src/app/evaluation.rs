//! From settings to what evaluations run in.

use std::env;
use std::ffi::OsString;
use std::net::SocketAddr;

use super::Settings;
use super::settings::{Discovery, EvaluationRuntime, Surroundings};
use super::supervise::reachable;
use crate::judge::supervise::{Limits, Runtime, SupervisorOptions};

const DISCOVERY_RANGE: &str = "ROS_AUTOMATIC_DISCOVERY_RANGE";

pub fn supervisor_options(settings: &Settings, around: &Surroundings) -> SupervisorOptions {
    let mut options = SupervisorOptions::new(settings.data.clone());
    options.runtime = match settings.evaluation_runtime {
        EvaluationRuntime::Auto => Runtime::Auto,
        EvaluationRuntime::Container => Runtime::Container,
        EvaluationRuntime::Sandbox => Runtime::Sandbox,
        EvaluationRuntime::Process => Runtime::Process,
    };
    if settings.evaluation_python.as_os_str().is_empty() {
        // A second simulator with a data folder of its own shares the Python of the first.
        options.python_roots.extend(around.default_data().map(|data| SupervisorOptions::python_root_in(&data)));
    } else {
        options.python_roots = vec![settings.evaluation_python.clone()];
    }
    options
}

/// Where this simulator is, for a student's program: the address of the API, and how it is found on ROS. A token is among the
/// variables that the program has from us anyway.
pub fn student_env(settings: &Settings, address: SocketAddr) -> Vec<(OsString, OsString)> {
    let mut variables = vec![
        ("SIM_API".into(), format!("http://{}", reachable(address)).into()),
        ("ROS_DOMAIN_ID".into(), settings.domain.to_string().into()),
    ];
    if settings.ros_discovery == Discovery::Loopback && env::var_os(DISCOVERY_RANGE).is_none() {
        variables.push((DISCOVERY_RANGE.into(), "LOCALHOST".into()));
    }
    variables
}

pub fn student_limits(settings: &Settings) -> Limits {
    Limits {
        memory_bytes: settings.evaluation_memory_mb << 20,
        processes: settings.evaluation_processes,
        file_bytes: settings.evaluation_file_mb << 20,
        ..Limits::STUDENT
    }
}

pub fn judge_limits(settings: &Settings) -> Limits {
    let folder_bytes = settings.evaluation_judge_folder_mb << 20;
    let memory_bytes = settings.evaluation_judge_memory_mb << 20;
    Limits { memory_bytes, file_bytes: folder_bytes, folder_bytes, ..Limits::JUDGE }
}
