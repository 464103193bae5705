//! Traffic lights: what one is, and what it shows.

use crate::domain::{EpochCause, ModelName, Pose, SimTime};

/// What lamps look like to cameras and on screens, as sRGB from 0 to 1: a lamp that is on shines by itself, one that is off is
/// only a coloured surface. The yellow one is a disc in front of the screen.
pub const LAMP_RED: [f32; 3] = [1.0, 0.12, 0.08];
pub const LAMP_RED_OFF: [f32; 3] = [0.22, 0.04, 0.04];
pub const LAMP_GREEN: [f32; 3] = [0.1, 0.95, 0.25];
pub const LAMP_GREEN_OFF: [f32; 3] = [0.03, 0.18, 0.06];
pub const LAMP_YELLOW: [f32; 3] = [1.0, 0.82, 0.1];

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

    /// When it turns red by itself.
    pub const fn red_at(self) -> Option<SimTime> {
        match self {
            Self::Yellow { red_at } => Some(red_at),
            Self::Green | Self::Red => None,
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
