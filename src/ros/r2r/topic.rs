//! Topics as bytes: the library's own types are not involved, so that what is published is our struct and nothing else.

use std::future::ready;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::r2r::PublisherUntyped;
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;
use tracing::warn;

use crate::ros::r2r::spin::Spin;
use crate::ros::{Message, Qos, cdr};

/// As `rcl` names the type.
pub(super) fn type_name<M: Message>() -> String {
    format!("{}/msg/{}", M::PACKAGE, M::NAME)
}

pub(in crate::ros) struct Writer<M: Message> {
    /// The library's publisher may change threads, but not be used by two at a time.
    publisher: Mutex<PublisherUntyped>,
    spin: Arc<Spin>,
    message: PhantomData<fn(M)>,
}

impl<M: Message> Writer<M> {
    pub(super) fn new(publisher: PublisherUntyped, spin: Arc<Spin>) -> Self {
        Self { publisher: Mutex::new(publisher), spin, message: PhantomData }
    }

    pub(in crate::ros) fn write(&self, message: M) -> Result<(), String> {
        let bytes = cdr::to_vec(&message).map_err(|err| err.to_string())?;
        self.publisher().publish_raw(&bytes).map_err(|err| err.to_string())
    }

    /// None when the node is gone.
    pub(in crate::ros) fn matched(&self) -> usize {
        self.publisher().get_inter_process_subscription_count().unwrap_or(0)
    }

    fn publisher(&self) -> MutexGuard<'_, PublisherUntyped> {
        self.publisher.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: Message> Drop for Writer<M> {
    fn drop(&mut self) {
        let publisher = self.publisher().clone();
        self.spin.tell(move |node| node.destroy_publisher_untyped(publisher));
    }
}

/// Holds as many samples as the quality of service says (rounded up to a power of two), and drops the oldest.
pub(super) fn stream<M: Message>(
    name: String,
    samples: impl Stream<Item = Vec<u8>> + Unpin + Send + 'static,
    qos: Qos,
    spin: Arc<Spin>,
) -> BoxStream<'static, M> {
    let (sender, receiver) = broadcast::channel::<Bytes>(usize::from(qos.depth).max(1));
    spin.pump(samples, move |sample| match sample {
        Some(sample) => sender.send(sample.into()).is_ok(),
        None => sender.receiver_count() > 0,
    });
    BroadcastStream::new(receiver)
        .filter_map(move |sample| {
            // The node stays as long as its ends do.
            let _spin = &spin;
            // An error here says only how many older samples were dropped.
            ready(sample.ok().and_then(|sample| read(&name, &sample)))
        })
        .boxed()
}

fn read<M: Message>(name: &str, sample: &[u8]) -> Option<M> {
    // Somebody publishes something else under this name; the next sample may be right again.
    cdr::from_slice(sample).inspect_err(|err| warn!(topic = %name, %err, "a sample could not be read")).ok()
}
