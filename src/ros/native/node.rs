//! The participant and its one node.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::stream::BoxStream;
use ros2_client::dds::rustdds::{DomainParticipantBuilder, dds::CreateError as DdsCreateError};
use ros2_client::qos::{Durability, History, QosProfile, WhenFull};
use ros2_client::{Context, MessageTypeName, Name, NodeName, ServiceTypeName};

use crate::ros::name::NameScope;
use crate::ros::native::epoll;
use crate::ros::native::graph::Graph;
use crate::ros::native::replies::Replies;
use crate::ros::native::service::{self, Caller, Reply};
use crate::ros::native::topic::{self, Writer};
use crate::ros::{Discovery, Message, NodeOptions, Qos, RosError, Service, ServiceMapping};

pub(in crate::ros) struct Node {
    node: Mutex<ros2_client::Node>,
    mapping: ros2_client::ServiceMapping,
    replies: Replies,
    graph: Arc<Graph>,
    context: Context,
    scope: NameScope,
}

impl Node {
    pub(in crate::ros) fn open(options: &NodeOptions) -> Result<Self, RosError> {
        epoll::link();
        let failed = |reason: String| RosError::Start { domain: options.domain, reason };
        let mut builder = DomainParticipantBuilder::new(options.domain);
        if options.discovery == Discovery::Loopback {
            builder = builder.with_only_networks([IpAddr::V4(Ipv4Addr::LOCALHOST)]);
        }
        let participant = builder.build().map_err(|err: DdsCreateError| failed(err.to_string()))?;
        let graph = Graph::follow(&participant);
        let context = Context::from_domain_participant(participant).map_err(|err| failed(err.to_string()))?;
        let name = NodeName::new(&options.namespace, &options.name).map_err(|err| RosError::Name {
            name: format!("{}/{}", options.namespace.trim_end_matches('/'), options.name),
            reason: err.to_string(),
        })?;
        let node_options = ros2_client::NodeOptions::new().start_parameter_services(false).enable_rosout(false);
        let node = context.new_node(name, node_options).map_err(|err| failed(err.to_string()))?;
        let replies = Replies::start().map_err(|err| failed(format!("no thread: {err}")))?;
        let mapping = match options.mapping {
            ServiceMapping::Fastdds => ros2_client::ServiceMapping::Enhanced,
            ServiceMapping::Cyclone => ros2_client::ServiceMapping::Cyclone,
        };
        let scope = NameScope {
            namespace: options.namespace.clone(),
            node: options.name.clone(),
            remaps: options.remaps.clone(),
        };
        Ok(Self { node: Mutex::new(node), mapping, replies, graph, context, scope })
    }

    pub(in crate::ros) fn scope(&self) -> &NameScope {
        &self.scope
    }

    pub(in crate::ros) fn writer<M: Message>(&self, name: &str, qos: Qos) -> Result<Writer<M>, RosError> {
        let profile = profile(qos);
        let mut node = self.lock();
        let publisher = node
            .create_topic(&parse(name)?, MessageTypeName::new(M::PACKAGE, M::NAME), &profile)
            .and_then(|topic| node.create_publisher::<M>(&topic, Some(profile)))
            .map_err(|err| failed_to_open(name, err))?;
        Ok(Writer::new(publisher, self.graph.clone()))
    }

    pub(in crate::ros) fn reader<M: Message>(&self, name: &str, qos: Qos) -> Result<BoxStream<'static, M>, RosError> {
        let profile = profile(qos);
        let mut node = self.lock();
        let subscription = node
            .create_topic(&parse(name)?, MessageTypeName::new(M::PACKAGE, M::NAME), &profile)
            .and_then(|topic| node.create_subscription::<M>(&topic, Some(profile)))
            .map_err(|err| failed_to_open(name, err))?;
        Ok(topic::stream(name.to_owned(), subscription))
    }

    pub(in crate::ros) fn caller<S: Service>(&self, name: &str, qos: Qos) -> Result<Caller<S>, RosError> {
        let profile = profile(qos);
        let client = self
            .lock()
            .create_client(
                self.mapping,
                &parse(name)?,
                &ServiceTypeName::new(S::PACKAGE, S::NAME),
                profile.clone(),
                profile,
            )
            .map_err(|err| failed_to_open(name, err))?;
        Caller::new(name, client, &self.replies, self.context.domain_participant())
            .map_err(|err| failed_to_open(name, err))
    }

    #[expect(clippy::type_complexity, reason = "a name for this pair would be used only here")]
    pub(in crate::ros) fn listener<S: Service>(
        &self,
        name: &str,
        qos: Qos,
    ) -> Result<BoxStream<'static, (S::Request, Reply<S>)>, RosError> {
        let profile = profile(qos);
        let server = self
            .lock()
            .create_server(
                self.mapping,
                &parse(name)?,
                &ServiceTypeName::new(S::PACKAGE, S::NAME),
                profile.clone(),
                profile,
            )
            .map_err(|err| failed_to_open(name, err))?;
        Ok(service::requests(name.to_owned(), server))
    }

    fn lock(&self) -> MutexGuard<'_, ros2_client::Node> {
        // The library's node is only a list of ends; a panic while holding it leaves it usable.
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(name: &str) -> Result<Name, RosError> {
    Name::parse(name).map_err(|err| RosError::Name { name: name.to_owned(), reason: err.to_string() })
}

fn failed_to_open(name: &str, err: impl std::fmt::Display) -> RosError {
    RosError::Open { name: name.to_owned(), reason: err.to_string() }
}

fn profile(qos: Qos) -> QosProfile {
    let profile = QosProfile::subscription_default().history(History::KeepLast { depth: qos.depth.into() });
    let profile = if qos.latched { profile.durability(Durability::TransientLocal) } else { profile };
    if qos.reliable { profile.reliability_reliable(WhenFull::Fail) } else { profile.reliability_best_effort() }
}
