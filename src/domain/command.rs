//! What a simulator can be asked to change, and what it answers.

use crate::domain::{Brightness, DriveTarget, Epoch, LightState, ModelName, Pose, SimTime, Twist, WorldName};

/// One change of the world. All commands of one request take hold between the same two steps, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Stands the entity upright at the changed pose, without velocity.
    SetPose {
        entity: ModelName,
        change: PoseChange,
    },
    /// Puts the entity exactly there, also tilted or in the air, moving with this velocity. What is missing stays as it is.
    SetState {
        entity: ModelName,
        pose: Option<Pose>,
        twist: Option<Twist>,
    },
    /// Moves it there smoothly over this much simulation time.
    MoveOver {
        entity: ModelName,
        change: PoseChange,
        duration_s: f64,
    },
    /// Moves it along the points at this speed, facing along the path.
    FollowPath {
        entity: ModelName,
        path: Vec<[f64; 2]>,
        speed_m_s: f64,
        looped: bool,
    },
    /// Everything back to where the world file has it.
    Reset,
    /// Builds this world beside the present one and swaps it in.
    LoadWorld {
        world: WorldName,
        seed: u64,
    },
    /// What a traffic light shows.
    SetLight {
        light: ModelName,
        state: LightState,
    },
    /// How bright the camera sees the world.
    SetBrightness(Brightness),
    Drive(DriveTarget),
    SetPaused(bool),
    /// 0 runs as fast as the machine can.
    SetRealTimeFactor(f64),
    /// Leaves the simulator without a world.
    UnloadWorld,
}

/// A pose with holes: what is `None` keeps the value it has when the command takes hold.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PoseChange {
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
    pub yaw: Option<f64>,
}

impl PoseChange {
    /// Beyond this many metres from the origin, sideways, nothing can be placed.
    pub const MAX_XY_M: f64 = 100.0;
    /// How deep and how high something can be put, in metres.
    pub const HEIGHTS_M: std::ops::RangeInclusive<f64> = -10.0..=100.0;

    /// Whether it is a place where something can be put.
    pub fn is_in_range(&self) -> bool {
        [self.x, self.y].into_iter().flatten().all(|value| value.abs() <= Self::MAX_XY_M)
            && self.z.is_none_or(|z| Self::HEIGHTS_M.contains(&z))
    }
}

/// Where one entity is.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityState {
    pub name: ModelName,
    pub pose: Pose,
    pub twist: Twist,
}

impl EntityState {
    /// Along its heading; negative when it rolls backwards.
    pub fn forward_speed_m_s(&self) -> f64 {
        self.twist.linear.dot(&(self.pose.orientation * nalgebra::Vector3::x()))
    }
}

/// A drive that the simulator has taken from the robot, or the stop when none came any more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakenDrive {
    /// The last step before it took hold.
    pub step: u64,
    /// Of the state that it took hold in.
    pub revision: u64,
    pub stamp: SimTime,
    pub epoch: Epoch,
    pub target: DriveTarget,
}

/// Where everything is at one moment, as the simulator says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorldState {
    /// Counted from the first start of the data folder, like the time.
    pub step: u64,
    /// Raised by every step and every applied command.
    pub revision: u64,
    pub stamp: SimTime,
    pub epoch: Epoch,
    /// In the order of the world file.
    pub entities: Vec<EntityState>,
}
