//! The ROS facade over real DDS participants. Written against the facade alone, so that it holds for every half.

mod args;
mod cdr;
// On an installed ROS 2 its RMW announces the node, by its own rules.
#[cfg(feature = "native")]
mod discovery;
mod services;
mod topics;
mod types;
