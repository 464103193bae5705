//! The JSON of the answers, and the one place where values of the domain become it.
//!
//! Lengths, angles and quaternions are rounded to 6 decimals (a micrometre). A number that is not finite is sent as 0 and an
//! orientation that is not finite as no rotation, because JSON has no word for either; -0 is sent as 0.

mod answers;
mod display;
mod evaluation;
pub mod number;
mod scene;
mod sensing;
mod state;
pub mod triangles;
mod vehicle_look;
mod world;

pub use answers::*;
pub use display::{BrightnessBody, LightBody, OverlayBody, PanelBody, TrafficLightsResponse};
pub use evaluation::*;
use number::{angle, rounded, seconds};
pub use scene::*;
use schemars::JsonSchema;
pub use sensing::{CameraBody, LidarBody, ScanResponse, VehicleSpecBody};
use serde::Serialize;
pub use state::{EvaluationBody, JointsBody, ObjectPoses, OdomBody, RunBody, StateResponse};
pub use vehicle_look::*;
pub use world::*;

use crate::domain::snapshot::ClockReading;
use crate::domain::{Pose, Snapshot};

/// The part that `/status` and `/state` have in common.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunState<'a> {
    pub current: Option<&'a str>,
    pub epoch: u64,
    pub running: bool,
    pub switching: bool,
    pub transition: Option<&'static str>,
    /// Older pages wait for this before they open the live stream.
    pub websocket: bool,
}

impl<'a> RunState<'a> {
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            current: snapshot.world.as_ref().map(|world| world.as_str()),
            epoch: snapshot.epoch.0,
            running: snapshot.running(),
            switching: snapshot.transition.is_some(),
            transition: snapshot.transition.map(|transition| transition.as_str()),
            websocket: snapshot.running(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusResponse<'a> {
    #[serde(flatten)]
    pub run_state: RunState<'a>,
    pub assets_version: &'a str,
    pub version: &'a str,
    pub backend: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ClockResponse {
    pub sim_time: f64,
    pub real_time: f64,
    pub rtf: f64,
    pub paused: bool,
}

impl ClockResponse {
    pub fn of(clock: &ClockReading) -> Self {
        Self {
            sim_time: seconds(clock.sim_time),
            real_time: rounded(clock.real_time_s),
            rtf: rounded(clock.rtf),
            paused: clock.paused,
        }
    }
}

/// A pose with everything that clients want to read of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PoseBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub roll: f64,
    pub pitch: f64,
    pub yaw: f64,
    /// In the order x, y, z, w.
    pub q: [f64; 4],
}

impl PoseBody {
    pub fn of(pose: &Pose) -> Self {
        let is_rotation = pose.xyzw().iter().all(|part| part.is_finite());
        let shown = if is_rotation { *pose } else { Pose { position: pose.position, ..Pose::default() } };
        let (roll, pitch, yaw) = shown.roll_pitch_yaw();
        Self {
            x: rounded(shown.position.x),
            y: rounded(shown.position.y),
            z: rounded(shown.position.z),
            roll: angle(roll),
            pitch: angle(pitch),
            yaw: angle(yaw),
            q: shown.xyzw().map(rounded),
        }
    }
}

/// The vehicle, as in `/pose` and in `/state`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VehicleBody {
    #[serde(flatten)]
    pub pose: PoseBody,
    /// Along the heading; negative when it rolls backwards.
    pub speed: f64,
    /// Simulation time of the sample; the clock may be a few steps ahead of it.
    pub time: f64,
    pub seq: u64,
}

impl VehicleBody {
    /// None when there is no vehicle.
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let vehicle = snapshot.vehicle.as_ref()?;
        Some(Self {
            pose: PoseBody::of(&vehicle.pose),
            speed: rounded(vehicle.forward_speed_m_s()),
            time: seconds(snapshot.stamp),
            seq: snapshot.seq,
        })
    }
}
