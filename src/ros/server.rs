//! Serving a service: a stream of requests, each with the means to answer it.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::Stream;
use futures::stream::BoxStream;
use tracing::warn;

use crate::ros::{Service, half};

/// The requests to one service, in the order of their arrival.
pub struct Server<S: Service> {
    requests: BoxStream<'static, (S::Request, Responder<S>)>,
}

/// Answers one request; may be kept and used from another task. Dropped unused, the caller runs into its time limit.
pub struct Responder<S: Service> {
    name: String,
    reply: half::Reply<S>,
}

impl<S: Service> Server<S> {
    pub(super) fn new(requests: BoxStream<'static, (S::Request, Responder<S>)>) -> Self {
        Self { requests }
    }
}

impl<S: Service> Stream for Server<S> {
    type Item = (S::Request, Responder<S>);

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.requests.as_mut().poll_next(cx)
    }
}

impl<S: Service> Responder<S> {
    pub(super) fn new(name: String, reply: half::Reply<S>) -> Self {
        Self { name, reply }
    }

    pub fn respond(self, response: S::Response) {
        if let Err(reason) = self.reply.send(response) {
            warn!(service = %self.name, %reason, "an answer could not be sent");
        }
    }
}
