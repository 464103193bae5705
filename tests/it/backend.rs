//! The simulator behind its ROS face, in this process on a domain of its own.

mod apply;
mod camera;
mod hostile;
mod ledger;
mod loading;
mod motion;
mod pacing;
mod repeat;
mod rig;
mod sensors;
mod standard;
mod topics;
