//! Names of services, tied to their types.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::ros::Service;
use crate::ros::msg::sim_api_msgs;

/// The way into our own simulator.
pub const APPLY: ServiceName<sim_api_msgs::Apply> = ServiceName::new("sim_backend/apply");

/// What our own simulator has taken from the topic of drives.
pub const DRIVES: ServiceName<sim_api_msgs::Drives> = ServiceName::new("sim_backend/drives");

/// A service by name; relative names follow the node's namespace.
#[derive(Debug, Clone)]
pub struct ServiceName<S: Service> {
    pub name: Cow<'static, str>,
    service: PhantomData<fn() -> S>,
}

impl<S: Service> ServiceName<S> {
    pub const fn new(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), service: PhantomData }
    }

    /// Under a prefix that is only known at run time, such as another simulator's.
    pub fn under(prefix: &str, name: &str) -> Self {
        Self { name: Cow::Owned(format!("{}/{name}", prefix.trim_end_matches('/'))), service: PhantomData }
    }
}
