//! ROS 2 for the rest of the code: nodes, publishers, subscribers, service clients and servers of our own serde structs.
//!
//! The only place that names a ROS crate. One half does the work, chosen at build time: `native` speaks RTPS through
//! `ros2-client` and needs no ROS installation, `r2r` uses the one that is sourced. What both need (rate caps, time limits,
//! repeats) is above them, so that they stay thin. Every publisher is non-blocking: a full queue costs a sample, never a thread.
//!
//! Nodes need a running tokio runtime.

pub mod args;
pub mod cdr;
pub mod client;
pub mod msg;
pub mod name;
#[cfg(feature = "native")]
mod native;
pub mod node;
mod pacer;
pub mod publisher;
pub mod qos;
#[cfg(all(feature = "r2r", not(feature = "native")))]
mod r2r;
pub mod server;
pub mod services;
pub mod topics;

#[cfg(feature = "native")]
use native as half;
#[cfg(all(feature = "r2r", not(feature = "native")))]
use r2r as half;

#[cfg(all(feature = "native", feature = "r2r"))]
compile_error!("a program speaks ROS 2 in one way: for `r2r`, add `--no-default-features`");
#[cfg(not(any(feature = "native", feature = "r2r")))]
compile_error!("a program needs one way to speak ROS 2: the feature `native` (the default) or `r2r`");

pub use client::{CallError, Client};
pub use node::{Discovery, Node, NodeOptions, ServiceMapping, Subscriber};
pub use publisher::Publisher;
pub use qos::Qos;
pub use server::{Responder, Server};
pub use topics::Topic;

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// A message: a serde struct in the order of its `.msg` file, and how it is named on the wire.
pub trait Message: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    const PACKAGE: &'static str;
    const NAME: &'static str;
}

/// A service: its request, its response, and how it is named on the wire.
///
/// One that is not made with `service!` and listed in the table of the `r2r` half exists only on the native one.
pub trait Service: half::ServiceType + Send + Sync + 'static {
    const PACKAGE: &'static str;
    const NAME: &'static str;
    type Request: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
    type Response: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
}

/// Why a node or one of its ends could not be made.
#[derive(Debug, Error)]
pub enum RosError {
    #[error("`{name}` is not a valid ROS name: {reason}")]
    Name { name: String, reason: String },
    #[error("ROS 2 could not be started on domain {domain}: {reason}")]
    Start { domain: u16, reason: String },
    #[error("could not open `{name}`: {reason}")]
    Open { name: String, reason: String },
}

/// `message!("std_msgs", Float64, Bool)` names these structs on the wire. The Rust name is the ROS name.
macro_rules! message {
    ($package:literal, $($name:ident),+ $(,)?) => {
        $(
            impl $crate::ros::Message for $name {
                const PACKAGE: &'static str = $package;
                const NAME: &'static str = stringify!($name);
            }
        )+
    };
}
pub(crate) use message;

/// `service!("some_srvs", Ask(AskRequest) -> AskResponse)` makes the type `Ask` that stands for the service.
macro_rules! service {
    ($package:literal, $($(#[$doc:meta])* $name:ident($request:ty) -> $response:ty),+ $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl $crate::ros::Service for $name {
                const PACKAGE: &'static str = $package;
                const NAME: &'static str = stringify!($name);
                type Request = $request;
                type Response = $response;
            }
        )+
    };
}
pub(crate) use service;
