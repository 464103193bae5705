//! Waiting for something to become true, with a limit that only a fault reaches.

use std::future::Future;
use std::time::{Duration, Instant};

/// Longer than anything takes on a loaded machine.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Asks again every 5 ms until there is an answer.
pub async fn wait_for<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let until = Instant::now() + LIMIT;
    loop {
        if let Some(value) = probe().await {
            return value;
        }
        assert!(Instant::now() < until, "waited {LIMIT:?} in vain for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the condition holds.
pub async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    wait_for(what, async || condition().then_some(())).await;
}

/// Puts the limit on a future.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("waited {LIMIT:?} in vain for {what}"))
}

/// As [`within`], where the line of the panic says enough.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    within("what this line waits for", future).await
}

/// For tests without a runtime: polls until the condition gives a value.
pub fn poll_until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + LIMIT;
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(Instant::now() < until, "waited {LIMIT:?} in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
