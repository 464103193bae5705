//! The vehicle's own software: its parts against closed-form surroundings, and the whole on ROS.

mod course;
mod drive;
mod jumps;
mod laps;
mod matching;
mod official;
mod parts;
mod pilot;
mod road;
mod stack;
