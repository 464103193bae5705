//! The Python around a judging script, as files for the judge's folder.

use crate::judge::supervise::{Limits, Order};

/// The folder of the harness beside the script.
const FOLDER: &str = "sim_harness";

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("harness/", $name)))),+]
    };
}

/// Every file of the harness: name and text.
pub const FILES: &[(&str, &str)] =
    files!["__main__.py", "sim_api.py", "sim_channel.py", "sim_judge.py", "sim_values.py", "sim_watch.py"];

/// The name under which tracebacks show the script of a world.
pub fn script_name(world: &str) -> String {
    format!("{world}.py")
}

/// Python with the harness and the script of this world.
pub fn order(world: &str, script: &str, limits: Limits) -> Order {
    let name = script_name(world);
    let mut files: Vec<_> =
        FILES.iter().map(|(name, text)| (format!("{FOLDER}/{name}"), text.as_bytes().to_vec())).collect();
    files.push((name.clone(), script.as_bytes().to_vec()));
    Order::judge(vec![FOLDER.into(), name.into()], files, limits)
}
