//! Who is matched with whom, followed from the participant's own status events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;
use ros2_client::dds::rustdds::{DomainParticipant, DomainParticipantStatusEvent, GUID, StatusEvented};
use tokio::task::AbortHandle;

/// For each local writer the remote readers it is matched with.
pub(super) struct Graph {
    readers_of: Mutex<BTreeMap<GUID, BTreeSet<GUID>>>,
    follower: Mutex<Option<AbortHandle>>,
}

impl Graph {
    /// Starts to follow; ends when the graph is dropped.
    pub(super) fn follow(participant: &DomainParticipant) -> Arc<Self> {
        let graph = Arc::new(Self { readers_of: Mutex::default(), follower: Mutex::new(None) });
        let listener = participant.status_listener();
        let weak = Arc::downgrade(&graph);
        let task = tokio::spawn(async move {
            let mut events = listener.as_async_status_stream();
            while let Some(event) = events.next().await {
                let Some(graph) = weak.upgrade() else { break };
                graph.note(&event);
            }
        });
        *graph.follower.lock().unwrap_or_else(PoisonError::into_inner) = Some(task.abort_handle());
        graph
    }

    pub(super) fn readers_of(&self, writer: GUID) -> usize {
        let readers_of = self.readers_of.lock().unwrap_or_else(PoisonError::into_inner);
        readers_of.get(&writer).map_or(0, BTreeSet::len)
    }

    fn note(&self, event: &DomainParticipantStatusEvent) {
        let mut readers_of = self.readers_of.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            DomainParticipantStatusEvent::RemoteReaderMatched { local_writer, remote_reader } => {
                readers_of.entry(*local_writer).or_default().insert(*remote_reader);
            }
            DomainParticipantStatusEvent::ReaderLost { guid, .. } => {
                for readers in readers_of.values_mut() {
                    readers.remove(guid);
                }
            }
            _ => {}
        }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if let Some(task) = self.follower.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}
