//! Splits a command line into our own arguments and ROS's: everything from `--ros-args` up to `--` or the end.
//!
//! Of ROS's arguments only parameters are read here, because they are settings: `--params-file FILE` and
//! `-p [node:]key:=value`. All of them, these two included, are kept for the ROS side.

use std::ffi::OsString;
use std::path::PathBuf;

use super::file::describe;
use super::{SettingsError, SettingsLayer};

const BEGIN: &str = "--ros-args";
const END: &str = "--";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RosArgs {
    /// `--ros-args` and all that belongs to it, as given; empty when there was none.
    pub rest: Vec<String>,
    pub params_files: Vec<PathBuf>,
    /// Each with the node it is meant for, if one was named.
    parameters: Vec<(Option<String>, SettingsLayer)>,
}

impl RosArgs {
    /// Takes ROS's part out of a command line; what is left is for clap.
    pub fn split(line: impl IntoIterator<Item = OsString>) -> Result<(Vec<OsString>, Self), SettingsError> {
        let mut ours = Vec::new();
        let mut rest: Vec<String> = Vec::new();
        let mut in_ros = false;
        for arg in line {
            match (in_ros, arg.to_str()) {
                (false, Some(BEGIN)) => in_ros = true,
                (true, Some(END)) => in_ros = false,
                (false, _) => ours.push(arg),
                (true, Some(BEGIN)) => {}
                (true, Some(text)) => rest.push(text.to_owned()),
                (true, None) => return Err(malformed(&arg.to_string_lossy(), "is not valid UTF-8")),
            }
        }
        let mut ros = Self::default();
        let mut args = rest.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-p" | "--param" => {
                    let assignment = args.next().ok_or_else(|| malformed(arg, "needs key:=value"))?;
                    ros.parameters.push(parameter(assignment)?);
                }
                "--params-file" => {
                    let file = args.next().ok_or_else(|| malformed(arg, "needs a file"))?;
                    ros.params_files.push(PathBuf::from(file));
                }
                _ => {}
            }
        }
        if !rest.is_empty() {
            rest.insert(0, BEGIN.to_owned());
        }
        Ok((ours, Self { rest, ..ros }))
    }

    /// Parameters for `node`; one that names the node wins over one for all, and a later one over an earlier.
    pub fn parameters_for(&self, node: &str) -> SettingsLayer {
        let pick = |named: bool| {
            self.parameters
                .iter()
                .filter(move |(meant, _)| match meant {
                    Some(meant) => named && meant == node,
                    None => !named,
                })
                .map(|(_, layer)| layer.clone())
        };
        pick(false).chain(pick(true)).fold(SettingsLayer::default(), |weaker, layer| layer.over(weaker))
    }
}

fn parameter(assignment: &str) -> Result<(Option<String>, SettingsLayer), SettingsError> {
    let (target, value) = assignment.split_once(":=").ok_or_else(|| malformed("-p", "needs key:=value"))?;
    let (node, key) = match target.rsplit_once(':') {
        Some((node, key)) => (Some(node.rsplit('/').next().unwrap_or(node).to_owned()), key),
        None => (None, target),
    };
    let text = format!("{key}: {value}");
    let layer = serde_saphyr::from_str(&text).map_err(|err| describe(&format!("-p {assignment}"), &err))?;
    Ok((node, layer))
}

fn malformed(at: &str, message: &str) -> SettingsError {
    SettingsError::Malformed { at: at.to_owned(), message: message.to_owned() }
}
