//! Commands to `/vehicle/drive`.

use std::time::Duration;

use futures::StreamExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::times::Times;
use crate::domain::{DriveTarget, VehicleSpec};
use crate::robot::drive::{Driver, Order};
use crate::ros::msg::sim_api_msgs::Drive;
use crate::ros::{Node, Publisher, RosError, topics};

/// A publisher that sends at most so often holds a sample back for less than this; the last one must still get out.
const LAST_WORD: Duration = Duration::from_millis(20);

/// Opens the topics; the future drives and leaves the car standing. The receiver has the newest target.
pub fn open(
    node: &Node,
    vehicle: &VehicleSpec,
    mut times: Times,
    shutdown: CancellationToken,
) -> Result<(watch::Receiver<DriveTarget>, impl Future<Output = ()> + Send + use<>), RosError> {
    let mut cmd_vel = node.subscriber(&topics::CMD_VEL)?;
    let mut speed = node.subscriber(&topics::SPEED)?;
    let mut steering = node.subscriber(&topics::STEERING)?;
    let mut pan = node.subscriber(&topics::CAMERA_PAN)?;
    let mut tilt = node.subscriber(&topics::CAMERA_TILT)?;
    let publisher = node.publisher(&topics::DRIVE)?;
    let mut driver = Driver::new(vehicle);
    let (sender, target) = watch::channel(driver.target());
    let run = async move {
        loop {
            let due = tokio::select! {
                () = shutdown.cancelled() => break,
                Ok(()) = times.clock.changed() => driver.tick(*times.clock.borrow_and_update()),
                Some(twist) = cmd_vel.next() => {
                    driver.order(Order::Twist { speed_m_s: twist.linear.x, yaw_rate_rad_s: twist.angular.z })
                }
                Some(speed) = speed.next() => driver.order(Order::Speed { m_s: speed.data }),
                Some(steering) = steering.next() => driver.order(Order::Steering { rad: steering.data }),
                Some(pan) = pan.next() => driver.order(Order::Pan { rad: pan.data }),
                Some(tilt) = tilt.next() => driver.order(Order::Tilt { rad: tilt.data }),
            };
            if due {
                publish(&publisher, &driver);
                sender.send_if_modified(|last| {
                    let changed = *last != driver.target();
                    *last = driver.target();
                    changed
                });
            }
        }
        driver.stop();
        publish(&publisher, &driver);
        tokio::time::sleep(LAST_WORD).await;
    };
    Ok((target, run))
}

fn publish(publisher: &Publisher<Drive>, driver: &Driver) {
    let target = driver.target();
    publisher.publish(Drive {
        stamp: driver.now().into(),
        speed: target.speed_m_s,
        steering: target.steering_rad,
        pan: target.camera_pan_rad,
        tilt: target.camera_tilt_rad,
    });
}
