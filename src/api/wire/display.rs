//! Brightness, overlay and traffic lights.

use std::time::Instant;

use schemars::JsonSchema;
use serde::Serialize;

use super::PoseBody;
use super::number::{angle, rounded};
use crate::domain::{Light, LightState, Overlay, SimTime, Snapshot};

#[derive(Debug, Serialize, JsonSchema)]
pub struct BrightnessBody {
    pub value: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OverlayBody {
    /// Empty when none is shown.
    pub text: String,
    /// Wall seconds for which it is shown.
    pub ttl: f64,
    /// How many of them are left.
    pub ttl_left: f64,
    pub size: f64,
    /// Raised by every write.
    pub seq: u64,
}

impl OverlayBody {
    pub fn of(overlay: &Overlay) -> Self {
        Self {
            text: overlay.caption.text.clone(),
            ttl: rounded(overlay.caption.ttl.as_secs_f64()),
            ttl_left: rounded(overlay.left(Instant::now()).as_secs_f64()),
            size: rounded(overlay.caption.size),
            seq: overlay.seq,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TrafficLightsResponse {
    /// The world's file.
    pub world: Option<String>,
    pub lights: Vec<LightBody>,
}

impl TrafficLightsResponse {
    pub fn of(snapshot: &Snapshot) -> Self {
        Self { world: snapshot.world.as_ref().map(|world| world.file()), lights: LightBody::all(snapshot) }
    }
}

/// A traffic light.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LightBody {
    pub name: String,
    pub x: f64,
    pub y: f64,
    pub yaw: f64,
    /// `green`, `yellow` or `red`.
    pub state: &'static str,
    /// Always true: lights come with the world.
    pub builtin: bool,
    pub panel: PanelBody,
    /// Simulated seconds until it is red, during yellow only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yellow_left: Option<f64>,
}

/// Where the yellow disc sits in front of a light's screen.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PanelBody {
    pub px: f64,
    pub pz: f64,
    pub pitch: f64,
    pub lamp_r: f64,
}

impl LightBody {
    pub fn of(light: &Light, now: SimTime) -> Self {
        let PoseBody { x, y, yaw, .. } = PoseBody::of(&light.pose);
        let yellow_left = match light.state {
            LightState::Yellow { red_at } => Some(rounded(red_at.secs_since(now).max(0.0))),
            LightState::Green | LightState::Red => None,
        };
        let panel = PanelBody {
            px: rounded(light.panel.x_m),
            pz: rounded(light.panel.z_m),
            pitch: angle(light.panel.pitch_rad),
            lamp_r: rounded(light.panel.lamp_radius_m),
        };
        let (name, state) = (light.name.as_str().to_owned(), light.state.as_str());
        Self { name, x, y, yaw, state, builtin: true, panel, yellow_left }
    }

    /// Every light of the world, by name.
    pub fn all(snapshot: &Snapshot) -> Vec<Self> {
        let now = snapshot.clock.map_or(SimTime::ZERO, |clock| clock.sim_time);
        snapshot.lights.iter().map(|light| Self::of(light, now)).collect()
    }
}
