//! Evaluations: how a session goes, what scripts and students may do to it, what it leaves.

mod call;
mod harness;
mod hostile;
mod interrupted;
mod lockstep;
mod machine;
mod output;
mod rig;
mod session;
