//! The settings of all four programs: where they come from, in which order, and what they must fulfil.
//!
//! Every setting is a flag, an environment variable and a key of the settings file. From weak to strong: built-in default,
//! settings file, `--params-file`, environment, `-p key:=value`, flag. A [`Settings`] value is complete and valid; nobody
//! checks it again. Nothing here creates or changes a file.

pub mod command_line;
pub mod file;
pub mod layer;
pub mod locate;
pub mod value;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use thiserror::Error;

use crate::domain::WorldName;
use crate::judge::machine::STANDS_STILL;
use crate::judge::supervise::Limits;
use crate::ros::args::{RosArgs, RosArgsError};
use crate::worlds::is_worlds_url;
use file::SettingsFile;
pub use layer::SettingsLayer;
pub use locate::Surroundings;
pub use value::{Backend, Discovery, EvaluationCommands, EvaluationRuntime, ServiceMapping, Token};

/// Highest domain whose UDP ports still fit below the range that systems hand out to outgoing connections.
const MAX_DOMAIN: u16 = 232;
/// Far above any machine, and no overflow when mebibytes become bytes.
const MAX_AMOUNT: u64 = 1 << 30;
const RTF_RANGE: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

/// Resolved and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub bind: SocketAddr,
    /// Absolute; may not exist yet.
    pub data: PathBuf,
    /// None is the one that ran last.
    pub world: Option<WorldName>,
    /// None is the node itself.
    pub worlds_url: Option<String>,
    /// Simulated seconds per wall second; 0 is as fast as the machine can.
    pub rtf: f64,
    pub seed: u64,
    pub domain: u16,
    pub token: Option<Token>,
    pub no_token: bool,
    /// Names, beside the loopback ones, under which clients may address the API.
    pub allowed_hosts: Vec<String>,
    pub ros_service_mapping: ServiceMapping,
    pub ros_discovery: Discovery,
    pub backend: Backend,
    /// Where the services of an external simulator are.
    pub backend_prefix: String,
    pub evaluation_commands: EvaluationCommands,
    pub evaluation_runtime: EvaluationRuntime,
    /// Empty: the folder that `make` fills.
    pub evaluation_python: PathBuf,
    pub evaluation_memory_mb: u64,
    pub evaluation_processes: u64,
    pub evaluation_file_mb: u64,
    pub evaluation_judge_memory_mb: u64,
    pub evaluation_judge_folder_mb: u64,
    /// What the record of one evaluation keeps of all output together.
    pub evaluation_log_mb: u64,
    /// What the recording of one evaluation may take on the disk.
    pub evaluation_recording_mb: u64,
    /// What all of them together may take; 0 keeps them all.
    pub evaluation_recordings_mb: u64,
    /// Wall time after which an unpaused simulation that stands still ends an evaluation.
    pub evaluation_standstill_s: u64,
    /// The camera's pictures are on it.
    pub evaluation_camera: bool,
    /// Simulation time waits for the judging script.
    pub evaluation_lockstep: bool,
    /// What stood behind `--ros-args`.
    pub ros: RosArgs,
}

#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("{}: cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
    #[error("{at}: unknown setting `{key}`{hint}")]
    UnknownSetting { at: String, key: String, hint: String },
    #[error("{at}: unknown node `{name}`; sections are `/**`, {known}")]
    UnknownNode { at: String, name: String, known: String },
    #[error("{at}: {message}")]
    Malformed { at: String, message: String },
    #[error(transparent)]
    RosArgs(#[from] RosArgsError),
    #[error("{setting}: {reason}")]
    Invalid { setting: &'static str, reason: String },
}

/// Everything that was given to a program, before it is put together for one node.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pub config: Option<SettingsFile>,
    pub params_files: Vec<SettingsFile>,
    pub environment: SettingsLayer,
    pub flags: SettingsLayer,
    pub ros: RosArgs,
    pub around: Surroundings,
}

impl Sources {
    /// Reads the files that the flags, the environment and the ROS arguments name, or else the one that belongs to this
    /// program's package. It is fine when there is none.
    pub fn read(
        environment: SettingsLayer,
        flags: SettingsLayer,
        ros: RosArgs,
        around: Surroundings,
    ) -> Result<Self, SettingsError> {
        let named = flags.config.clone().or_else(|| environment.config.clone());
        let path = named.filter(|path| !path.as_os_str().is_empty()).or_else(|| around.config_file());
        let config = path.map(|path| SettingsFile::read(&path)).transpose()?;
        let params_files =
            ros.params_files.iter().map(|path| SettingsFile::read_shared(path)).collect::<Result<_, _>>()?;
        Ok(Self { config, params_files, environment, flags, ros, around })
    }

    /// The settings as the program `node` sees them: a section of a file that names it wins over `/**`.
    pub fn resolve(&self, node: &str) -> Result<Settings, SettingsError> {
        let mut layer = SettingsLayer::default();
        for file in self.config.iter().chain(&self.params_files) {
            layer = file.layer_for(node).over(layer);
        }
        layer = SettingsLayer { domain: self.around.ros_domain_id()?, ..Default::default() }.over(layer);
        layer = self.environment.clone().over(layer);
        layer = command_line::parameters_for(node, &self.ros)?.over(layer);
        layer = self.flags.clone().over(layer);
        finish(layer, &self.around, self.ros.clone())
    }
}

