//! The simulator behind its ROS face, in this process on a domain of its own.

mod apply;
mod ledger;
mod loading;
mod pacing;
mod rig;
mod sensors;
mod standard;
mod topics;
