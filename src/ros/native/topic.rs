//! Topics: a writer that does not wait, and a reader as a stream.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use ros2_client::{Publisher, Subscription};
use tracing::warn;

use crate::ros::Message;
use crate::ros::native::graph::Graph;

pub(in crate::ros) struct Writer<M: Message> {
    publisher: Publisher<M>,
    graph: Arc<Graph>,
}

impl<M: Message> Writer<M> {
    pub(super) fn new(publisher: Publisher<M>, graph: Arc<Graph>) -> Self {
        Self { publisher, graph }
    }

    pub(in crate::ros) fn write(&self, message: M) -> Result<(), String> {
        self.publisher.publish(message).map_err(|err| err.to_string())
    }

    pub(in crate::ros) fn matched(&self) -> usize {
        self.graph.readers_of(self.publisher.guid())
    }
}

/// The samples stay in the middleware's bounded history until they are asked for, so a slow reader loses the oldest.
pub(super) fn stream<M: Message>(name: String, subscription: Subscription<M>) -> BoxStream<'static, M> {
    stream::unfold((name, subscription), |(name, subscription)| async move {
        loop {
            match subscription.async_take().await {
                Ok((message, _)) => return Some((message, (name, subscription))),
                // Somebody publishes something else under this name; the next sample may be right again.
                Err(err) => warn!(topic = %name, %err, "a sample could not be read"),
            }
        }
    })
    .boxed()
}
