//! The one command people type.

use std::process::ExitCode;

fn main() -> ExitCode {
    sim_api::app::cli::main()
}
