//! The vehicle's own software on ROS 2.

use std::process::ExitCode;

use sim_api::app::{Program, robot};

fn main() -> ExitCode {
    Program::Robot.main(robot::run)
}