fn finish(layer: SettingsLayer, around: &Surroundings, ros: RosArgs) -> Result<Settings, SettingsError> {
    let data = layer.data.filter(|path| !path.as_os_str().is_empty());
    let settings = Settings {
        bind: layer.bind.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))),
        data: around.absolute(data)?,
        world: layer
            .world
            .filter(|world| !world.is_empty())
            .map(|world| WorldName::parse(&world).map_err(|err| invalid("world", err.to_string())))
            .transpose()?,
        worlds_url: layer.worlds_url.filter(|url| !url.is_empty()),
        rtf: layer.rtf.unwrap_or(1.0),
        seed: layer.seed.unwrap_or(0),
        domain: layer.domain.unwrap_or(0),
        token: layer.token.filter(|token| !token.expose().is_empty()),
        no_token: layer.no_token.unwrap_or(false),
        // An empty list on a command line or in a variable reads as one empty name.
        allowed_hosts: layer.allowed_hosts.unwrap_or_default().into_iter().filter(|host| !host.is_empty()).collect(),
        ros_service_mapping: layer.ros_service_mapping.unwrap_or_default(),
        ros_discovery: layer.ros_discovery.unwrap_or_default(),
        backend: layer.backend.unwrap_or_default(),
        backend_prefix: layer.backend_prefix.unwrap_or_else(|| "/gzserver".to_owned()),
        evaluation_commands: layer.evaluation_commands.unwrap_or_default(),
        evaluation_runtime: layer.evaluation_runtime.unwrap_or_default(),
        evaluation_python: layer.evaluation_python.unwrap_or_default(),
        evaluation_memory_mb: layer.evaluation_memory_mb.unwrap_or(Limits::STUDENT.memory_bytes >> 20),
        evaluation_processes: layer.evaluation_processes.unwrap_or(Limits::STUDENT.processes),
        evaluation_file_mb: layer.evaluation_file_mb.unwrap_or(Limits::STUDENT.file_bytes >> 20),
        evaluation_judge_memory_mb: layer.evaluation_judge_memory_mb.unwrap_or(Limits::JUDGE.memory_bytes >> 20),
        evaluation_judge_folder_mb: layer.evaluation_judge_folder_mb.unwrap_or(Limits::JUDGE.folder_bytes >> 20),
        evaluation_log_mb: layer.evaluation_log_mb.unwrap_or(16),
        evaluation_recording_mb: layer.evaluation_recording_mb.unwrap_or(512),
        evaluation_recordings_mb: layer.evaluation_recordings_mb.unwrap_or(20_480),
        evaluation_standstill_s: layer.evaluation_standstill_s.unwrap_or(STANDS_STILL.as_secs()),
        evaluation_camera: layer.evaluation_camera.unwrap_or(false),
        evaluation_lockstep: layer.evaluation_lockstep.unwrap_or(false),
        ros,
    };
    check(&settings)?;
    Ok(settings)
}

fn check(settings: &Settings) -> Result<(), SettingsError> {
    if settings.rtf != 0.0 && !RTF_RANGE.contains(&settings.rtf) {
        return Err(invalid(
            "rtf",
            format!("{} is not possible; use 0 (as fast as it can) or 0.1 to 1000", settings.rtf),
        ));
    }
    if settings.domain > MAX_DOMAIN {
        return Err(invalid("domain", format!("{} is not a ROS domain; use 0 to {MAX_DOMAIN}", settings.domain)));
    }
    if let Some(url) = settings.worlds_url.as_deref().filter(|url| !is_worlds_url(url)) {
        let reason = format!("`{url}` is not an address of a server; it begins with http:// or https://");
        return Err(invalid("worlds_url", reason));
    }
    let amounts = [
        ("evaluation_memory_mb", settings.evaluation_memory_mb, 64),
        ("evaluation_processes", settings.evaluation_processes, 8),
        ("evaluation_file_mb", settings.evaluation_file_mb, 1),
        ("evaluation_judge_memory_mb", settings.evaluation_judge_memory_mb, 64),
        ("evaluation_judge_folder_mb", settings.evaluation_judge_folder_mb, 1),
        ("evaluation_log_mb", settings.evaluation_log_mb, 1),
        ("evaluation_recording_mb", settings.evaluation_recording_mb, 1),
        ("evaluation_recordings_mb", settings.evaluation_recordings_mb, 0),
        ("evaluation_standstill_s", settings.evaluation_standstill_s, 1),
    ];
    for (setting, value, least) in amounts {
        if !(least..=MAX_AMOUNT).contains(&value) {
            return Err(invalid(setting, format!("{value} is not possible; use {least} to {MAX_AMOUNT}")));
        }
    }
    if let Some(host) = settings.allowed_hosts.iter().find(|host| !is_host_name(host)) {
        return Err(invalid("allowed_hosts", format!("`{host}` is not a host name (no scheme, no path)")));
    }
    if !is_ros_name(&settings.backend_prefix) {
        let reason = format!("`{}` is not the name of a ROS node, such as /gzserver", settings.backend_prefix);
        return Err(invalid("backend_prefix", reason));
    }
    if settings.token.is_some() && settings.no_token {
        return Err(invalid("token", "a token and no_token exclude each other; leave one of them out".to_owned()));
    }
    if !settings.bind.ip().is_loopback() && settings.token.is_none() && !settings.no_token {
        let reason = format!(
            "{} can be reached from other machines, and this API can run commands; add --token T, or --no-token if \
             everyone who reaches it may use it",
            settings.bind
        );
        return Err(invalid("bind", reason));
    }
    Ok(())
}

fn is_host_name(host: &str) -> bool {
    host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']'))
}

/// Parts of letters, digits and `_` between slashes.
fn is_ros_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.starts_with(|first: char| first.is_ascii_digit())
            && !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.strip_prefix('/').unwrap_or(name).split('/').all(is_part)
}

fn invalid(setting: &'static str, reason: String) -> SettingsError {
    SettingsError::Invalid { setting, reason }
}
