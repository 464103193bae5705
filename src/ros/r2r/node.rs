//! The node: asks the thread that owns it to open the ends.

use std::sync::Arc;

use ::r2r::QosProfile;
use futures::stream::BoxStream;

use crate::ros::name::NameScope;
use crate::ros::r2r::environment;
use crate::ros::r2r::service::{self, Caller, Reply};
use crate::ros::r2r::spin::Spin;
use crate::ros::r2r::topic::{self, Writer};
use crate::ros::{Message, NodeOptions, Qos, RosError, Service, args};

pub(in crate::ros) struct Node {
    spin: Arc<Spin>,
    scope: NameScope,
}

impl Node {
    pub(in crate::ros) fn open(options: &NodeOptions) -> Result<Self, RosError> {
        environment::check(options)?;
        let (spin, identity) = Spin::start(options.name.clone(), options.namespace.clone())
            .map_err(|reason| RosError::Start { domain: options.domain, reason })?;
        // `rcl` applies the remaps of the command line itself, once; only those that the program added are left for us.
        let theirs = args::split(std::env::args_os()).map(|(_, ros)| ros.remaps).unwrap_or_default();
        let remaps = options.remaps.iter().filter(|remap| !theirs.contains(remap)).cloned().collect();
        let scope = NameScope { namespace: identity.namespace, node: identity.name, remaps };
        Ok(Self { spin: Arc::new(spin), scope })
    }

    pub(in crate::ros) fn scope(&self) -> &NameScope {
        &self.scope
    }

    pub(in crate::ros) fn writer<M: Message>(&self, name: &str, qos: Qos) -> Result<Writer<M>, RosError> {
        let topic = name.to_owned();
        let publisher = self
            .spin
            .ask(move |node| node.create_publisher_untyped(&topic, &topic::type_name::<M>(), profile(qos)))
            .map_err(|reason| failed_to_open(name, reason))?;
        Ok(Writer::new(publisher, self.spin.clone()))
    }

    pub(in crate::ros) fn reader<M: Message>(&self, name: &str, qos: Qos) -> Result<BoxStream<'static, M>, RosError> {
        let topic = name.to_owned();
        let samples = self
            .spin
            .ask(move |node| node.subscribe_raw(&topic, &topic::type_name::<M>(), profile(qos)))
            .map_err(|reason| failed_to_open(name, reason))?;
        Ok(topic::stream(name.to_owned(), samples, qos, self.spin.clone()))
    }

    pub(in crate::ros) fn caller<S: Service>(&self, name: &str, qos: Qos) -> Result<Caller<S>, RosError> {
        let service = name.to_owned();
        let client = self
            .spin
            .ask(move |node| node.create_client::<S::Ros>(&service, profile(qos)))
            .map_err(|reason| failed_to_open(name, reason))?;
        Ok(Caller::new(name.to_owned(), client, self.spin.clone()))
    }

    #[expect(clippy::type_complexity, reason = "a name for this pair would be used only here")]
    pub(in crate::ros) fn listener<S: Service>(
        &self,
        name: &str,
        qos: Qos,
    ) -> Result<BoxStream<'static, (S::Request, Reply<S>)>, RosError> {
        let service = name.to_owned();
        let requests = self
            .spin
            .ask(move |node| node.create_service::<S::Ros>(&service, profile(qos)))
            .map_err(|reason| failed_to_open(name, reason))?;
        Ok(service::requests(name.to_owned(), requests, qos, self.spin.clone()))
    }
}

fn failed_to_open(name: &str, reason: String) -> RosError {
    RosError::Open { name: name.to_owned(), reason }
}

fn profile(qos: Qos) -> QosProfile {
    let profile = QosProfile::default().keep_last(qos.depth.into());
    let profile = if qos.latched { profile.transient_local() } else { profile.volatile() };
    if qos.reliable { profile.reliable() } else { profile.best_effort() }
}
