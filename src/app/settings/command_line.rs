//! ROS parameters as settings: `-p [node:]key:=value` and `--params-file FILE` behind `--ros-args`.

use super::file::describe;
use super::{SettingsError, SettingsLayer};
use crate::ros::args::RosArgs;

/// The parameters of the command line for `node`; one that names the node wins over one for all, and a later one over an
/// earlier.
pub fn parameters_for(node: &str, ros: &RosArgs) -> Result<SettingsLayer, SettingsError> {
    let mut for_all = SettingsLayer::default();
    let mut for_node = SettingsLayer::default();
    for (target, value) in &ros.params {
        match target.rsplit_once(':') {
            None => for_all = parameter(target, value)?.over(for_all),
            Some((meant, key)) if meant.rsplit('/').next() == Some(node) => {
                for_node = parameter(key, value)?.over(for_node);
            }
            Some(_) => {}
        }
    }
    Ok(for_node.over(for_all))
}

fn parameter(key: &str, value: &str) -> Result<SettingsLayer, SettingsError> {
    serde_saphyr::from_str(&format!("{key}: {value}")).map_err(|err| describe(&format!("-p {key}:={value}"), &err))
}
