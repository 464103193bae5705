//! Work that waits for a disk, kept away from the threads that answer requests.

use warp::http::StatusCode;

use crate::api::error::ApiError;

/// Disks may take their time; other requests must not.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "working with the world's files failed unexpectedly",
        )
    })
}
