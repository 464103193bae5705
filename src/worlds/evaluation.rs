//! The evaluation of a world: a JSON file that configures it and the Python script that judges.
//!
//! Only what the simulator itself needs is understood; everything else in the JSON is kept for the script and for clients.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// The version this simulator can run. Others are read as far as they can be understood.
pub const SUPPORTED_VERSION: i64 = 1;
const MAX_JSON_BYTES: u64 = 1 << 20;
const MAX_SCRIPT_BYTES: u64 = 4 << 20;

#[derive(Debug, Error)]
pub enum EvaluationError {
    #[error("{file} of the evaluation cannot be read: {source}")]
    Io { file: &'static str, source: std::io::Error },
    #[error("{0} of the evaluation is too large")]
    TooLarge(&'static str),
    #[error("the script of the evaluation is not UTF-8 text")]
    NotText,
    #[error("the configuration of the evaluation is not JSON: {0}")]
    Json(String),
    #[error("the configuration of the evaluation: {0}")]
    Field(String),
}

/// Which of two records is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    #[default]
    Lower,
    Higher,
}

impl Better {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct EvaluationConfig {
    pub description: Option<String>,
    pub better: Option<Better>,
    pub time_limit_s: Option<f64>,
    /// The generation of robot it is for; any, when absent.
    pub robot: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub version: i64,
    pub config: EvaluationConfig,
    /// `config` as it stands in the file.
    pub raw_config: Map<String, Value>,
    pub script: String,
}

impl Evaluation {
    pub fn read(json: &Path, script: &Path) -> Result<Self, EvaluationError> {
        let bytes = read(json, "the configuration", MAX_JSON_BYTES)?;
        let script = read(script, "the script", MAX_SCRIPT_BYTES)?;
        let script = String::from_utf8(script).map_err(|_| EvaluationError::NotText)?;
        Self::parse(&bytes, script)
    }

    pub fn parse(json: &[u8], script: String) -> Result<Self, EvaluationError> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let mut document: Map<String, Value> =
            serde_json::from_slice(json).map_err(|err| EvaluationError::Json(err.to_string()))?;
        let version = match document.get("version") {
            None | Some(Value::Null) => SUPPORTED_VERSION,
            Some(version) => version.as_i64().ok_or_else(|| wrong("version", "an integer"))?,
        };
        let raw_config = match document.remove("config") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(config)) => config,
            Some(_) => return Err(wrong("config", "an object")),
        };
        let config = match typed(&raw_config) {
            Err(_) if version != SUPPORTED_VERSION => EvaluationConfig::default(),
            typed => typed?,
        };
        Ok(Self { version, config, raw_config, script })
    }

    pub fn is_supported_version(&self) -> bool {
        self.version == SUPPORTED_VERSION
    }
}

/// Both files exist and the script says something. An evaluation of which this is true may still turn out unreadable.
pub(super) fn exists(json: &Path, script: &Path) -> bool {
    json.is_file() && script_says_something(script)
}

fn script_says_something(script: &Path) -> bool {
    match std::fs::metadata(script) {
        Ok(found) if found.is_file() && found.len() > MAX_SCRIPT_BYTES => true,
        Ok(found) if found.is_file() => {
            std::fs::read(script).is_ok_and(|text| !String::from_utf8_lossy(&text).trim().is_empty())
        }
        _ => false,
    }
}

fn typed(raw: &Map<String, Value>) -> Result<EvaluationConfig, EvaluationError> {
    let config: EvaluationConfig =
        serde_json::from_value(Value::Object(raw.clone())).map_err(|err| EvaluationError::Field(err.to_string()))?;
    match config.time_limit_s {
        Some(limit) if !(limit.is_finite() && limit > 0.0) => Err(wrong("time_limit_s", "a number above 0")),
        _ => Ok(config),
    }
}

fn wrong(field: &str, wanted: &str) -> EvaluationError {
    EvaluationError::Field(format!("`{field}` must be {wanted}"))
}

fn read(path: &Path, file: &'static str, limit: u64) -> Result<Vec<u8>, EvaluationError> {
    let failed = |source| EvaluationError::Io { file, source };
    if std::fs::metadata(path).map_err(failed)?.len() > limit {
        return Err(EvaluationError::TooLarge(file));
    }
    std::fs::read(path).map_err(failed)
}
