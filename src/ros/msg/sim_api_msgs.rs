//! Package `sim_api_msgs`: our own messages.
//!
//! The files under `msg/` define them and explain every field; a test compares each file with its struct here. A type is only named
//! on the wire through the list at the end of this file, and [`visit`] walks that same list, so none can escape the test.

use serde::{Deserialize, Serialize};

use super::{
    builtin_interfaces::Time,
    bytes,
    geometry_msgs::{Pose, Twist},
};
use crate::ros::{Message, Service, message, service};

mod apply;

pub use apply::{ApplyRequest, ApplyResponse, Command};

/// The constants of a definition: as associated constants, and as the list `CONSTANTS` for the test that compares them.
macro_rules! constants {
    ($type:ident { $($(#[$doc:meta])* $name:ident = $value:literal),+ $(,)? }) => {
        impl $type {
            $($(#[$doc])* pub const $name: u8 = $value;)+
            /// Every constant of the definition, by name.
            pub const CONSTANTS: &'static [(&'static str, u8)] = &[$((stringify!($name), $value)),+];
        }
    };
}
use constants;

/// The true states of everything that can move.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EntityStates {
    pub stamp: Time,
    pub step: u64,
    pub revision: u64,
    pub epoch: u64,
    pub names: Vec<String>,
    pub poses: Vec<Pose>,
    pub twists: Vec<Twist>,
}

/// How the simulator is; its silence means that it is gone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SimStatus {
    pub sim_time: Time,
    pub real_time: f64,
    pub rtf: f64,
    pub paused: bool,
    pub step: u64,
    pub revision: u64,
    pub epoch: u64,
    pub world: String,
    pub state: u8,
    pub vehicle: String,
}

constants!(SimStatus { STATE_NO_WORLD = 0, STATE_LOADING = 1, STATE_READY = 2 });

/// The world was set anew.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Epoch {
    pub number: u64,
    pub cause: String,
    pub first_stamp: Time,
}

/// Which marked models the vehicle touches.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Contacts {
    pub stamp: Time,
    pub epoch: u64,
    pub names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrafficLight {
    pub name: String,
    pub state: String,
    pub red_at: Time,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrafficLights {
    pub lights: Vec<TrafficLight>,
}

/// The evaluation that runs, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EvaluationStatus {
    pub active: bool,
    pub session_id: String,
    pub phase: String,
    pub outcome: String,
    pub record: String,
}

/// What the actuators are to aim for.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Drive {
    pub stamp: Time,
    pub speed: f64,
    pub steering: f64,
    pub pan: f64,
    pub tilt: f64,
}

/// A drive that the simulator has taken.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct TakenDrive {
    pub step: u64,
    pub revision: u64,
    pub epoch: u64,
    pub drive: Drive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DrivesRequest {
    pub known: u64,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DrivesResponse {
    pub count: u64,
    pub drives: Vec<TakenDrive>,
}

/// What the robot's speaker is to do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AudioEvent {
    pub kind: u8,
    pub id: String,
    pub url: String,
    #[serde(with = "bytes")]
    pub data: Vec<u8>,
    pub sample_rate: u32,
    pub channels: u8,
    pub volume: f32,
}

constants!(AudioEvent { PLAY = 1, CHUNK = 2, STOP = 3, VOLUME = 4 });

/// Somebody who wants to see every type of this package once.
pub trait Visitor {
    fn message<M: Message>(&mut self);
    fn service<S: Service>(&mut self);
}

macro_rules! package {
    (messages: $($message:ident),+; services: $($(#[$doc:meta])* $service:ident($request:ident) -> $response:ident),+;) => {
        message!("sim_api_msgs", $($message),+);
        service!("sim_api_msgs", $($(#[$doc])* $service($request) -> $response),+);

        /// Shows the visitor every message and every service of this package.
        pub fn visit(visitor: &mut impl Visitor) {
            $(visitor.message::<$message>();)+
            $(visitor.service::<$service>();)+
        }
    };
}

package! {
    messages:
        AudioEvent, Command, Contacts, Drive, EntityStates, Epoch, EvaluationStatus, SimStatus, TakenDrive,
        TrafficLight, TrafficLights;
    services:
        /// Changes the world, and perhaps advances it.
        Apply(ApplyRequest) -> ApplyResponse,
        /// Which drives the simulator has taken.
        Drives(DrivesRequest) -> DrivesResponse;
}
