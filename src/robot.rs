//! The vehicle's own software, with the same topics as on the physical car.
//!
//! It knows the simulator only through the topics that a real car has too, and follows simulation time from `/clock`. Commands go
//! to the one actuator topic; scans and gyro become odometry; camera images are compressed for whoever wants them. Everything
//! but `tasks` knows no ROS.

pub mod battery;
pub mod camera;
pub mod drive;
pub mod fusion;
pub mod laser_odom;
pub mod mounting;
pub mod odometry;
pub mod planar;
pub mod scan_filter;
mod tasks;

use std::sync::Arc;

use futures::FutureExt;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::domain::{SimTime, VehicleSpec};
use crate::robot::battery::BatteryOptions;
use crate::robot::mounting::Mounting;
use crate::robot::odometry::{Odometer, OdometryOptions};
use crate::robot::tasks::{battery as battery_task, camera as camera_task, convert, drive as drive_task, times};
use crate::robot::tasks::{odometry as odometry_task, scan as scan_task};
use crate::ros::msg::tf2_msgs::TFMessage;
use crate::ros::{Node, RosError, topics};

/// What the robot is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotOptions {
    pub vehicle: VehicleSpec,
    pub mounting: Mounting,
    pub battery: BatteryOptions,
}

impl RobotOptions {
    /// With everything but the vehicle at its default.
    pub fn new(vehicle: VehicleSpec) -> Self {
        Self { mounting: Mounting::new(&vehicle), battery: BatteryOptions::default(), vehicle }
    }
}

/// Runs the robot until the token is cancelled; leaves the car standing.
pub async fn run(options: RobotOptions, node: Node, shutdown: CancellationToken) -> Result<(), RosError> {
    let RobotOptions { vehicle, mounting, battery } = options;
    let node = Arc::new(node);
    // One task that fails ends the others too.
    let stop = shutdown.child_token();
    let fixed = node.publisher(&topics::TF_STATIC)?;
    let transforms = mounting.fixed().iter().map(|frame| convert::transform(frame, SimTime::ZERO)).collect();
    fixed.publish(TFMessage { transforms });

    let (times, follow_times) = times::open(&node, stop.clone())?;
    let (target, drive) = drive_task::open(&node, &vehicle, times.clone(), stop.clone())?;
    let (scan, filter_scans) = scan_task::open(&node, times.clone(), stop.clone())?;
    let odometer = Odometer::new(OdometryOptions::new(&vehicle, mounting.base_from_lidar()));
    let inputs = odometry_task::Inputs { times: times.clone(), scan, target };
    let (odometry, follow_car) = odometry_task::open(&node, odometer, mounting, inputs, stop.clone())?;
    let discharge = battery_task::open(&node, battery, odometry, stop.clone())?;
    let compress = camera_task::open(node.clone(), times, stop.clone())?;

    let mut tasks: JoinSet<Result<(), RosError>> = JoinSet::new();
    tasks.spawn(follow_times.map(Ok));
    tasks.spawn(drive.map(Ok));
    tasks.spawn(filter_scans.map(Ok));
    tasks.spawn(follow_car.map(Ok));
    tasks.spawn(discharge.map(Ok));
    tasks.spawn(compress);
    let mut outcome = Ok(());
    let mut panic = None;
    while let Some(ended) = tasks.join_next().await {
        stop.cancel();
        match ended {
            Ok(ended) => outcome = outcome.and(ended),
            // The others still end well, so that the car is stopped.
            Err(err) => panic = err.try_into_panic().ok(),
        }
    }
    match panic {
        Some(panic) => std::panic::resume_unwind(panic),
        None => outcome,
    }
}
