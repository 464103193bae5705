//! ROS 2 as the rest of the program sees it.
//!
//! A [`Message`] or a [`Service`] says how it is named on the wire; its bytes come from its serde implementation (CDR). Nothing here
//! knows which library carries the bytes.

use serde::{Serialize, de::DeserializeOwned};

pub mod msg;

/// A message: how it is named on the wire.
pub trait Message: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    const PACKAGE: &'static str;
    const NAME: &'static str;
}

/// A service: how it is named on the wire, and what is asked and answered.
pub trait Service: Send + Sync + 'static {
    const PACKAGE: &'static str;
    const NAME: &'static str;
    type Request: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
    type Response: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;
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
