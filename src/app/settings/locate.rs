//! What surrounds a program: its executable, the user's folders and the ROS variables that settings depend on.
//!
//! Taken from the process once and passed along, so that resolving settings is a function of its arguments.

use std::env;
use std::path::{Path, PathBuf};

use super::{SettingsError, invalid};

const CONFIG: &str = "config/sim_api.yaml";

#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    pub executable: Option<PathBuf>,
    pub working_folder: PathBuf,
    pub home: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub data_home: Option<PathBuf>,
    /// `ROS_DOMAIN_ID`.
    pub ros_domain_id: Option<String>,
}

impl Surroundings {
    pub fn of_this_process() -> Self {
        Self {
            executable: env::current_exe().ok(),
            working_folder: env::current_dir().unwrap_or_default(),
            home: env::var_os("HOME").filter(|value| !value.is_empty()).map(PathBuf::from),
            data_home: env::var_os("XDG_DATA_HOME").map(PathBuf::from),
            ros_domain_id: env::var("ROS_DOMAIN_ID").ok(),
        }
    }

    /// The folder that holds `config/` and `worlds/`: the source tree this program was built in, or `share/sim_api` of the
    /// ROS install it lies in. None for a lone binary.
    pub fn package_folder(&self) -> Option<PathBuf> {
        self.executable.as_deref()?.ancestors().skip(1).find_map(|folder| {
            let installed = folder.join("share/sim_api");
            if installed.join(CONFIG).is_file() {
                return Some(installed);
            }
            let is_source = folder.join("Cargo.toml").is_file() && folder.join(CONFIG).is_file();
            is_source.then(|| folder.to_owned())
        })
    }

    /// The package's settings file; below the working folder as a relative path, because that is how people know it.
    pub(super) fn config_file(&self) -> Option<PathBuf> {
        let path = self.package_folder()?.join(CONFIG);
        Some(path.strip_prefix(&self.working_folder).map(Path::to_owned).unwrap_or(path))
    }

    /// Makes the data folder's path absolute, with `~/` as the shell would read it; the XDG folder when none is given.
    pub(super) fn absolute(&self, data: Option<PathBuf>) -> Result<PathBuf, SettingsError> {
        let no_home =
            || invalid("data", "HOME is not set, so there is no default data folder; use --data DIR".to_owned());
        match data {
            Some(path) => match path.strip_prefix("~") {
                Ok(below_home) => Ok(self.home.as_deref().ok_or_else(no_home)?.join(below_home)),
                Err(_) => Ok(self.working_folder.join(path)),
            },
            None => match self.default_data() {
                Some(data) => Ok(data),
                None => Err(no_home()),
            },
        }
    }

    /// The data folder of a simulator that is told nothing else.
    pub fn default_data(&self) -> Option<PathBuf> {
        // The XDG rules say that a relative path in the variable is to be ignored.
        match self.data_home.as_deref().filter(|path| path.is_absolute()) {
            Some(data_home) => Some(data_home.join("sim_api")),
            None => Some(self.home.as_deref()?.join(".local/share/sim_api")),
        }
    }

    pub(super) fn ros_domain_id(&self) -> Result<Option<u16>, SettingsError> {
        match self.ros_domain_id.as_deref().map(str::trim) {
            None | Some("") => Ok(None),
            Some(raw) => match raw.parse() {
                Ok(domain) => Ok(Some(domain)),
                Err(_) => Err(invalid("domain", format!("ROS_DOMAIN_ID is `{raw}`, which is not a number"))),
            },
        }
    }
}
