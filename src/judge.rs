//! Evaluation: runs a world's judging script and the student's command, and sees to it that nothing of them stays behind.

pub mod supervise;
