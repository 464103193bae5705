//! What the three supervised programs have in common: names, arguments, and the order of their first steps.

use std::ffi::OsString;
use std::future::Future;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser};

use super::sentence::sentence;
use super::settings::{Settings, SettingsLayer, Sources, Surroundings};
use super::{file_limit, lifeline, logging};
use crate::judge::supervise;
use crate::ros;
use crate::ros::args::RosArgs;

/// How long blocking work may still run after a program's own end.
const RUNTIME_END: Duration = Duration::from_secs(1);

/// The programs that `sim up` runs, in the order in which it starts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Backend,
    Robot,
    Node,
}

impl Program {
    pub const ALL: [Self; 3] = [Self::Backend, Self::Robot, Self::Node];

    /// Of the executable and of its ROS node.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Backend => "sim_backend",
            Self::Robot => "robot_stack",
            Self::Node => "sim_api_node",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Backend => "The simulator behind ROS 2: physics, lidar, IMU, camera",
            Self::Robot => "The vehicle's own software on ROS 2: drive, odometry, camera",
            Self::Node => "The node: HTTP API, events and viewer above, ROS 2 below",
        }
    }

    /// The whole life of one program: arguments, lifeline, log, settings, then `run` until it returns.
    pub fn main<F, Fut>(self, run: F) -> ExitCode
    where
        F: FnOnce(Settings) -> Fut,
        Fut: Future<Output = anyhow::Result<()>>,
    {
        if let Some(code) = supervise::take_over(std::env::args_os()) {
            return code;
        }
        match self.try_main(run) {
            Ok(()) => ExitCode::SUCCESS,
            Err(err) => {
                eprintln!("[{}] {}", self.name(), sentence(&err));
                ExitCode::FAILURE
            }
        }
    }

    fn try_main<F, Fut>(self, run: F) -> anyhow::Result<()>
    where
        F: FnOnce(Settings) -> Fut,
        Fut: Future<Output = anyhow::Result<()>>,
    {
        let (given, ros) = self.arguments(std::env::args_os())?;
        if let Some(parent) = given.parent_pid {
            lifeline::die_with_parent(parent)?;
        }
        let _log = logging::init(self.name())?;
        file_limit::raise();
        let sources = Sources::read(given.environment, given.flags, ros, Surroundings::of_this_process())?;
        let settings = sources.resolve(self.name())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start tokio")?;
        let outcome = runtime.block_on(run(settings));
        runtime.shutdown_timeout(RUNTIME_END);
        outcome
    }

    fn arguments(self, line: impl IntoIterator<Item = OsString>) -> anyhow::Result<(Given, RosArgs)> {
        let (ours, ros) = ros::args::split(line)?;
        let command = Arguments::command().name(self.name()).about(self.about());
        let matches = command.get_matches_from(ours);
        let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|err| err.exit());
        let (environment, flags) = arguments.settings.by_source(&matches);
        Ok((Given { environment, flags, parent_pid: arguments.parent_pid }, ros))
    }
}

#[derive(Debug, Parser)]
#[command(
    version,
    args_override_self = true,
    after_help = "ROS 2 arguments follow --ros-args: -r from:=to, -p key:=value, --params-file FILE"
)]
struct Arguments {
    #[command(flatten)]
    settings: SettingsLayer,

    /// Process whose death ends this one.
    #[arg(long, value_name = "PID", hide = true)]
    parent_pid: Option<u32>,
}

struct Given {
    environment: SettingsLayer,
    flags: SettingsLayer,
    parent_pid: Option<u32>,
}
