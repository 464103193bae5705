//! A node: the owner of everything this process has on ROS.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::stream::BoxStream;
use futures::{Stream, StreamExt};

use crate::ros::args::RosArgs;
use crate::ros::name::Remap;
use crate::ros::pacer::Pacer;
use crate::ros::services::ServiceName;
use crate::ros::{Client, Message, Publisher, Qos, Responder, RosError, Server, Service, Topic, half};

/// Who can see this node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discovery {
    /// This machine only, so that thirty simulators in one classroom never meet.
    #[default]
    Loopback,
    /// Every network interface.
    Network,
}

/// How a reply is matched with its request on the wire; it differs between the DDS implementations under ROS 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServiceMapping {
    #[default]
    Fastdds,
    Cyclone,
}

impl ServiceMapping {
    /// The mapping that fits the value of `RMW_IMPLEMENTATION`.
    pub fn for_rmw(rmw: Option<&str>) -> Self {
        match rmw {
            Some(name) if name.contains("cyclone") => Self::Cyclone,
            _ => Self::Fastdds,
        }
    }
}

/// How a node is made.
#[derive(Debug, Clone)]
pub struct NodeOptions {
    pub name: String,
    pub namespace: String,
    pub remaps: Vec<Remap>,
    pub domain: u16,
    pub discovery: Discovery,
    pub mapping: ServiceMapping,
}

impl NodeOptions {
    pub fn new(name: &str, domain: u16) -> Self {
        Self {
            name: name.to_owned(),
            namespace: "/".to_owned(),
            remaps: Vec::new(),
            domain,
            discovery: Discovery::default(),
            mapping: ServiceMapping::default(),
        }
    }

    /// Takes over what `--ros-args` said.
    pub fn with_args(mut self, args: &RosArgs) -> Self {
        if let Some(name) = &args.node {
            self.name.clone_from(name);
        }
        if let Some(namespace) = &args.namespace {
            self.namespace.clone_from(namespace);
        }
        self.remaps.extend(args.remaps.iter().cloned());
        self
    }
}

/// One ROS 2 node. Ends that were made from it keep working until they are dropped themselves; rate-capped publishers stop
/// sending what they held back when the node is gone.
pub struct Node {
    pacer: Pacer,
    inner: half::Node,
}

/// The messages of one topic as a stream.
pub struct Subscriber<M: Message> {
    messages: BoxStream<'static, M>,
}

impl Node {
    pub fn open(options: NodeOptions) -> Result<Self, RosError> {
        let inner = half::Node::open(&options)?;
        let pacer = Pacer::start()
            .map_err(|err| RosError::Start { domain: options.domain, reason: format!("no thread: {err}") })?;
        Ok(Self { pacer, inner })
    }

    pub fn publisher<M: Message>(&self, topic: &Topic<M>) -> Result<Publisher<M>, RosError> {
        let name = self.inner.scope().resolve(topic.name)?;
        let writer = self.inner.writer(&name, topic.qos)?;
        Ok(Publisher::new(name, writer, topic.max_per_wall_second, &self.pacer.handle()))
    }

    pub fn subscriber<M: Message>(&self, topic: &Topic<M>) -> Result<Subscriber<M>, RosError> {
        let name = self.inner.scope().resolve(topic.name)?;
        Ok(Subscriber { messages: self.inner.reader(&name, topic.qos)? })
    }

    pub fn client<S: Service>(&self, service: &ServiceName<S>) -> Result<Client<S>, RosError> {
        let name = self.inner.scope().resolve(&service.name)?;
        let caller = self.inner.caller(&name, Qos::SERVICE)?;
        Ok(Client::new(name, caller))
    }

    pub fn server<S: Service>(&self, service: &ServiceName<S>) -> Result<Server<S>, RosError> {
        let name = self.inner.scope().resolve(&service.name)?;
        let requests = self.inner.listener::<S>(&name, Qos::SERVICE)?;
        let answered = requests.map(move |(request, reply)| (request, Responder::new(name.clone(), reply)));
        Ok(Server::new(answered.boxed()))
    }
}

impl<M: Message> Stream for Subscriber<M> {
    type Item = M;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<M>> {
        self.messages.as_mut().poll_next(cx)
    }
}
