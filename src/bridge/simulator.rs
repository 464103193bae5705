//! The simulator as the owner of the live state sees it: it brings news and carries out orders.
//!
//! There are two ways in. Our own simulator publishes its states and takes all commands of an order at once (`apply`). Any other
//! that offers the services of the ROS standard is asked for its states again and again, and an order is carried out command by
//! command (`standard`). The owner does not know which of the two it has.

mod apply;
mod standard;

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;

use crate::bridge::error::BridgeError;
use crate::bridge::live::Status;
use crate::domain::{Command, Epoch, EpochCause, ModelName, TakenDrive, WorldName, WorldState};
use crate::ros::{Node, RosError};

/// An order is begun within this time or never, and a simulator that is silent or was started anew since is not waited for any
/// longer. Every request is answered within 3 s of its own work; the rest of that belongs to the machine.
const WRITE_LIMIT: Duration = Duration::from_millis(2000);
/// The longest that a living simulator may take for one step when it is asked for many.
const STEP_LIMIT: Duration = Duration::from_millis(5);

/// How the bridge reaches the simulator.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum WayIn {
    /// Our own, through `sim_backend/apply` and its topics.
    #[default]
    Apply,
    /// Another one, through the services of `simulation_interfaces`.
    Standard(StandardOptions),
}

/// What the bridge must be told of a simulator that somebody else has started.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardOptions {
    /// Under which its services are found, such as `/gzserver`.
    pub prefix: String,
    /// Which of its entities is the vehicle.
    pub vehicle: ModelName,
    /// The world it runs, if it does not say so itself.
    pub world: WorldName,
}

/// Something that the simulator said.
#[derive(Debug)]
pub(super) enum News {
    Status(Status),
    States(WorldState),
    Epoch(Epoch, Option<EpochCause>),
    Contacts(Epoch, Vec<ModelName>),
}

/// What the simulator is asked for: commands, then whole steps. Without either it only tells where everything is.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) commands: Vec<Command>,
    pub(super) advance_steps: u32,
}

impl Order {
    pub(super) fn loads(&self) -> bool {
        self.commands.iter().any(|command| matches!(command, Command::LoadWorld { .. }))
    }
}

/// What a simulator knows of the drives that it has taken.
#[derive(Debug)]
pub(super) struct TakenDrives {
    /// How many there have been.
    pub(super) count: u64,
    /// The newest of them, oldest first.
    pub(super) drives: Vec<TakenDrive>,
}

pub(super) trait Simulator: Send + Sync {
    /// A simulator that says nothing for this long counts as dead.
    fn patience(&self) -> Duration;

    /// Answers when the order is in effect, with the state right after it. `silence` is cancelled when the simulator falls
    /// silent.
    fn carry_out<'a>(
        &'a self,
        order: &'a Order,
        silence: CancellationToken,
    ) -> BoxFuture<'a, Result<WorldState, BridgeError>>;

    /// Which drives it has taken from the robot, without the first so many.
    fn drives(&self, known: u64) -> BoxFuture<'_, Result<TakenDrives, BridgeError>>;
}

/// The simulator and everything it will say.
type Opened = (Box<dyn Simulator>, BoxStream<'static, News>);

pub(super) fn open(node: &Node, way_in: WayIn) -> Result<Opened, RosError> {
    match way_in {
        WayIn::Apply => apply::open(node),
        WayIn::Standard(options) => standard::open(node, options),
    }
}
