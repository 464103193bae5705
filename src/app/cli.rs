//! The command line of `sim`: its subcommands, and where each one leads.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::sentence::sentence;
use super::settings::{SettingsLayer, Sources, Surroundings};
use super::{Program, doctor, echo, evaluate, replay, supervise, world_cli};

#[derive(Debug, Parser)]
#[command(name = "sim", version, about, long_about = None, args_override_self = true, after_help = EXAMPLES)]
struct Sim {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the simulator, the robot's software and the API, and keep them running
    #[command(after_help = UP_HELP)]
    Up(SettingsLayer),
    /// Say in plain words what this machine has and what is missing
    Doctor(SettingsLayer),
    /// Run one evaluation and print its record; exit code 0 only if the judging script finished
    Evaluate(evaluate::EvaluateArgs),
    /// Repeat a recorded evaluation from its commands; exit code 0 only if the car goes the same way, bit for bit
    Replay(replay::ReplayArgs),
    /// Print what a ROS topic carries, as one JSON object per line; needs no ROS
    Echo(echo::EchoArgs),
    /// Build, publish and list worlds
    World(world_cli::WorldArgs),
}

const EXAMPLES: &str = "\
Examples:
  sim up                              start everything; the viewer is at http://127.0.0.1:8080/sim
  sim up --world vehicle_oval --rtf 5 five times faster than real time
  sim up --bind 127.0.0.1:8081 --data /tmp/second --domain 1
                                      a second simulator on the same machine
  sim echo /sim/status                watch a ROS topic without ROS tools
  sim evaluate --world vehicle_base --command 'python3 driver.py' --rtf 0
                                      judge a driver once, as fast as the machine can
  sim replay 20261115-054547-123      repeat a session of the data folder and compare
  sim world build track.yaml out      make a world bundle from a track description
  sim world publish out               hand it out under an ID, by which simulators install it
  sim doctor                          check this machine before the first start

Every setting is a flag, an environment variable (SIM_API_...) and a key of config/sim_api.yaml;
`sim up --help` lists them.";

const UP_HELP: &str = "\
A flag wins over its environment variable, and that over the settings file.
ROS 2 arguments follow --ros-args: -r from:=to, -p key:=value, --params-file FILE.
Ctrl-C stops everything.";

/// Everything `sim` does.
pub fn main() -> ExitCode {
    if let Some(code) = crate::judge::supervise::take_over(std::env::args_os()) {
        return code;
    }
    match try_main() {
        Ok(code) => code,
        Err(err) => {
            eprintln!("sim: {}", sentence(&err));
            ExitCode::FAILURE
        }
    }
}

fn try_main() -> anyhow::Result<ExitCode> {
    let (ours, ros) = crate::ros::args::split(std::env::args_os())?;
    let matches = Sim::command().get_matches_from(ours);
    let sim = Sim::from_arg_matches(&matches).unwrap_or_else(|err| err.exit());
    let read = |given: SettingsLayer, ros| {
        let matches = matches.subcommand().map(|(_, matches)| matches).unwrap_or(&matches);
        let (environment, flags) = given.by_source(matches);
        Sources::read(environment, flags, ros, Surroundings::of_this_process())
    };
    match sim.command {
        Command::Up(given) => supervise::up(&read(given, ros)?),
        Command::Doctor(given) => doctor::examine(read(given, ros)),
        Command::Evaluate(args) => evaluate::run(&args, read(args.settings.clone(), ros)?),
        Command::Replay(args) => {
            let settings = read(args.settings.clone(), ros)?.resolve(Program::Node.name())?;
            Ok(replay::run(&args, &settings))
        }
        Command::Echo(args) => echo::run(&args, &read(args.settings.clone(), ros)?),
        Command::World(args) => world_cli::run(&args),
    }
}
