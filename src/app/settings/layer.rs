//! One layer of settings: what a file, the environment or a command line gives, everything optional.
//!
//! The one struct is a set of clap flags (with their environment variables) and the shape of the settings file at the same
//! time, so that no setting can exist in only one of them. Whatever is done with all settings takes the struct apart field by field:
//! a new field does not compile until it is said what becomes of it.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{BoolishValueParser, OsStringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::value::{Backend, Discovery, EvaluationCommands, EvaluationRuntime, ServiceMapping, Token, word};
use crate::domain::WorldName;

#[derive(Debug, Clone, Default, PartialEq, Args, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[command(next_help_heading = "Settings")]
pub struct SettingsLayer {
    /// Address and port of the HTTP API and the viewer [default: 127.0.0.1:8080]
    #[arg(long, env = "SIM_API_BIND", value_name = "ADDRESS:PORT")]
    pub bind: Option<SocketAddr>,

    /// Folder for installed worlds, records and state [default: sim_api in the user's data folder]
    #[arg(long, env = "SIM_API_DATA", value_name = "DIR", value_parser = path())]
    pub data: Option<PathBuf>,

    /// World to start with [default: the one that ran last, at first vehicle_base]
    #[arg(long, env = "SIM_API_WORLD", value_name = "NAME")]
    pub world: Option<String>,

    /// Server that published worlds are installed from [default: this node, at /cdn]
    #[arg(long, env = "SIM_API_WORLDS_URL", value_name = "URL")]
    pub worlds_url: Option<String>,

    /// Simulated seconds per second, 0.1 to 1000; 0 = as fast as it can [default: 1.0]
    #[arg(long, env = "SIM_API_RTF", value_name = "FACTOR", allow_negative_numbers = true)]
    pub rtf: Option<f64>,

    /// Seed of all noise [default: 0]
    #[arg(long, env = "SIM_API_SEED", value_name = "N")]
    pub seed: Option<u64>,

    /// ROS domain, 0 to 232 [default: ROS_DOMAIN_ID, else 0]
    #[arg(long, env = "SIM_API_DOMAIN", value_name = "N")]
    pub domain: Option<u16>,

    /// Secret that every client must send; the variable, unlike the flag, hides it from other users
    #[arg(long, env = "SIM_API_TOKEN", value_name = "T", hide_env_values = true)]
    pub token: Option<Token>,

    /// Allow an address outside loopback without a token
    #[arg(long, env = "SIM_API_NO_TOKEN", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub no_token: Option<bool>,

    /// Further host names under which clients reach this machine, separated by commas
    #[arg(long, env = "SIM_API_ALLOWED_HOSTS", value_name = "NAMES", value_delimiter = ',')]
    pub allowed_hosts: Option<Vec<String>>,

    /// Service mapping of the ROS 2 tools in use [default: auto]
    #[arg(long, env = "SIM_API_ROS_SERVICE_MAPPING", value_name = "RMW")]
    pub ros_service_mapping: Option<ServiceMapping>,

    /// Who may see our ROS nodes: this machine only, or its networks [default: loopback]
    #[arg(long, env = "SIM_API_ROS_DISCOVERY", value_name = "RANGE")]
    pub ros_discovery: Option<Discovery>,

    /// Whose simulator runs the world: ours, or one that somebody else has started [default: embedded]
    #[arg(long, env = "SIM_API_BACKEND", value_name = "WHOSE")]
    pub backend: Option<Backend>,

    /// Under which an external simulator offers the standard services [default: /gzserver]
    #[arg(long, env = "SIM_API_BACKEND_PREFIX", value_name = "NAME")]
    pub backend_prefix: Option<String>,

    /// Whether evaluations may run students' commands on this machine [default: allow]
    #[arg(long, env = "SIM_API_EVALUATION_COMMANDS", value_name = "WHAT")]
    pub evaluation_commands: Option<EvaluationCommands>,

    /// What judging scripts run in; container refuses to fall back [default: auto]
    #[arg(long, env = "SIM_API_EVALUATION_RUNTIME", value_name = "RUNTIME")]
    pub evaluation_runtime: Option<EvaluationRuntime>,

