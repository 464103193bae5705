//! Turns SIGINT (Ctrl-C) and SIGTERM into a token that everything in a program watches.

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancelled by the first SIGINT or SIGTERM. Must be called inside a tokio runtime, whose end also ends the watch.
pub fn on_signal() -> anyhow::Result<CancellationToken> {
    let mut interrupts = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    let mut terminations = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let token = CancellationToken::new();
    let cancel = token.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupts.recv() => {}
            _ = terminations.recv() => {}
        }
        cancel.cancel();
    });
    Ok(token)
}
