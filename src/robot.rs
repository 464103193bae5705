//! The vehicle's own software, with the same topics as on the physical car.
//!
//! It knows the simulator only through the topics that a real car has too, and follows simulation time from `/clock`. So far it
//! drives: commands in, one actuator topic out.

pub mod drive;

use futures::StreamExt;
use tokio_util::sync::CancellationToken;

use crate::domain::{SimTime, VehicleSpec};
use crate::robot::drive::{Driver, Order};
use crate::ros::msg::builtin_interfaces::Time;
use crate::ros::msg::sim_api_msgs::Drive;
use crate::ros::{Node, Publisher, RosError, topics};

/// Runs the robot until the token is cancelled; leaves the car standing.
pub async fn run(vehicle: VehicleSpec, node: Node, shutdown: CancellationToken) -> Result<(), RosError> {
    let mut clock = node.subscriber(&topics::CLOCK)?;
    let mut cmd_vel = node.subscriber(&topics::CMD_VEL)?;
    let mut speed = node.subscriber(&topics::SPEED)?;
    let mut steering = node.subscriber(&topics::STEERING)?;
    let mut pan = node.subscriber(&topics::CAMERA_PAN)?;
    let mut tilt = node.subscriber(&topics::CAMERA_TILT)?;
    let publisher = node.publisher(&topics::DRIVE)?;
    let mut driver = Driver::new(&vehicle);

    loop {
        let due = tokio::select! {
            () = shutdown.cancelled() => {
                driver.stop();
                publish(&publisher, &driver);
                return Ok(());
            }
            Some(tick) = clock.next() => {
                driver.tick(SimTime::from_sec_nanosec(tick.clock.sec, tick.clock.nanosec))
            }
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
        }
    }
}

fn publish(publisher: &Publisher<Drive>, driver: &Driver) {
    let (sec, nanosec) = driver.now().sec_nanosec();
    let target = driver.target();
    publisher.publish(Drive {
        stamp: Time { sec, nanosec },
        speed: target.speed_m_s,
        steering: target.steering_rad,
        pan: target.camera_pan_rad,
        tilt: target.camera_tilt_rad,
    });
}
