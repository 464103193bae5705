//! Evaluation: what the judging script and the student's command may do, and that nothing of them survives.

mod commands;
mod confinement;
mod container;
mod escapes;
mod limits;
