//! What writes answer.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::seconds;
use super::{LightBody, PoseBody, StateResponse};
use crate::bridge::Placed;

/// The answer to a write that is answered like the read beside it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrittenBody<B> {
    pub ok: bool,
    #[serde(flatten)]
    pub body: B,
}

/// The answer to a teleport.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VehiclePlacedResponse {
    pub ok: bool,
    pub applied: bool,
    pub pose: UprightBody,
    pub time: f64,
    pub seq: u64,
    pub epoch: u64,
}

/// The pose of something that stands upright.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UprightBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub yaw: f64,
}

impl UprightBody {
    fn of(placed: &Placed) -> Self {
        let PoseBody { x, y, z, yaw, .. } = PoseBody::of(&placed.pose);
        Self { x, y, z, yaw }
    }
}

impl VehiclePlacedResponse {
    pub fn of(placed: &Placed) -> Self {
        Self {
            ok: true,
            applied: true,
            pose: UprightBody::of(placed),
            time: seconds(placed.stamp),
            seq: placed.seq,
            epoch: placed.epoch.0,
        }
    }
}

/// The answer to putting a model elsewhere.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelPlacedResponse {
    pub ok: bool,
    pub applied: bool,
    pub model: PlacedModelBody,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PlacedModelBody {
    pub name: String,
    #[serde(flatten)]
    pub pose: UprightBody,
    /// `object` or `light`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl ModelPlacedResponse {
    pub fn of(name: &str, placed: &Placed) -> Self {
        let kind = if placed.is_light { "light" } else { "object" };
        let model = PlacedModelBody { name: name.to_owned(), pose: UprightBody::of(placed), kind };
        Self { ok: true, applied: true, model }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ResetResponse {
    pub ok: bool,
    /// What was put back; the vehicle is the last.
    pub reset: Vec<String>,
    pub epoch: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RespawnResponse {
    pub ok: bool,
    /// The world's file.
    pub world: Option<String>,
    /// Always true: the simulator goes on with the new world in the place of the old one.
    pub inplace: bool,
    pub epoch: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PauseResponse {
    pub ok: bool,
    pub paused: bool,
    /// Simulation time from which on it holds.
    pub time: f64,
}

/// The state after the last step.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StepResponse<'a> {
    pub ok: bool,
    #[serde(flatten)]
    pub state: StateResponse<'a>,
}

/// What the robot was told; null was not said.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DriveResponse {
    pub ok: bool,
    pub speed: Option<f64>,
    pub steering: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LightCommandedResponse {
    pub ok: bool,
    pub light: LightBody,
}
