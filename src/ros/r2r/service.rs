//! Services: through the library's generated types, because it has no way to send a request as bytes.

use std::future::{Future, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use ::r2r::{ServiceRequest, WrappedTypesupport};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::task::AbortHandle;
use tokio_stream::wrappers::ReceiverStream;
use tracing::warn;

use crate::ros::r2r::spin::Spin;
use crate::ros::{Qos, Service, cdr};

/// How long to wait before asking for a server again, after `rcl` could not say.
const ASK_AGAIN: Duration = Duration::from_millis(100);

pub(in crate::ros) struct Caller<S: Service> {
    name: String,
    client: Arc<::r2r::Client<S::Ros>>,
    seen: Arc<AtomicBool>,
    watch: AbortHandle,
    _spin: Arc<Spin>,
}

impl<S: Service> Caller<S> {
    pub(super) fn new(name: String, client: ::r2r::Client<S::Ros>, spin: Arc<Spin>) -> Self {
        let (client, seen) = (Arc::new(client), Arc::new(AtomicBool::new(false)));
        let watch = tokio::spawn(watch::<S>(client.clone(), seen.clone())).abort_handle();
        Self { name, client, seen, watch, _spin: spin }
    }

    /// Sends at once; the future brings the answer, or nothing if the node is gone.
    pub(in crate::ros) fn send(
        &self,
        request: S::Request,
    ) -> Result<impl Future<Output = Option<S::Response>> + Send + use<S>, String> {
        let request: RosRequest<S> = to_ros(&request)?;
        let answer = self.client.request(&request).map_err(|err| err.to_string())?;
        let name = self.name.clone();
        Ok(async move {
            let answer: RosResponse<S> = answer.await.ok()?;
            from_ros(&answer).inspect_err(|reason| warn!(service = %name, %reason, "an answer could not be read")).ok()
        })
    }

    /// A server has been discovered. Once true it stays true: a server that died is noticed by the time limit.
    pub(in crate::ros) fn matched(&self) -> bool {
        self.seen.load(Relaxed)
    }
}

impl<S: Service> Drop for Caller<S> {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

async fn watch<S: Service>(client: Arc<::r2r::Client<S::Ros>>, seen: Arc<AtomicBool>) {
    while let Ok(available) = ::r2r::Node::is_available(&*client) {
        if available.await.is_ok() {
            seen.store(true, Relaxed);
            return;
        }
        tokio::time::sleep(ASK_AGAIN).await;
    }
}

pub(in crate::ros) struct Reply<S: Service> {
    request: ServiceRequest<S::Ros>,
    _spin: Arc<Spin>,
}

impl<S: Service> Reply<S> {
    pub(in crate::ros) fn send(self, response: S::Response) -> Result<(), String> {
        self.request.respond(to_ros(&response)?).map_err(|err| err.to_string())
    }
}

/// Holds as many requests as the quality of service says.
pub(super) fn requests<S: Service>(
    name: String,
    requests: impl Stream<Item = ServiceRequest<S::Ros>> + Unpin + Send + 'static,
    qos: Qos,
    spin: Arc<Spin>,
) -> BoxStream<'static, (S::Request, Reply<S>)> {
    let (sender, receiver) = mpsc::channel(usize::from(qos.depth).max(1));
    let service = name.clone();
    spin.pump(requests, move |request| match request.map(|request| sender.try_send(request)) {
        Some(Err(TrySendError::Full(_))) => {
            warn!(%service, "more requests than can wait; one of them gets no answer");
            true
        }
        Some(Err(TrySendError::Closed(_))) => false,
        Some(Ok(())) => true,
        None => !sender.is_closed(),
    });
    ReceiverStream::new(receiver)
        .filter_map(move |request: ServiceRequest<S::Ros>| {
            let content = from_ros(&request.message)
                .inspect_err(|reason| warn!(service = %name, %reason, "a request could not be read"));
            ready(content.ok().map(|content| (content, Reply { request, _spin: spin.clone() })))
        })
        .boxed()
}

type RosRequest<S> = <<S as crate::ros::r2r::ServiceType>::Ros as ::r2r::WrappedServiceTypeSupport>::Request;
type RosResponse<S> = <<S as crate::ros::r2r::ServiceType>::Ros as ::r2r::WrappedServiceTypeSupport>::Response;

fn to_ros<R: WrappedTypesupport>(ours: &impl Serialize) -> Result<R, String> {
    let bytes = cdr::to_vec(ours).map_err(|err| err.to_string())?;
    R::from_serialized_bytes(&bytes).map_err(|err| err.to_string())
}

fn from_ros<T: DeserializeOwned>(ros: &impl WrappedTypesupport) -> Result<T, String> {
    let bytes = ros.to_serialized_bytes().map_err(|err| err.to_string())?;
    cdr::from_slice(&bytes).map_err(|err| err.to_string())
}
