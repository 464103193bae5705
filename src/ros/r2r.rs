//! The half that uses an installed ROS 2 through `r2r`: `rcl` below, and whichever RMW the environment chooses.
//!
//! `rcl` reads `--ros-args`, `ROS_DOMAIN_ID` and the discovery range by itself, from this process. Topics travel as CDR bytes of our own
//! structs; services through the generated types that `types` lists.
//!
//! What the library makes different from the native half: a dropped subscriber or server is taken down when the next sample or
//! request arrives, a dropped client with its node; and all nodes of a process are on one domain.

mod environment;
mod node;
mod service;
mod spin;
mod topic;
mod types;

pub(super) use node::Node;
pub(super) use service::{Caller, Reply};
pub(super) use topic::Writer;
pub use types::ServiceType;
