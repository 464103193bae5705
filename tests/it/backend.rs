//! The simulator behind its ROS face, in this process on a domain of its own.

mod apply;
mod ledger;
mod pacing;
mod rig;
mod topics;
