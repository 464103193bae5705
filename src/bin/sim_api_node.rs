//! The node: HTTP API, events and viewer above, ROS 2 below.

use std::process::ExitCode;

use sim_api::app::{Program, node};

fn main() -> ExitCode {
    Program::Node.main(node::run)
}
