//! The renderer, against closed-form answers.

mod road;
