//! Fuses gyro and laser odometry into one smooth pose: an extended Kalman filter in the plane.
//!
//! The state is x, y, yaw, speed at the rear axle, yaw rate and gyro bias, and beside it the pose at which the key scan was taken:
//! a scan tells the motion since then, and both ends of it are uncertain together. The filter stands at the time of the last
//! scan; gyro samples after it are kept, so that a scan that arrives late is still used at its own time. It goes on without
//! gyro (the scans tell the turn) and without scans (then the speed fades to the one that was ordered). Knows no ROS.

mod ekf;

use std::collections::VecDeque;

use nalgebra::{Matrix3, Vector3};

use crate::domain::SimTime;
use crate::robot::laser_odom::icp::Match;
use crate::robot::planar::Planar;
use ekf::{Course, Ekf};

/// Gyro samples are kept until a scan is newer, or until they are this old; later scans come too late.
const KEEP_NANOS: i64 = 500_000_000;
/// After a longer silence nothing is known of the way in between: the car is taken to have stood.
const MAX_SILENCE_S: f64 = 1.0;
/// Older samples say nothing of the present turn.
const GYRO_FRESH_S: f64 = 0.1;
/// Gyro noise is never taken for less: the samples are not taken at the very moment of their stamp.
const MIN_GYRO_VARIANCE: f64 = 4e-4 * 4e-4;

/// One reading of the gyro about the vertical.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GyroSample {
    pub stamp: SimTime,
    pub yaw_rate_rad_s: f64,
    /// 0 or less when the sensor does not say.
    pub variance: f64,
}

/// The fused state at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct OdomEstimate {
    pub stamp: SimTime,
    pub pose: Planar,
    pub covariance: Matrix3<f64>,
    /// Along x, along y, and turning, in the vehicle's frame.
    pub velocity: Vector3<f64>,
    pub velocity_covariance: Matrix3<f64>,
}

/// The ordered speed, and the one before it: the filter's state is a little behind the present.
#[derive(Debug, Clone, Copy, Default)]
struct Ordered {
    m_s: f64,
    since: Option<SimTime>,
    before_m_s: f64,
}

impl Ordered {
    fn at(&self, time: SimTime) -> f64 {
        if self.since.is_some_and(|since| time < since) { self.before_m_s } else { self.m_s }
    }
}

#[derive(Debug, Clone)]
pub struct Fusion {
    ekf: Ekf,
    /// Time of the filter's state; `None` until something arrives.
    now: Option<SimTime>,
    gyro: VecDeque<GyroSample>,
    ordered: Ordered,
    last_gyro: Option<SimTime>,
    last_match: Option<SimTime>,
    /// The latest time for which the state was asked.
    shown: Option<SimTime>,
}

impl Fusion {
    /// Starts at zero, standing. The rear axle is this far behind the vehicle's origin.
    pub fn new(rear_axle_m: f64) -> Self {
        Self {
            ekf: Ekf::new(rear_axle_m),
            now: None,
            gyro: VecDeque::new(),
            ordered: Ordered::default(),
            last_gyro: None,
            last_match: None,
            shown: None,
        }
    }

    /// The speed that the drive is asked for.
    pub fn order_speed(&mut self, m_s: f64) {
        if m_s != self.ordered.m_s {
            self.ordered = Ordered { m_s, since: self.shown, before_m_s: self.ordered.m_s };
        }
    }

    /// Takes a reading; one that is older than the filter's state comes too late and is dropped.
    pub fn gyro(&mut self, sample: GyroSample) {
        let in_order = self.gyro.back().is_none_or(|last| last.stamp < sample.stamp);
        let in_time = self.now.is_none_or(|now| now < sample.stamp);
        if in_order && in_time && sample.yaw_rate_rad_s.is_finite() {
            self.gyro.push_back(sample);
        }
    }

    /// Moves the filter's state to this time, through the readings until then. Never back.
    pub fn advance(&mut self, to: SimTime) {
        if let (Some(now), Some(shown)) = (self.now, self.shown)
            && to.secs_since(now) > MAX_SILENCE_S
            && shown < to
        {
            // After a jump of time the pose goes on from where it was last shown.
            self.go_to(shown);
        }
        self.go_to(to);
    }

    /// Moves the state on where no scan does it, so that readings do not pile up. A filter to which nothing has been told
    /// stays at its beginning: time in which nobody measured would only make it doubt where the beginning was.
    pub fn forget_before(&mut self, now: SimTime) {
        let oldest = SimTime::from_nanos(now.nanos() - KEEP_NANOS);
        if self.now.is_some() || self.gyro.front().is_some_and(|sample| sample.stamp <= oldest) {
            self.advance(oldest);
        }
    }

    /// Whether the filter's state is already beyond this time.
    pub fn is_past(&self, stamp: SimTime) -> bool {
        self.now.is_some_and(|now| now > stamp)
    }

    /// The state at this time, or at the filter's own if that is later.
    pub fn at(&mut self, stamp: SimTime) -> OdomEstimate {
        let mut ahead = self.clone();
        ahead.advance(stamp);
        self.shown = ahead.now;
        ahead.ekf.estimate(ahead.now.unwrap_or(stamp))
    }

    /// Motion since the key scan, as the filter has it now.
    pub fn motion_since_key(&self) -> Planar {
        self.ekf.key_pose().to(self.ekf.pose())
    }

    pub fn speed_m_s(&self) -> f64 {
        self.ekf.speed()
    }

    /// Whether the turn up to now was measured by the gyro.
    pub fn turn_is_measured(&self) -> bool {
        is_within(self.now, self.last_gyro, GYRO_FRESH_S)
    }

    /// A scan taken at the filter's present time has told the motion since the key scan.
    pub fn measure_motion(&mut self, found: &Match) {
        self.ekf.measure_motion(found.motion, &found.covariance);
        self.last_match = self.now;
    }

    /// The scan taken at the filter's present time is the new key scan.
    pub fn take_key(&mut self) {
        self.ekf.take_key();
    }

    /// At this time the car was put somewhere and stands; the pose goes on from where it was.
    pub fn stand_still(&mut self, at: SimTime) {
        self.advance(at);
        self.ekf.stand_still();
    }

    fn go_to(&mut self, to: SimTime) {
        while let Some(sample) = self.gyro.front().copied().filter(|sample| sample.stamp <= to) {
            self.gyro.pop_front();
            self.pass_time(sample.stamp);
            self.ekf.measure_yaw_rate(sample.yaw_rate_rad_s, sample.variance.max(MIN_GYRO_VARIANCE));
            self.last_gyro = Some(sample.stamp);
        }
        self.pass_time(to);
    }

    fn pass_time(&mut self, to: SimTime) {
        let now = *self.now.get_or_insert(to);
        let dt = to.secs_since(now);
        if dt <= 0.0 {
            return;
        }
        if dt > MAX_SILENCE_S {
            self.ekf.stand_still();
        } else {
            let course = Course {
                ordered_speed_m_s: self.ordered.at(now),
                scan_age_s: self.last_match.map_or(f64::INFINITY, |last| now.secs_since(last)),
                turn_is_measured: is_within(Some(to), self.last_gyro, GYRO_FRESH_S),
            };
            self.ekf.predict(dt, &course);
        }
        self.now = Some(to);
    }
}

fn is_within(now: Option<SimTime>, last: Option<SimTime>, limit_s: f64) -> bool {
    now.zip(last).is_some_and(|(now, last)| now.secs_since(last) <= limit_s)
}
