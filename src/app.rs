//! Composition: the only place that knows every part. It reads the settings, starts the parts of each program, stops them
//! in reverse order, and supervises the three programs as processes.
//!
//! What a part *does* is never decided here; a program's file (`node`, `backend`, `robot`) only joins parts together.

pub mod backend;
pub mod cli;
pub mod doctor;
pub mod echo;
pub mod evaluate;
pub mod evaluation;
pub mod file_limit;
pub mod lifeline;
pub mod logging;
pub mod node;
pub mod program;
pub mod replay;
pub mod robot;
mod ros_node;
mod sentence;
pub mod settings;
pub mod shutdown;
pub mod supervise;
pub mod vehicle_file;
pub mod world_cli;
pub mod world_source;
mod worlds;

pub use program::Program;
pub use settings::Settings;
