//! Traffic lights: what one is, and what it shows.

use crate::domain::{EpochCause, ModelName, Pose, SimTime};

/// What a light shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LightState {
    #[default]
    Green,
    /// On its way from green to red.
    Yellow {
        red_at: SimTime,
    },
    Red,
}

impl LightState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Yellow { .. } => "yellow",
            Self::Red => "red",
        }
    }

    /// What it shows at this time, if nobody touches it.
    pub fn at(self, now: SimTime) -> Self {
        match self {
            Self::Yellow { red_at } if red_at <= now => Self::Red,
            other => other,
        }
    }

    /// What it shows after its world was set anew.
    pub const fn after(self, cause: EpochCause) -> Self {
        match (cause, self) {
            (EpochCause::Reset | EpochCause::Switch, _) => Self::Green,
            (EpochCause::Respawn, Self::Yellow { .. }) => Self::Red,
            // A simulator that starts again does not know of the lights, and its clock goes on.
            (_, state) => state,
        }
    }
}

/// What a light can be told to show. Yellow only happens on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightCommand {
    Green,
    Red,
}

/// Where the yellow disc sits in front of a light's screen, in the light's own frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Panel {
    pub x_m: f64,
    pub z_m: f64,
    pub pitch_rad: f64,
    pub lamp_radius_m: f64,
}

/// A light as the world file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct LightSpec {
    pub name: ModelName,
    pub origin: Pose,
    pub panel: Panel,
}

/// A light as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    pub name: ModelName,
    pub pose: Pose,
    pub panel: Panel,
    pub state: LightState,
}
