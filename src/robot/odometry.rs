//! Odometry as a whole: scans and gyro in, poses out, through pauses, teleports and new epochs. Knows no ROS.
//!
//! It starts at zero wherever the car stands. A teleport leaves it an offset, as on a car that was lifted and put elsewhere; a
//! new epoch that begins with a fresh world starts it at zero again. Laying a scan over another takes a millisecond and is
//! therefore a [`MatchJob`] that may run elsewhere while the gyro goes on being heard.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::{SimTime, VehicleSpec};
use crate::robot::fusion::{Fusion, GyroSample, OdomEstimate};
use crate::robot::laser_odom::{Expectation, Finding, LaserEstimate, LaserOdometry, LaserOptions};
use crate::robot::planar::Planar;
use crate::robot::scan_filter::RangeScan;

/// 30 Hz of simulation time.
const PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 30);
/// Faster turns are not the car's own.
const MAX_YAW_RATE_RAD_S: f64 = 8.0;
/// Time that goes back by more than this is another simulator's.
const MAX_BACK_S: f64 = 0.5;

/// Where the lidar is and what the vehicle can do.
#[derive(Debug, Clone, PartialEq)]
pub struct OdometryOptions {
    pub laser: LaserOptions,
    /// How far the rear axle is behind the vehicle's origin.
    pub rear_axle_m: f64,
}

impl OdometryOptions {
    pub fn new(vehicle: &VehicleSpec, base_from_lidar: Planar) -> Self {
        Self {
            laser: LaserOptions {
                base_from_lidar,
                max_speed_m_s: vehicle.max_speed_m_s,
                max_accel_m_s2: vehicle.max_accel_m_s2,
                max_yaw_rate_rad_s: MAX_YAW_RATE_RAD_S,
            },
            rear_axle_m: 0.5 * vehicle.wheelbase_m,
        }
    }
}

/// What a new epoch means for odometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewEpoch {
    /// A fresh world: everything begins at zero.
    Fresh,
    /// Things were put back in the same world, the car too: nobody tells a car that it was lifted.
    SameWorld,
}

/// A scan on its way to being compared; [`MatchJob::run`] does the work.
#[derive(Debug)]
pub struct MatchJob {
    laser: LaserOdometry,
    life: u64,
    scan: Arc<RangeScan>,
    expected: Expectation,
}

/// What has come of it.
#[derive(Debug)]
pub struct MatchDone {
    laser: LaserOdometry,
    life: u64,
    estimate: LaserEstimate,
}

impl MatchJob {
    pub fn run(mut self) -> MatchDone {
        let estimate = self.laser.scan(&self.scan, self.expected);
        MatchDone { laser: self.laser, life: self.life, estimate }
    }
}

#[derive(Debug)]
pub struct Odometer {
    options: OdometryOptions,
    fusion: Fusion,
    /// Away while a scan is being compared.
    laser: Option<LaserOdometry>,
    /// Counts the starts at zero: what was begun in an earlier life does not count any more.
    life: u64,
    /// The car was put elsewhere while a scan was being compared.
    surroundings_are_new: bool,
    epoch: Option<u64>,
    not_before: SimTime,
    newest_scan: Option<SimTime>,
    first_data: Option<SimTime>,
    clock: Option<SimTime>,
    due: Option<SimTime>,
}

impl Odometer {
    pub fn new(options: OdometryOptions) -> Self {
        let fusion = Fusion::new(options.rear_axle_m);
        let laser = Some(LaserOdometry::new(options.laser.clone()));
        Self {
            options,
            fusion,
            laser,
            life: 0,
            surroundings_are_new: false,
            epoch: None,
            not_before: SimTime::ZERO,
            newest_scan: None,
            first_data: None,
            clock: None,
            due: None,
        }
    }

