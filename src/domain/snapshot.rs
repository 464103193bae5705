//! The live state as the node knows it: one immutable value, replaced as a whole.

use std::sync::Arc;

use crate::domain::{
    Brightness, EntityState, Epoch, EpochCause, EvaluationSummary, Light, ModelName, Overlay, SimTime, Sound,
    StudentRun, WorldContents, WorldName,
};

/// A world change under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    Loading,
    Switching,
    Respawning,
}

impl Transition {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Switching => "switching",
            Self::Respawning => "respawning",
        }
    }
}

/// Where the robot believes it is: the newest `/odom`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odometry {
    pub x: f64,
    pub y: f64,
    pub yaw: f64,
    pub speed_m_s: f64,
    pub stamp: SimTime,
}

/// How the vehicle's joints stand: the newest `/joint_states`. Wheels count on over full turns; forward is positive, so are left
/// and up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joints {
    pub stamp: SimTime,
    pub front_left_wheel_rad: f64,
    pub front_right_wheel_rad: f64,
    pub rear_left_wheel_rad: f64,
    pub rear_right_wheel_rad: f64,
    pub front_left_steering_rad: f64,
    pub front_right_steering_rad: f64,
    pub camera_pan_rad: f64,
    pub camera_tilt_rad: f64,
}

/// The simulator's clock as last heard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockReading {
    pub sim_time: SimTime,
    /// Wall seconds since the simulator started.
    pub real_time_s: f64,
    pub rtf: f64,
    pub paused: bool,
}

/// Everything that changes at run time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snapshot {
    /// The simulator process answers (silence of 500 ms counts as death).
    pub simulator_alive: bool,
    pub transition: Option<Transition>,
    /// The world that is loaded; kept when the simulator dies, so that people see what was running.
    pub world: Option<WorldName>,
    /// The 32-digit ID of a published world.
    pub world_id: Option<String>,
    pub epoch: Epoch,
    /// The newest epoch whose beginning was heard of with its cause; it may be older than `epoch` for a moment.
    pub began: Option<(Epoch, EpochCause)>,
    /// Raised by every step and every applied command; never falls.
    pub seq: u64,
    /// Simulation time of the newest state; the clock may be a few steps ahead of it.
    pub stamp: SimTime,
    /// The simulator's own number of that state.
    pub revision: u64,
    /// None before the first tick.
    pub clock: Option<ClockReading>,
    pub vehicle: Option<EntityState>,
    /// Everything movable but the vehicle, in the order of the world file.
    pub objects: Vec<EntityState>,
    /// Marked models that the vehicle touches.
    pub contacts: Vec<ModelName>,
    pub odom: Option<Odometry>,
    /// None before the first reading of the epoch, and where the simulator gives none.
    pub joints: Option<Joints>,
    /// The world's traffic lights, by name.
    pub lights: Vec<Light>,
    pub brightness: Brightness,
    pub overlay: Overlay,
    pub run: StudentRun,
    /// None before the first session.
    pub evaluation: Option<EvaluationSummary>,
    /// What the robot's speaker plays, in the order of its beginning.
    pub playing: Vec<Sound>,
    /// What the loaded world's files say.
    pub contents: Arc<WorldContents>,
}

impl Snapshot {
    /// A world is loaded, the vehicle stands in it and the simulator answers.
    pub fn running(&self) -> bool {
        self.simulator_alive && self.world.is_some() && self.vehicle.is_some()
    }

    pub fn paused(&self) -> bool {
        self.clock.is_some_and(|clock| clock.paused)
    }

    /// Writes are possible now.
    pub fn ready(&self) -> bool {
        self.running() && self.transition.is_none()
    }
}
