//! What a script can ask for: understood here, carried out by the bridge, refused with the words of the HTTP API.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::bridge::{BridgeError, BridgeHandle, Change};
use crate::domain::{Brightness, Caption, Command, LightCommand, PoseChange, Snapshot};
use crate::judge::protocol::Act;

/// An action that makes sense.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Of the vehicle, when there is no name.
    Place {
        model: Option<String>,
        motion: Motion,
    },
    Light {
        name: String,
        command: LightCommand,
    },
    Overlay(Caption),
    Brightness(Brightness),
    Pause(bool),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    At(PoseChange),
    Over { change: PoseChange, duration_s: f64 },
    Along { path: Vec<[f64; 2]>, speed_m_s: f64, looped: bool },
}

#[derive(Debug, Deserialize)]
struct Place {
    name: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
    yaw: Option<f64>,
    duration: Option<f64>,
    path: Option<Vec<[f64; 2]>>,
    speed: Option<f64>,
    #[serde(default, rename = "loop")]
    looped: bool,
}

#[derive(Debug, Deserialize)]
struct Overlay {
    text: String,
    secs: f64,
    size: f64,
}

#[derive(Debug, Deserialize)]
struct Light {
    name: String,
    state: String,
}

impl Action {
    /// The action, or why it cannot be meant.
    pub fn parse(act: Act) -> Result<Self, String> {
        let Act { action, fields } = act;
        match action.as_str() {
            "teleport" => Ok(Self::Place { model: None, motion: Motion::parse(read(fields)?)? }),
            "move_object" => {
                let place: Place = read(fields)?;
                let model = Some(place.name.clone().ok_or("name is missing")?);
                Ok(Self::Place { model, motion: Motion::parse(place)? })
            }
            "set_light" => {
                let Light { name, state } = read(fields)?;
                let command = match state.as_str() {
                    "green" => LightCommand::Green,
                    "red" => LightCommand::Red,
                    _ => return Err("the state of a light must be \"red\" or \"green\"".to_owned()),
                };
                Ok(Self::Light { name, command })
            }
            "overlay" => overlay(read(fields)?).map(Self::Overlay),
            "set_brightness" => {
                let (min, max) = (Brightness::RANGE.start(), Brightness::RANGE.end());
                let brightness = fields.get("value").and_then(Value::as_f64).and_then(Brightness::new);
                brightness.map(Self::Brightness).ok_or_else(|| format!("the brightness must be from {min} to {max}"))
            }
            "pause" => {
                let paused = fields.get("paused").and_then(Value::as_bool);
                paused.map(Self::Pause).ok_or_else(|| "paused must be true or false".to_owned())
            }
            unknown => Err(format!("there is no action {unknown}")),
        }
    }

    /// Done and in effect when this returns. A motion is then under way.
    pub async fn carry_out(self, bridge: &BridgeHandle) -> Result<(), BridgeError> {
        match self {
            Self::Place { model: None, motion: Motion::At(change) } => bridge.place_vehicle(change).await.map(|_| ()),
            Self::Place { model: Some(name), motion: Motion::At(change) } => {
                bridge.place_model(&name, change).await.map(|_| ())
            }
            Self::Place { model, motion } => {
                let entity = bridge.entity(model.as_deref())?;
                let command = match motion {
                    Motion::At(change) => Command::SetPose { entity, change },
                    Motion::Over { change, duration_s } => Command::MoveOver { entity, change, duration_s },
                    Motion::Along { path, speed_m_s, looped } => {
                        Command::FollowPath { entity, path, speed_m_s, looped }
                    }
                };
                bridge.change(Change::Apply { commands: vec![command], advance_steps: 0 }).await.map(|_| ())
            }
            Self::Light { name, command } => bridge.command_light(&name, command).await.map(|_| ()),
            Self::Overlay(caption) => bridge.show(caption).await.map(|_| ()),
            Self::Brightness(brightness) => bridge.set_brightness(brightness).await.map(|_| ()),
            Self::Pause(paused) => bridge.set_paused(paused).await.map(|_| ()),
        }
    }

    /// Whether an applied command is what this action asks for.
    pub fn explains(&self, command: &Command, snapshot: &Snapshot) -> bool {
        let is_entity = |model: &Option<String>, entity: &str| match model {
            Some(name) => name == entity,
            None => snapshot.vehicle.as_ref().is_some_and(|vehicle| vehicle.name.as_str() == entity),
        };
        match (self, command) {
            (
                Self::Place { model, .. },
                Command::SetPose { entity, .. } | Command::MoveOver { entity, .. } | Command::FollowPath { entity, .. },
            ) => is_entity(model, entity.as_str()),
            (Self::Pause(wanted), Command::SetPaused(paused)) => wanted == paused,
            _ => false,
        }
    }
}

impl Motion {
    fn parse(place: Place) -> Result<Self, String> {
        let change = PoseChange {
            x: place.x,
            y: place.y,
            z: place.z,
            yaw: place.yaw.map(|yaw| yaw.rem_euclid(std::f64::consts::TAU)),
        };
        if !change.is_in_range() {
            return Err("position out of range".to_owned());
        }
        match (place.path, place.speed, place.duration) {
            (Some(path), Some(speed_m_s), _) => Ok(Self::Along { path, speed_m_s, looped: place.looped }),
            (Some(_), None, _) => Err("a path needs a speed".to_owned()),
            (None, _, Some(duration_s)) => Ok(Self::Over { change, duration_s }),
            (None, _, None) => Ok(Self::At(change)),
        }
    }
}

fn overlay(Overlay { text, secs, size }: Overlay) -> Result<Caption, String> {
    if text.chars().count() > Caption::MAX_CHARS {
        return Err(format!("the text may have at most {} characters", Caption::MAX_CHARS));
    }
    for (name, value, range) in [("ttl", secs, Caption::TTL_RANGE_S), ("size", size, Caption::SIZE_RANGE)] {
        if !range.contains(&value) {
            return Err(format!("{name} must be from {} to {}", range.start(), range.end()));
        }
    }
    Ok(Caption { text, ttl: Duration::from_secs_f64(secs), size })
}

fn read<T: for<'a> Deserialize<'a>>(fields: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(fields)).map_err(|err| err.to_string())
}
