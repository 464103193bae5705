//! What tests of several modules share.

pub mod http;
pub mod node;

use std::time::Duration;

/// Waiting for something that must happen ends here; far more than any test needs, so that only a hang meets it.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Awaits, but not for ever.
pub async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, what).await.expect("it happens within the limit")
}
