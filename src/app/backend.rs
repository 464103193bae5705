//! Joins the parts of `sim_backend`: the world that advances and its ROS face.

use super::{Settings, shutdown};

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    tracing::info!(world = %settings.world, domain = settings.domain, "simulator is up");
    stop.cancelled().await;
    Ok(())
}
