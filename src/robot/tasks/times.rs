//! Hears the clock and the epochs once for all tasks.

use futures::StreamExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::domain::{EpochCause, SimTime};
use crate::ros::{Node, RosError, topics};

/// The newest epoch, and the newest one that began with a fresh world: two may come at once, and none may hide the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Epochs {
    pub number: u64,
    pub first_stamp: SimTime,
    pub fresh: Option<(u64, SimTime)>,
}

/// What the other tasks follow.
#[derive(Debug, Clone)]
pub struct Times {
    pub clock: watch::Receiver<SimTime>,
    pub epochs: watch::Receiver<Epochs>,
}

impl Times {
    /// Whether data with this stamp is of the present epoch.
    pub fn is_current(&self, stamp: SimTime) -> bool {
        stamp >= self.epochs.borrow().first_stamp
    }
}

/// Opens the subscriptions; the future feeds the others.
pub fn open(
    node: &Node,
    shutdown: CancellationToken,
) -> Result<(Times, impl Future<Output = ()> + Send + use<>), RosError> {
    let mut ticks = node.subscriber(&topics::CLOCK)?;
    let mut announced = node.subscriber(&topics::EPOCH)?;
    let (clock_sender, clock) = watch::channel(SimTime::ZERO);
    let (epoch_sender, epochs) = watch::channel(Epochs::default());
    let run = async move {
        loop {
            tokio::select! {
                // What begins is known before time goes on in it.
                biased;
                () = shutdown.cancelled() => return,
                Some(epoch) = announced.next() => epoch_sender.send_modify(|epochs| {
                    let first_stamp = epoch.first_stamp.into();
                    let fresh = if is_fresh(&epoch.cause) { Some((epoch.number, first_stamp)) } else { epochs.fresh };
                    *epochs = Epochs { number: epoch.number, first_stamp, fresh };
                }),
                Some(tick) = ticks.next() => {
                    clock_sender.send_replace(tick.clock.into());
                }
            }
        }
    };
    Ok((Times { clock, epochs }, run))
}

/// Whether everything is new. After a reset the world is the same and only things in it were put back; nobody tells the car.
fn is_fresh(cause: &str) -> bool {
    [EpochCause::Respawn, EpochCause::Switch, EpochCause::Restart].iter().any(|fresh| fresh.as_str() == cause)
}