    /// An epoch was announced. What was measured before its first stamp is discarded from now on; an epoch that had already
    /// begun when the first data came changes nothing.
    pub fn epoch(&mut self, number: u64, kind: NewEpoch, first_stamp: SimTime) {
        if self.epoch.is_some_and(|last| number <= last) {
            return;
        }
        self.epoch = Some(number);
        self.not_before = first_stamp;
        if self.first_data.is_none_or(|first| first >= first_stamp) {
            return;
        }
        match kind {
            NewEpoch::Fresh => self.start_at_zero(),
            NewEpoch::SameWorld => {
                self.surroundings_are_new = true;
                if self.is_free() {
                    self.meet_new_surroundings();
                }
            }
        }
    }

    pub fn order_speed(&mut self, m_s: f64) {
        self.fusion.order_speed(m_s);
    }

    pub fn gyro(&mut self, sample: GyroSample) {
        if self.accepts(sample.stamp) {
            self.fusion.gyro(sample);
        }
    }

    /// Whether a scan can be taken now; it cannot while another one is being compared.
    pub fn is_free(&self) -> bool {
        self.laser.is_some()
    }

    /// Takes a filtered scan. `None` when it is not newer than the last one, far too late, of an older epoch, or comes while
    /// another one is being compared.
    pub fn scan(&mut self, scan: Arc<RangeScan>) -> Option<MatchJob> {
        if !self.accepts(scan.stamp) || self.newest_scan.is_some_and(|newest| scan.stamp <= newest) {
            return None;
        }
        if self.fusion.is_past(scan.stamp) {
            return None;
        }
        let laser = self.laser.take()?;
        self.newest_scan = Some(scan.stamp);
        let speed_m_s = self.fusion.speed_m_s();
        self.fusion.advance(scan.stamp);
        let expected = Expectation {
            motion: self.fusion.motion_since_key(),
            speed_m_s,
            turn_is_measured: self.fusion.turn_is_measured(),
        };
        Some(MatchJob { laser, life: self.life, scan, expected })
    }

    /// Takes the outcome back. `None` when it belongs to a time before the last start.
    pub fn matched(&mut self, done: MatchDone) -> Option<LaserEstimate> {
        if done.life != self.life {
            self.laser = Some(LaserOdometry::new(self.options.laser.clone()));
            return None;
        }
        self.laser = Some(done.laser);
        if let Finding::Moved(found) = &done.estimate.finding {
            self.fusion.measure_motion(found);
        }
        if done.estimate.new_key {
            self.fusion.take_key();
        }
        if self.surroundings_are_new {
            self.meet_new_surroundings();
        }
        Some(done.estimate)
    }

    /// Simulation time goes on; gives the fused state when it is due.
    pub fn tick(&mut self, now: SimTime) -> Option<OdomEstimate> {
        if self.clock.is_some_and(|last| last.secs_since(now) > MAX_BACK_S) {
            // Another simulator, with time and epochs of its own.
            self.start_at_zero();
            self.epoch = None;
            self.not_before = SimTime::ZERO;
        } else if self.clock.is_some_and(|last| now <= last) && self.due.is_some() {
            return None;
        }
        self.clock = Some(now);
        if self.due.is_some_and(|due| now < due) {
            return None;
        }
        // Keeps the beat, and leaves out what a jump of time has skipped.
        let next = self.due.map_or(now, |due| due.plus(PERIOD));
        self.due = Some(if next > now { next } else { now.plus(PERIOD) });
        if self.is_free() {
            self.fusion.forget_before(now);
        }
        Some(self.fusion.at(now))
    }

    fn accepts(&mut self, stamp: SimTime) -> bool {
        if stamp < self.not_before {
            return false;
        }
        self.first_data.get_or_insert(stamp);
        true
    }

    fn meet_new_surroundings(&mut self) {
        self.surroundings_are_new = false;
        self.fusion.stand_still(self.not_before);
        if let Some(laser) = &mut self.laser {
            laser.forget_surroundings();
        }
    }

    fn start_at_zero(&mut self) {
        self.life += 1;
        self.surroundings_are_new = false;
        self.fusion = Fusion::new(self.options.rear_axle_m);
        if let Some(laser) = &mut self.laser {
            *laser = LaserOdometry::new(self.options.laser.clone());
        }
        (self.newest_scan, self.first_data, self.due) = (None, None, None);
    }
}