    /// Folder with the Python 3.14 of judging scripts [default: python in the data folder]
    #[arg(long, env = "SIM_API_EVALUATION_PYTHON", value_name = "DIR", value_parser = path())]
    pub evaluation_python: Option<PathBuf>,

    /// Memory for all processes of a student's command, in MiB [default: 4096]
    #[arg(long, env = "SIM_API_EVALUATION_MEMORY_MB", value_name = "MIB")]
    pub evaluation_memory_mb: Option<u64>,

    /// Processes and threads of a student's command [default: 512]
    #[arg(long, env = "SIM_API_EVALUATION_PROCESSES", value_name = "N")]
    pub evaluation_processes: Option<u64>,

    /// Size of each file that a student's command writes, in MiB [default: 1024]
    #[arg(long, env = "SIM_API_EVALUATION_FILE_MB", value_name = "MIB")]
    pub evaluation_file_mb: Option<u64>,

    /// Memory for a judging script, in MiB [default: 1024]
    #[arg(long, env = "SIM_API_EVALUATION_JUDGE_MEMORY_MB", value_name = "MIB")]
    pub evaluation_judge_memory_mb: Option<u64>,

    /// What a judging script can store in its folder, in MiB [default: 64]
    #[arg(long, env = "SIM_API_EVALUATION_JUDGE_FOLDER_MB", value_name = "MIB")]
    pub evaluation_judge_folder_mb: Option<u64>,

    /// What the record of one evaluation keeps of all output together, in MiB [default: 16]
    #[arg(long, env = "SIM_API_EVALUATION_LOG_MB", value_name = "MIB")]
    pub evaluation_log_mb: Option<u64>,

    /// What the recording of one evaluation may take on the disk, in MiB [default: 512]
    #[arg(long, env = "SIM_API_EVALUATION_RECORDING_MB", value_name = "MIB")]
    pub evaluation_recording_mb: Option<u64>,

    /// What all recordings together may take before the oldest go, in MiB; 0 keeps them all [default: 20480]
    #[arg(long, env = "SIM_API_EVALUATION_RECORDINGS_MB", value_name = "MIB")]
    pub evaluation_recordings_mb: Option<u64>,

    /// Seconds after which a simulation that stands still without being paused ends an evaluation [default: 60]
    #[arg(long, env = "SIM_API_EVALUATION_STANDSTILL_S", value_name = "SECONDS")]
    pub evaluation_standstill_s: Option<u64>,

    /// Recordings of evaluations have the camera's pictures [default: false]
    #[arg(long, env = "SIM_API_EVALUATION_CAMERA", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub evaluation_camera: Option<bool>,

    /// Simulation time waits for the judging script; always so at rtf 0 [default: false]
    #[arg(long, env = "SIM_API_EVALUATION_LOCKSTEP", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub evaluation_lockstep: Option<bool>,

    /// Settings file [default: config/sim_api.yaml of this package]
    #[arg(long, env = "SIM_API_CONFIG", value_name = "FILE", value_parser = path())]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// A parameter of every ROS node, which launch files set everywhere. Accepted and without effect: our programs
    /// always live in simulation time.
    #[arg(skip)]
    pub use_sim_time: Option<IgnoredAny>,
}

/// Unlike clap's own parser this one takes an empty path, which stands for "the default".
fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Hands all fields to another macro, behind what it is given. A layer is taken apart and put together by this list alone, so a new
/// field does not compile until it is here.
macro_rules! with_all_fields {
    ($macro:ident!($($given:ident),+)) => {
        $macro!(
            $($given),+;
            bind, data, world, worlds_url, rtf, seed, domain, token, no_token, allowed_hosts,
            ros_service_mapping, ros_discovery, backend, backend_prefix, evaluation_commands,
            evaluation_runtime, evaluation_python, evaluation_memory_mb, evaluation_processes,
            evaluation_file_mb, evaluation_judge_memory_mb, evaluation_judge_folder_mb, evaluation_log_mb,
            evaluation_recording_mb, evaluation_recordings_mb, evaluation_standstill_s, evaluation_camera,
            evaluation_lockstep, config, use_sim_time
        )
    };
}

