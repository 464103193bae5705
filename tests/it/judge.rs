//! Evaluation: how a session goes, what the judging script and the student's command may do, and that nothing of them survives.

mod audio;
mod beginning;
mod call;
mod commands;
mod confinement;
mod container;
mod engine;
mod escapes;
mod evaluate;
mod harness;
mod hostile;
mod interrupted;
mod limits;
mod lockstep;
mod machine;
mod output;
mod recording;
mod replay;
pub mod rig;
mod session;
