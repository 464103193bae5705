//! What the tests share: private ROS domains and waiting for a condition.

pub mod domain;
pub mod wait;
