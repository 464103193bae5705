//! The node's side of the simulator: one task owns the live state, everybody else reads snapshots of it.
//!
//! The task is fed by the simulator's topics and by the answers to its own requests. An answer is folded in before it is passed
//! on, and older states are dropped, so that whoever changed something reads the change. Reads never wait for the simulator.
//! What belongs to no simulator lives here as well: traffic lights, brightness and the text over the picture.

pub mod audio;
pub mod catalogue;
pub mod change;
pub mod diagnostics;
mod error;
pub mod handle;
pub mod lights;
pub mod live;
mod outbox;
mod owner;
pub mod policy;
pub mod saved;
pub mod sensors;
mod simulator;
mod speaker;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub use audio::{AudioEvents, Heard};
pub use catalogue::{NoCatalogue, WorldCatalogue};
pub use change::{Applied, Change, Done, Placed, Reset, Write};
pub use error::BridgeError;
pub use handle::{BridgeHandle, OwnerEnd, channel};
pub use lights::LightError;
pub use sensors::Camera;
pub use simulator::{StandardOptions, WayIn};

use crate::bridge::saved::Saved;
use crate::ros::{Node, RosError};

/// What the bridge is told once.
#[derive(Debug, Clone)]
pub struct BridgeOptions {
    /// Where brightness and lights are kept.
    pub data: PathBuf,
    /// Of the noise in a world that is loaded.
    pub seed: u64,
    pub catalogue: Arc<dyn WorldCatalogue>,
    pub way_in: WayIn,
}

/// Follows the simulator and carries out changes until the token is cancelled.
pub async fn run(
    node: &Node,
    mut end: OwnerEnd,
    options: BridgeOptions,
    shutdown: CancellationToken,
) -> Result<(), RosError> {
    let saved = Saved::read(&options.data);
    let (keeper, keeping) = saved::keeper(options.data.clone(), saved.clone());
    let sensors = end.take_sensors().expect("nobody has taken them from this end");
    // Whichever part fails takes the others with it.
    let all_end = shutdown.child_token();
    let owning = async {
        let _ends_all = all_end.clone().drop_guard();
        owner::run(node, end, options, saved, keeper, all_end.clone()).await
    };
    let sensing = async {
        let _ends_all = all_end.clone().drop_guard();
        sensors.run(node, all_end.clone()).await
    };
    let (owned, sensed, ()) = tokio::join!(owning, sensing, keeping.run());
    owned.and(sensed)
}
