//! The half that speaks RTPS through `ros2-client`, without a ROS installation.
//!
//! What is worked around here, and tested in `tests/it/ros.rs`: the library's spinner is not used, because it subscribes to
//! `/clock` under a wrong type name (matches are followed in `graph` instead); its clients lose each other's replies when they
//! are shared (`replies` sorts them by request); its threads end for good when a wait is interrupted (`epoll`); its parameter services have one service mapping built in (switched off).

mod epoll;
mod graph;
mod node;
mod replies;
mod service;
mod topic;

pub(super) use node::Node;
pub(super) use service::{Caller, Reply};
pub(super) use topic::Writer;

/// Every service: types have only names on the wire.
pub trait ServiceType {}

impl<S> ServiceType for S {}
