//! Services: a caller whose calls may overlap, and a server as a stream of requests.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use ros2_client::dds::rustdds::DomainParticipant;
use ros2_client::request_id::RmwRequestId;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tracing::warn;

use crate::ros::Service;
use crate::ros::native::replies::{Drain, Replies};

/// Lets any serde struct through the library's marker trait.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Wire<T>(T);

impl<T: Serialize + serde::de::DeserializeOwned> ros2_client::Message for Wire<T> {}

type WireClient<S> = ros2_client::Client<Wire<<S as Service>::Request>, Wire<<S as Service>::Response>>;
type WireServer<S> = ros2_client::Server<Wire<<S as Service>::Request>, Wire<<S as Service>::Response>>;

pub(in crate::ros) struct Caller<S: Service> {
    shared: Arc<Shared<S>>,
    participant: DomainParticipant,
    request_topic: String,
    reply_topic: String,
    seen: AtomicBool,
}

struct Shared<S: Service> {
    client: WireClient<S>,
    waiting: Mutex<BTreeMap<RmwRequestId, oneshot::Sender<S::Response>>>,
}

impl<S: Service> Shared<S> {
    fn waiting(&self) -> MutexGuard<'_, BTreeMap<RmwRequestId, oneshot::Sender<S::Response>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a call that is no longer waited for, however its future ends.
struct Call<S: Service> {
    shared: Arc<Shared<S>>,
    id: RmwRequestId,
}

impl<S: Service> Drop for Call<S> {
    fn drop(&mut self) {
        self.shared.waiting().remove(&self.id);
    }
}

impl<S: Service> Caller<S> {
    pub(super) fn new(
        name: &str,
        mut client: WireClient<S>,
        replies: &Replies,
        participant: DomainParticipant,
    ) -> std::io::Result<Self> {
        let token = replies.register(&mut client)?;
        let shared = Arc::new(Shared { client, waiting: Mutex::default() });
        let drain: Arc<dyn Drain> = shared.clone();
        replies.serve(token, Arc::downgrade(&drain));
        Ok(Self {
            shared,
            participant,
            request_topic: format!("rq{name}Request"),
            reply_topic: format!("rr{name}Reply"),
            seen: AtomicBool::new(false),
        })
    }

    /// Sends at once; the future brings the answer, or nothing if the node is gone.
    pub(in crate::ros) fn send(
        &self,
        request: S::Request,
    ) -> Result<impl Future<Output = Option<S::Response>> + Send + use<S>, String> {
        let (sender, receiver) = oneshot::channel();
        // The lock is taken before sending: the answer could arrive before the call is noted.
        let mut waiting = self.shared.waiting();
        let id = self.shared.client.send_request(Wire(request)).map_err(|err| err.to_string())?;
        waiting.insert(id, sender);
        drop(waiting);
        let call = Call { shared: self.shared.clone(), id };
        Ok(async move {
            let answer = receiver.await.ok();
            drop(call);
            answer
        })
    }

    /// Both directions have been discovered. Once true it stays true: a server that died is noticed by the time limit.
    pub(in crate::ros) fn matched(&self) -> bool {
        if self.seen.load(Relaxed) {
            return true;
        }
        let readers = self.participant.discovered_readers();
        let writers = self.participant.discovered_writers();
        let found = readers.iter().any(|r| r.subscription_topic_data.topic_name == self.request_topic)
            && writers.iter().any(|w| w.publication_topic_data.topic_name == self.reply_topic);
        if found {
            self.seen.store(true, Relaxed);
        }
        found
    }
}

impl<S: Service> Drain for Shared<S> {
    fn drain(&self) {
        loop {
            match self.client.receive_response() {
                Ok(None) => return,
                Ok(Some((id, Wire(response)))) => {
                    // Answers to other people's calls arrive here as well.
                    if let Some(sender) = self.waiting().remove(&id) {
                        let _ = sender.send(response);
                    }
                }
                Err(err) => warn!(%err, service = S::NAME, "an answer could not be read"),
            }
        }
    }
}

pub(in crate::ros) struct Reply<S: Service> {
    server: Arc<WireServer<S>>,
    id: RmwRequestId,
}

impl<S: Service> Reply<S> {
    pub(in crate::ros) fn send(self, response: S::Response) -> Result<(), String> {
        self.server.send_response(self.id, Wire(response)).map_err(|err| err.to_string())
    }
}

pub(super) fn requests<S: Service>(name: String, server: WireServer<S>) -> BoxStream<'static, (S::Request, Reply<S>)> {
    stream::unfold((name, Arc::new(server)), |(name, server)| async move {
        loop {
            match server.async_receive_request().await {
                Ok((id, Wire(request))) => {
                    let reply = Reply { server: server.clone(), id };
                    return Some(((request, reply), (name, server)));
                }
                Err(err) => warn!(service = %name, %err, "a request could not be read"),
            }
        }
    })
    .boxed()
}
