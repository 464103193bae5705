//! Commands as a record keeps them, so that a run can be repeated.

use serde::{Deserialize, Serialize};

use crate::domain::{Command, DriveTarget, ModelName, PoseChange, WorldName};

/// One command of the simulator in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum RecordedCommand {
    SetPose {
        entity: String,
        #[serde(flatten)]
        to: Place,
    },
    MoveOver {
        entity: String,
        #[serde(flatten)]
        to: Place,
        duration_s: f64,
    },
    FollowPath {
        entity: String,
        path: Vec<[f64; 2]>,
        speed_m_s: f64,
        looped: bool,
    },
    Reset,
    LoadWorld {
        world: String,
        seed: u64,
    },
    Drive {
        speed_m_s: f64,
        steering_rad: f64,
        camera_pan_rad: f64,
        camera_tilt_rad: f64,
    },
    SetPaused {
        paused: bool,
    },
    SetRealTimeFactor {
        factor: f64,
    },
}

/// What is missing keeps its value.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Place {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
}

impl RecordedCommand {
    /// None for the commands that only the standard services of a simulator know, which nobody sends through the node, and for those
    /// that change only what the camera shows: the record has lights and brightness beside the commands.
    pub fn of(command: &Command) -> Option<Self> {
        Some(match command {
            Command::SetPose { entity, change } => Self::SetPose { entity: entity.to_string(), to: Place::of(change) },
            Command::MoveOver { entity, change, duration_s } => {
                Self::MoveOver { entity: entity.to_string(), to: Place::of(change), duration_s: *duration_s }
            }
            Command::FollowPath { entity, path, speed_m_s, looped } => Self::FollowPath {
                entity: entity.to_string(),
                path: path.clone(),
                speed_m_s: *speed_m_s,
                looped: *looped,
            },
            Command::Reset => Self::Reset,
            Command::LoadWorld { world, seed } => Self::LoadWorld { world: world.to_string(), seed: *seed },
            Command::Drive(target) => Self::Drive {
                speed_m_s: target.speed_m_s,
                steering_rad: target.steering_rad,
                camera_pan_rad: target.camera_pan_rad,
                camera_tilt_rad: target.camera_tilt_rad,
            },
            Command::SetPaused(paused) => Self::SetPaused { paused: *paused },
            Command::SetRealTimeFactor(factor) => Self::SetRealTimeFactor { factor: *factor },
            Command::SetState { .. } | Command::UnloadWorld | Command::SetLight { .. } | Command::SetBrightness(_) => {
                return None;
            }
        })
    }

    /// The command again; None when a name in it is no name.
    pub fn to_command(&self) -> Option<Command> {
        let entity = |name: &str| ModelName::parse(name).ok();
        Some(match self {
            Self::SetPose { entity: name, to } => Command::SetPose { entity: entity(name)?, change: to.change() },
            Self::MoveOver { entity: name, to, duration_s } => {
                Command::MoveOver { entity: entity(name)?, change: to.change(), duration_s: *duration_s }
            }
            Self::FollowPath { entity: name, path, speed_m_s, looped } => Command::FollowPath {
                entity: entity(name)?,
                path: path.clone(),
                speed_m_s: *speed_m_s,
                looped: *looped,
            },
            Self::Reset => Command::Reset,
            Self::LoadWorld { world, seed } => Command::LoadWorld { world: WorldName::parse(world).ok()?, seed: *seed },
            Self::Drive { speed_m_s, steering_rad, camera_pan_rad, camera_tilt_rad } => Command::Drive(DriveTarget {
                speed_m_s: *speed_m_s,
                steering_rad: *steering_rad,
                camera_pan_rad: *camera_pan_rad,
                camera_tilt_rad: *camera_tilt_rad,
            }),
            Self::SetPaused { paused } => Command::SetPaused(*paused),
            Self::SetRealTimeFactor { factor } => Command::SetRealTimeFactor(*factor),
        })
    }
}

impl Place {
    fn of(change: &PoseChange) -> Self {
        Self { x: change.x, y: change.y, z: change.z, yaw: change.yaw }
    }

    fn change(&self) -> PoseChange {
        PoseChange { x: self.x, y: self.y, z: self.z, yaw: self.yaw }
    }
}
