//! The robot on ROS: one task per pipeline, each a thin shell around a part that knows no ROS.
//!
//! Tasks hand each other only the newest value, so that none can delay another; what computes for long (comparing scans,
//! compressing images) runs beside them. Every task ends when the token is cancelled.

pub mod battery;
pub mod camera;
pub mod convert;
pub mod drive;
pub mod odometry;
pub mod scan;
pub mod times;

use tokio::task::JoinHandle;

/// The outcome of work that runs beside a task. If it has panicked, so does the task.
async fn join<T>(work: &mut JoinHandle<T>) -> T {
    match work.await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(outcome) => outcome,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        // The runtime is going away, and this task with it.
        Err(Err(_)) => std::future::pending().await,
    }
}
