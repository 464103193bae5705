//! What the tests have for starting programs and speaking HTTP, for the benchmarks and the long runs too.

#[path = "../tests/it/robot/course.rs"]
pub mod course;
#[path = "../tests/it/support/domain.rs"]
pub mod domain;
#[path = "../tests/it/support/folder.rs"]
pub mod folder;
#[path = "../tests/it/support/http.rs"]
pub mod http;
#[path = "../tests/it/judge/rig.rs"]
pub mod judging;
#[path = "../tests/it/support/process.rs"]
pub mod process;
#[path = "../tests/it/support/rig.rs"]
pub mod rig;
#[path = "../tests/it/support/switching.rs"]
pub mod switching;
#[path = "../tests/it/support/wait.rs"]
pub mod wait;

pub use wait::in_time;
