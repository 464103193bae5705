//! The embedded simulator behind ROS 2.

use std::process::ExitCode;

use sim_api::app::{Program, backend};

fn main() -> ExitCode {
    Program::Backend.main(backend::run)
}
