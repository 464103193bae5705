//! The values of settings that are not plain numbers or text.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use serde::Deserialize;

/// The secret that clients must send. Debug output hides it, so that settings can be logged.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Token {
    type Err = Infallible;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(raw))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

/// How the number of a service request travels; ROS implementations differ in it. `Auto` follows RMW_IMPLEMENTATION, and is
/// `Fastdds` when that is not set.
//
// The variants here have no doc comments of their own: clap would then stretch the help of all flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceMapping {
    #[default]
    Auto,
    Fastdds,
    Cyclone,
}

impl ServiceMapping {
    /// Decides `Auto` by the value of `RMW_IMPLEMENTATION`; never returns `Auto`.
    pub fn decided(self, rmw_implementation: Option<&str>) -> Self {
        match (self, rmw_implementation) {
            (Self::Auto, Some(rmw)) if rmw.contains("cyclone") => Self::Cyclone,
            (Self::Auto, _) => Self::Fastdds,
            (chosen, _) => chosen,
        }
    }
}

/// Where other ROS nodes can see ours: on this machine only, or on every network it is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Discovery {
    #[default]
    Loopback,
    Network,
}

/// Whose simulator it is: ours, which we start, or one that somebody else has started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    #[default]
    Embedded,
    External,
}

/// Whether evaluations may run students' commands on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationCommands {
    #[default]
    Allow,
    Refuse,
}

/// What judging scripts run in. `Auto` takes the best that works, in this order; the others refuse anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationRuntime {
    #[default]
    Auto,
    Container,
    Sandbox,
    Process,
}

/// The word by which a value is given on a command line.
pub fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
