//! Joins the parts of `robot_stack`: the vehicle's own software, which knows nothing of the simulator but its topics.

use super::{Settings, shutdown};

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    tracing::info!(domain = settings.domain, "robot stack is up");
    stop.cancelled().await;
    Ok(())
}
