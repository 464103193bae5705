//! Plain values that every part shares: names, poses, simulation time, the vehicle, the live snapshot.
//!
//! Nothing here does IO, spawns anything, or knows ROS or JSON. Lengths are metres, angles radians (yaw counter-clockwise,
//! 0 = +x), times seconds unless a name says otherwise.

pub mod audio;
pub mod command;
pub mod contents;
pub mod display;
pub mod epoch;
pub mod evaluation;
pub mod light;
pub mod name;
pub mod number;
pub mod pose;
pub mod sensing;
pub mod sim_time;
pub mod snapshot;
pub mod vehicle;

pub use audio::{AudioAction, AudioEvent, Sound, SoundKind};
pub use command::{Command, EntityState, PoseChange, TakenDrive, WorldState};
pub use contents::WorldContents;
pub use display::{Brightness, Caption, Overlay};
pub use epoch::{Epoch, EpochCause};
pub use evaluation::{EvaluationSummary, Outcome, Phase, StudentRun};
pub use light::{Light, LightCommand, LightSpec, LightState, Panel};
pub use name::{ModelName, NameError, WorldName};
pub use number::rounded;
pub use pose::{Pose, Twist};
pub use sensing::{Picture, Scan};
pub use sim_time::{STEP_NANOS, STEPS_PER_SECOND, SimTime};
pub use snapshot::{Snapshot, Transition};
pub use vehicle::{DriveTarget, VehicleSpec};
