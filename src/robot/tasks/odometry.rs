//! Scans and IMU to `/odom/laser`, `/odom` and `/tf`.

use futures::StreamExt;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info};

use super::scan::NewestScan;
use super::times::Times;
use super::{convert, join};
use crate::domain::DriveTarget;
use crate::robot::fusion::{GyroSample, OdomEstimate};
use crate::robot::laser_odom::{Finding, LaserEstimate};
use crate::robot::mounting::Mounting;
use crate::robot::odometry::{MatchDone, NewEpoch, Odometer};
use crate::ros::msg::nav_msgs::Odometry;
use crate::ros::msg::sensor_msgs::Imu;
use crate::ros::msg::tf2_msgs::TFMessage;
use crate::ros::{Node, Publisher, RosError, Subscriber, topics};

/// Opens the topics; the future follows the car. The receiver has the newest fused state.
pub fn open(
    node: &Node,
    odometer: Odometer,
    mounting: Mounting,
    inputs: Inputs,
    shutdown: CancellationToken,
) -> Result<(watch::Receiver<Option<OdomEstimate>>, impl Future<Output = ()> + Send + use<>), RosError> {
    let imu = node.subscriber(&topics::IMU)?;
    let (sender, newest) = watch::channel(None);
    let task = Task {
        odometer,
        mounting,
        matching: None,
        laser: node.publisher(&topics::ODOM_LASER)?,
        fused: node.publisher(&topics::ODOM)?,
        tf: node.publisher(&topics::TF)?,
        newest: sender,
    };
    Ok((newest, task.run(imu, inputs, shutdown)))
}

/// What comes from the other tasks.
pub struct Inputs {
    pub times: Times,
    pub scan: NewestScan,
    pub target: watch::Receiver<DriveTarget>,
}

struct Task {
    odometer: Odometer,
    mounting: Mounting,
    /// The comparison that is under way; the odometer takes no other scan meanwhile, so the newest waits for it.
    matching: Option<JoinHandle<MatchDone>>,
    laser: Publisher<Odometry>,
    fused: Publisher<Odometry>,
    tf: Publisher<TFMessage>,
    newest: watch::Sender<Option<OdomEstimate>>,
}

impl Task {
    async fn run(mut self, mut imu: Subscriber<Imu>, inputs: Inputs, shutdown: CancellationToken) {
        let Inputs { mut times, mut scan, mut target } = inputs;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                Ok(()) = times.epochs.changed() => self.take_epochs(&mut times),
                Ok(()) = times.clock.changed() => {
                    // Nothing is told of a new epoch before its beginning is known.
                    self.take_epochs(&mut times);
                    let now = *times.clock.borrow_and_update();
                    if let Some(estimate) = self.odometer.tick(now) {
                        self.publish_fused(estimate, *target.borrow());
                    }
                }
                Some(sample) = imu.next() => self.odometer.gyro(GyroSample {
                    stamp: sample.header.stamp.into(),
                    yaw_rate_rad_s: sample.angular_velocity.z,
                    variance: sample.angular_velocity_covariance[8],
                }),
                Ok(()) = target.changed() => {
                    let speed = target.borrow_and_update().speed_m_s;
                    self.odometer.order_speed(speed);
                }
                Ok(()) = scan.changed(), if self.matching.is_none() => {
                    let newest = scan.borrow_and_update().clone();
                    let job = newest.and_then(|scan| self.odometer.scan(scan));
                    self.matching = job.map(|job| tokio::task::spawn_blocking(move || job.run()));
                }
                done = finished(&mut self.matching) => self.take_match(done),
            }
        }
        if let Some(matching) = self.matching.take() {
            // A millisecond of work whose outcome nobody needs any more.
            let _ = matching.await;
        }
    }

    fn take_epochs(&mut self, times: &mut Times) {
        let epochs = *times.epochs.borrow_and_update();
        if let Some((number, first_stamp)) = epochs.fresh {
            self.odometer.epoch(number, NewEpoch::Fresh, first_stamp);
        }
        self.odometer.epoch(epochs.number, NewEpoch::SameWorld, epochs.first_stamp);
    }

    fn take_match(&mut self, done: MatchDone) {
        self.matching = None;
        if let Some(estimate) = self.odometer.matched(done) {
            self.publish_laser(&estimate);
        }
    }

    fn publish_laser(&self, estimate: &LaserEstimate) {
        match estimate.finding {
            Finding::Jumped => info!("the surroundings have jumped; odometry goes on from where it was"),
            Finding::Unrecognised => debug!("this scan shows nothing known"),
            Finding::Moved(_) | Finding::First => {}
        }
        self.laser.publish(convert::odometry(
            estimate.stamp,
            estimate.pose,
            &estimate.covariance,
            &estimate.velocity,
            &estimate.velocity_covariance,
        ));
    }

    fn publish_fused(&self, estimate: OdomEstimate, target: DriveTarget) {
        let camera = self.mounting.camera_at(target.camera_pan_rad, target.camera_tilt_rad);
        let base = convert::base_in_odom(estimate.pose);
        let transforms = [base, camera].iter().map(|frame| convert::transform(frame, estimate.stamp)).collect();
        self.tf.publish(TFMessage { transforms });
        self.fused.publish(convert::odometry(
            estimate.stamp,
            estimate.pose,
            &estimate.covariance,
            &estimate.velocity,
            &estimate.velocity_covariance,
        ));
        self.newest.send_replace(Some(estimate));
    }
}

/// Waits for the comparison; for ever when there is none.
async fn finished(matching: &mut Option<JoinHandle<MatchDone>>) -> MatchDone {
    match matching {
        Some(matching) => join(matching).await,
        None => std::future::pending().await,
    }
}
