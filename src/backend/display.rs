//! What the node's latched topics say about lights and brightness, carried to the simulation. A simulator that starts late, and the
//! camera of one that was restarted, learn the present state this way; a change that must be confirmed comes as a command.

use std::future::Future;

use futures::StreamExt;
use tracing::warn;

use crate::backend::simulation::{Shown, SimulationHandle};
use crate::backend::wire;
use crate::ros::{Node, RosError, topics};

/// Opens the topics; the future follows them until the node is gone.
pub(super) fn follow(
    node: &Node,
    simulation: SimulationHandle,
) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let mut lights = node.subscriber(&topics::TRAFFIC_LIGHTS)?;
    let mut brightness = node.subscriber(&topics::BRIGHTNESS)?;
    Ok(async move {
        loop {
            tokio::select! {
                Some(message) = lights.next() => {
                    simulation.show(Shown::Lights(wire::light_states(&message))).await;
                }
                Some(message) = brightness.next() => match wire::brightness(message.data.into()) {
                    Ok(brightness) => simulation.show(Shown::Brightness(brightness)).await,
                    Err(refusal) => warn!(%refusal, "a brightness from the topic is not used"),
                },
                else => return,
            }
        }
    })
}
