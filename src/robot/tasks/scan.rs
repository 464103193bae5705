//! `/scan` to `/scan_filtered`.

use std::sync::Arc;

use futures::StreamExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::convert;
use super::times::Times;
use crate::robot::scan_filter::{self, RangeScan};
use crate::ros::{Node, RosError, topics};

/// The newest filtered scan; none before the first.
pub type NewestScan = watch::Receiver<Option<Arc<RangeScan>>>;

/// Opens the topics; the future filters.
pub fn open(
    node: &Node,
    times: Times,
    shutdown: CancellationToken,
) -> Result<(NewestScan, impl Future<Output = ()> + Send + use<>), RosError> {
    let mut raw = node.subscriber(&topics::SCAN)?;
    let publisher = node.publisher(&topics::SCAN_FILTERED)?;
    let (sender, newest) = watch::channel(None);
    let run = async move {
        loop {
            let mut message = tokio::select! {
                () = shutdown.cancelled() => return,
                Some(message) = raw.next() => message,
            };
            let mut scan = convert::range_scan(&mut message);
            if !times.is_current(scan.stamp) {
                continue;
            }
            scan_filter::filter(&mut scan);
            message.ranges.clone_from(&scan.ranges_m);
            sender.send_replace(Some(Arc::new(scan)));
            publisher.publish(message);
        }
    };
    Ok((newest, run))
}