macro_rules! first_given {
    ($stronger:ident, $weaker:ident; $($field:ident),+) => {{
        let Self { $($field),+ } = $stronger;
        Self { $($field: $field.or($weaker.$field)),+ }
    }};
}

macro_rules! those_from {
    ($layer:ident, $from:ident; $($field:ident),+) => {{
        let Self { $($field),+ } = $layer;
        Self { $($field: $field.filter(|_| $from(stringify!($field)))),+ }
    }};
}

impl SettingsLayer {
    /// This layer on top of a weaker one.
    pub fn over(self, weaker: Self) -> Self {
        let stronger = self;
        with_all_fields!(first_given!(stronger, weaker))
    }

    /// What clap read, as (environment, flags): ROS parameters given by `-p` rank between the two.
    pub fn by_source(self, matches: &ArgMatches) -> (Self, Self) {
        (self.clone().keep(matches, ValueSource::EnvVariable), self.keep(matches, ValueSource::CommandLine))
    }

    fn keep(self, matches: &ArgMatches, source: ValueSource) -> Self {
        let from = |id: &str| matches.value_source(id) == Some(source);
        let layer = self;
        with_all_fields!(those_from!(layer, from))
    }
}

/// Everything but the token as flags, so that a child process needs no file and no environment to see the same settings.
/// The token is left out because every user of the machine can read the arguments of a process.
pub fn as_flags(settings: &super::Settings) -> Vec<OsString> {
    let super::Settings {
        bind,
        data,
        world,
        worlds_url,
        rtf,
        seed,
        domain,
        token: _,
        no_token,
        allowed_hosts,
        ros_service_mapping,
        ros_discovery,
        backend,
        backend_prefix,
        evaluation_commands,
        evaluation_runtime,
        evaluation_python,
        evaluation_memory_mb,
        evaluation_processes,
        evaluation_file_mb,
        evaluation_judge_memory_mb,
        evaluation_judge_folder_mb,
        evaluation_log_mb,
        evaluation_recording_mb,
        evaluation_recordings_mb,
        evaluation_standstill_s,
        evaluation_camera,
        evaluation_lockstep,
        ros: _,
    } = settings;
    let mut data_flag = OsString::from("--data=");
    data_flag.push(data);
    let mut python_flag = OsString::from("--evaluation-python=");
    python_flag.push(evaluation_python);
    vec![
        format!("--bind={bind}").into(),
        data_flag,
        format!("--world={}", world.as_ref().map_or("", WorldName::as_str)).into(),
        format!("--worlds-url={}", worlds_url.as_deref().unwrap_or_default()).into(),
        format!("--rtf={rtf}").into(),
        format!("--seed={seed}").into(),
        format!("--domain={domain}").into(),
        format!("--no-token={no_token}").into(),
        format!("--allowed-hosts={}", allowed_hosts.join(",")).into(),
        format!("--ros-service-mapping={}", word(*ros_service_mapping)).into(),
        format!("--ros-discovery={}", word(*ros_discovery)).into(),
        format!("--backend={}", word(*backend)).into(),
        format!("--backend-prefix={backend_prefix}").into(),
        format!("--evaluation-commands={}", word(*evaluation_commands)).into(),
        format!("--evaluation-runtime={}", word(*evaluation_runtime)).into(),
        python_flag,
        format!("--evaluation-memory-mb={evaluation_memory_mb}").into(),
        format!("--evaluation-processes={evaluation_processes}").into(),
        format!("--evaluation-file-mb={evaluation_file_mb}").into(),
        format!("--evaluation-judge-memory-mb={evaluation_judge_memory_mb}").into(),
        format!("--evaluation-judge-folder-mb={evaluation_judge_folder_mb}").into(),
        format!("--evaluation-log-mb={evaluation_log_mb}").into(),
        format!("--evaluation-recording-mb={evaluation_recording_mb}").into(),
        format!("--evaluation-recordings-mb={evaluation_recordings_mb}").into(),
        format!("--evaluation-standstill-s={evaluation_standstill_s}").into(),
        format!("--evaluation-camera={evaluation_camera}").into(),
        format!("--evaluation-lockstep={evaluation_lockstep}").into(),
    ]
}
