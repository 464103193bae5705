//! The message types, one module per ROS package.
//!
//! Field names, their order and the constants are those of the ROS definitions (Jazzy): CDR carries no names, so the order *is* the
//! format. `Default` is the default of the ROS definition too, which is zero everywhere but in a quaternion and a step count.
//! Nothing here checks a value or converts one; whoever receives a message does.
//!
//! Three rules of the wire show in the types: a fixed array of 36 numbers is written as 6 by 6, because serde stops at 32; a type
//! without fields carries one byte; and a `uint8[]` goes through [`bytes`], which is the same on the wire as a list but far faster.

pub mod builtin_interfaces;
pub mod bytes;
pub mod diagnostic_msgs;
mod from_domain;
pub mod geometry_msgs;
pub mod nav_msgs;
pub mod rcl_interfaces;
pub mod rosgraph_msgs;
pub mod sensor_msgs;
pub mod sim_api_msgs;
pub mod simulation_interfaces;
pub mod std_msgs;
pub mod tf2_msgs;
