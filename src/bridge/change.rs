//! What can be changed through the bridge, and what comes back.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::bridge::error::BridgeError;
use crate::domain::{
    Brightness, Caption, Command, Epoch, EvaluationSummary, LightCommand, ModelName, Pose, SimTime, Snapshot,
    StudentRun, WorldName, WorldState,
};

/// A change that somebody asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Commands that take hold together, then whole steps, which only a paused simulation can be asked for.
    Apply {
        commands: Vec<Command>,
        advance_steps: u32,
    },
    /// A world loaded anew; None is the present one.
    Load {
        world: Option<WorldName>,
    },
    /// What a driver would tell the robot; what is not given is not said.
    Drive {
        speed_m_s: Option<f64>,
        steering_rad: Option<f64>,
    },
    Light {
        name: String,
        command: LightCommand,
    },
    Brightness(Brightness),
    Caption(Caption),
    /// To be told, as applied, which drives the simulator has taken from the robot since the last time.
    Drives,
    /// How the evaluation is going.
    Evaluation {
        run: StudentRun,
        session: EvaluationSummary,
    },
}

impl Change {
    pub(super) fn command(command: Command) -> Self {
        Self::Apply { commands: vec![command], advance_steps: 0 }
    }
}

/// A change that is in effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// Published, and at least as new as the change.
    pub snapshot: Arc<Snapshot>,
    /// What the simulator answered, for changes that it made: the state right after them.
    pub state: WorldState,
}

/// Commands that the simulator has carried out, whoever asked for them.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub commands: Vec<Command>,
    /// The last step before they took hold.
    pub step: u64,
    /// Of the state that they took hold in.
    pub revision: u64,
    pub epoch: Epoch,
    /// Not asked for by a request: a drive of the robot, or its end.
    pub by_topic: bool,
}

/// A change on its way to the task that owns the live state.
#[derive(Debug)]
pub struct Write {
    pub change: Change,
    pub reply: oneshot::Sender<Result<Done, BridgeError>>,
}

/// The vehicle or a model stands where it was asked to stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub pose: Pose,
    pub stamp: SimTime,
    pub seq: u64,
    pub epoch: Epoch,
    pub is_light: bool,
}

/// Everything stands where the world file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reset {
    /// The vehicle is the last.
    pub names: Vec<ModelName>,
    pub epoch: Epoch,
}
