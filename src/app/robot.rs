//! Joins the parts of `robot_stack`.

use super::settings::Surroundings;
use super::{Program, Settings, ros_node, shutdown, vehicle_file};
use crate::robot::{self, RobotOptions};

/// Runs until SIGINT or SIGTERM.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let node = ros_node::open(Program::Robot.name(), &settings)?;
    let vehicle = vehicle_file::load(&Surroundings::of_this_process())?;
    Ok(robot::run(RobotOptions::new(vehicle), node, stop).await?)
}
