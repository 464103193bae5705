//! The ROS facade over real DDS participants. Written against the facade alone, so that it holds for every half.

mod args;
mod cdr;
mod discovery;
mod services;
mod topics;
mod types;
