//! The part of the command line that belongs to ROS: everything between `--ros-args` and `--` or the end.
//!
//! `rclcpp` programs hand it to `rcl`; the native half has no `rcl`, so it is read here. What we do not act on (log files,
//! enclaves) is accepted, so that launch files written for other nodes work.

use std::ffi::OsString;
use std::path::PathBuf;

use thiserror::Error;

use crate::ros::name::Remap;

pub const BEGIN: &str = "--ros-args";
const END: &str = "--";

/// What ROS was told on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RosArgs {
    /// `-r __node:=NAME`
    pub node: Option<String>,
    /// `-r __ns:=/NAMESPACE`
    pub namespace: Option<String>,
    pub remaps: Vec<Remap>,
    /// `-p name:=value`, in order.
    pub params: Vec<(String, String)>,
    pub params_files: Vec<PathBuf>,
    pub log_level: Option<String>,
    /// All of it as it was given, to be passed on.
    pub raw: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RosArgsError {
    #[error("{flag} in --ros-args needs a value")]
    MissingValue { flag: String },
    #[error("`{rule}` after {flag} is not of the form name:=value")]
    NotARule { flag: String, rule: String },
    #[error("unknown ROS argument `{0}`")]
    Unknown(String),
}

/// Splits a command line into the program's own arguments and ROS's.
pub fn split(line: impl IntoIterator<Item = OsString>) -> Result<(Vec<OsString>, RosArgs), RosArgsError> {
    let mut own = Vec::new();
    let mut raw = Vec::new();
    let mut in_ros = false;
    for arg in line {
        match (in_ros, arg.to_str()) {
            (false, Some(BEGIN)) => in_ros = true,
            (false, _) => own.push(arg),
            (true, Some(END)) => in_ros = false,
            // A second one inside the section changes nothing, as in rcl.
            (true, Some(BEGIN)) => {}
            (true, Some(text)) => raw.push(text.to_owned()),
            (true, None) => return Err(RosArgsError::Unknown(arg.to_string_lossy().into_owned())),
        }
    }
    Ok((own, RosArgs::parse(raw)?))
}

impl RosArgs {
    /// What stands between `--ros-args` and its end.
    pub fn parse(raw: Vec<String>) -> Result<Self, RosArgsError> {
        let mut ros = Self::default();
        let mut rest = raw.iter().cloned();
        while let Some(flag) = rest.next() {
            ros.read(flag, &mut rest)?;
        }
        Ok(Self { raw, ..ros })
    }

    fn read(&mut self, flag: String, rest: &mut impl Iterator<Item = String>) -> Result<(), RosArgsError> {
        match flag.as_str() {
            "-r" | "--remap" => {
                let (from, to) = rule(&flag, value(&flag, rest)?)?;
                self.remap(from, to);
            }
            "-p" | "--param" => self.params.push(rule(&flag, value(&flag, rest)?)?),
            "--params-file" => self.params_files.push(value(&flag, rest)?.into()),
            "--log-level" => self.log_level = Some(value(&flag, rest)?),
            "-e" | "--enclave" | "--log-config-file" | "--log-file-name" => {
                value(&flag, rest)?;
            }
            _ if flag.starts_with("--enable-") || flag.starts_with("--disable-") => {}
            // rcl also takes a bare rule where a flag is due.
            _ if flag.contains(":=") => {
                let (from, to) = rule("--ros-args", flag)?;
                self.remap(from, to);
            }
            _ => return Err(RosArgsError::Unknown(flag)),
        }
        Ok(())
    }

    fn remap(&mut self, from: String, to: String) {
        // `node_name:from:=to` addresses one node of a process; ours have one node each.
        let from = from.rsplit_once(':').map_or(from.as_str(), |(_, name)| name).to_owned();
        match from.as_str() {
            "__node" | "__name" => self.node = Some(to),
            "__ns" => self.namespace = Some(to),
            _ => self.remaps.push(Remap { from, to }),
        }
    }
}

fn value(flag: &str, rest: &mut impl Iterator<Item = String>) -> Result<String, RosArgsError> {
    rest.next().ok_or_else(|| RosArgsError::MissingValue { flag: flag.to_owned() })
}

fn rule(flag: &str, raw: String) -> Result<(String, String), RosArgsError> {
    match raw.split_once(":=") {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(RosArgsError::NotARule { flag: flag.to_owned(), rule: raw }),
    }
}
