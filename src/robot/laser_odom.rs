//! Laser odometry: where the vehicle is, from scans alone.
//!
//! Every scan is laid over a key scan, which is replaced after a short way: standing still adds no drift, and driving adds it
//! once per key scan instead of once per scan. What a car cannot do is not believed: when the surroundings jump (a teleport) or
//! are not recognised, the pose follows its prediction, and the present scan becomes the new key scan. Knows no ROS.

pub mod icp;
pub mod kd_tree;
pub mod outline;

use nalgebra::{Matrix3, Vector3};

use crate::domain::SimTime;
use crate::robot::planar::{Planar, covariance_then};
use crate::robot::scan_filter::RangeScan;
use icp::{Match, Reference};
use outline::Echo;

/// What the vehicle can do, and where its lidar is.
#[derive(Debug, Clone, PartialEq)]
pub struct LaserOptions {
    pub base_from_lidar: Planar,
    pub max_speed_m_s: f64,
    pub max_accel_m_s2: f64,
    pub max_yaw_rate_rad_s: f64,
}

/// A new key scan is taken after this way, this turn, or when so few points are still recognised.
const KEY_DISTANCE_M: f64 = 0.3;
const KEY_TURN_RAD: f64 = 0.35;
const KEY_SHARE: f64 = 0.8;
/// When fewer points than this are recognised the car is somewhere else.
const LOST_SHARE: f64 = 0.6;
/// Slack of the limits: wheels grip better than the book says, and scans are noisy.
const ACCEL_SLACK: f64 = 1.2;
const SPEED_SLACK_M_S: f64 = 0.2;
/// How far scan and gyro may disagree about a turn.
const TURN_SLACK_RAD: f64 = 0.06;
/// How uncertain a prediction is that no scan has confirmed.
const LOST_SIGMA_M: f64 = 0.05;
const LOST_SIGMA_RAD: f64 = 0.01;

/// What is expected before the scan is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Expectation {
    /// Motion since the key scan.
    pub motion: Planar,
    /// Speed over ground at the time of the last scan.
    pub speed_m_s: f64,
    /// The turn comes from a gyro and can be held against the scan.
    pub turn_is_measured: bool,
}

/// Where the vehicle is after a scan.
#[derive(Debug, Clone, PartialEq)]
pub struct LaserEstimate {
    pub stamp: SimTime,
    pub pose: Planar,
    pub covariance: Matrix3<f64>,
    /// Along x, along y, and turning, in the vehicle's frame.
    pub velocity: Vector3<f64>,
    pub velocity_covariance: Matrix3<f64>,
    pub finding: Finding,
    /// This scan is the key scan from now on.
    pub new_key: bool,
}

/// What a scan has told.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// The motion since the key scan that was valid before this one.
    Moved(Match),
    /// There is nothing to compare it with.
    First,
    /// Too little is seen, or nothing of it is recognised.
    Unrecognised,
    /// The surroundings have moved as no car can.
    Jumped,
}

#[derive(Debug, Clone)]
struct Key {
    /// `None` when that scan showed too little.
    reference: Option<Reference>,
    pose: Planar,
    covariance: Matrix3<f64>,
}

#[derive(Debug, Clone)]
pub struct LaserOdometry {
    options: LaserOptions,
    key: Option<Key>,
    /// Motion since the key scan at the last scan.
    motion: Planar,
    last: Option<SimTime>,
    pose: Planar,
    covariance: Matrix3<f64>,
}

impl LaserOdometry {
    /// Starts at zero.
    pub fn new(options: LaserOptions) -> Self {
        Self { options, key: None, motion: Planar::ZERO, last: None, pose: Planar::ZERO, covariance: Matrix3::zeros() }
    }

    /// The surroundings are new from now on; the pose stays.
    pub fn forget_surroundings(&mut self) {
        if let Some(key) = &mut self.key {
            key.reference = None;
        }
    }

    /// Takes a filtered scan that is newer than the last one.
    pub fn scan(&mut self, scan: &RangeScan, expected: Expectation) -> LaserEstimate {
        let echoes = outline::echoes(scan, self.options.base_from_lidar);
        let dt = self.last.map_or(0.0, |last| scan.stamp.secs_since(last));
        self.last = Some(scan.stamp);
        let finding = self.compare(&echoes, expected, dt);
        let (velocity, velocity_covariance) = self.follow(&finding, expected, dt);
        let new_key = match &finding {
            Finding::Moved(found) => {
                let far = found.motion.distance() > KEY_DISTANCE_M || found.motion.yaw.abs() > KEY_TURN_RAD;
                far || found.inlier_share < KEY_SHARE
            }
            _ => true,
        };
        if new_key {
            let reference = Reference::new(scan, &echoes);
            self.key = Some(Key { reference, pose: self.pose, covariance: self.covariance });
            self.motion = Planar::ZERO;
        }
        LaserEstimate {
            stamp: scan.stamp,
            pose: self.pose,
            covariance: self.covariance,
            velocity,
            velocity_covariance,
            finding,
            new_key,
        }
    }

    fn compare(&self, echoes: &[Echo], expected: Expectation, dt: f64) -> Finding {
        let Some(reference) = self.key.as_ref().and_then(|key| key.reference.as_ref()) else { return Finding::First };
        match reference.align(echoes, expected.motion) {
            Some(found) if found.inlier_share < LOST_SHARE => Finding::Unrecognised,
            Some(found) if !self.is_possible(&found, expected, dt) => Finding::Jumped,
            Some(found) => Finding::Moved(found),
            None => Finding::Unrecognised,
        }
    }

    /// Whether a car could have moved like this since the last scan. Stopping at once is possible: there are walls.
    fn is_possible(&self, found: &Match, expected: Expectation, dt: f64) -> bool {
        let limits = &self.options;
        let step = self.motion.to(found.motion);
        let reachable = expected.speed_m_s.abs() + ACCEL_SLACK * limits.max_accel_m_s2 * dt + SPEED_SLACK_M_S;
        let speed = reachable.min(limits.max_speed_m_s + SPEED_SLACK_M_S);
        let surprise = expected.motion.to(found.motion).yaw.abs();
        step.distance() <= speed * dt
            && step.yaw.abs() <= limits.max_yaw_rate_rad_s * dt
            && (!expected.turn_is_measured || surprise <= TURN_SLACK_RAD)
    }

    /// Moves the pose; answers the velocity since the last scan.
    fn follow(&mut self, finding: &Finding, expected: Expectation, dt: f64) -> (Vector3<f64>, Matrix3<f64>) {
        let unknown = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 1.0));
        let Some(key) = &self.key else { return (Vector3::zeros(), unknown) };
        let (motion, covariance) = match finding {
            Finding::Moved(found) => (found.motion, found.covariance),
            _ => {
                let lost = Vector3::new(LOST_SIGMA_M, LOST_SIGMA_M, LOST_SIGMA_RAD);
                (expected.motion, Matrix3::from_diagonal(&lost.component_mul(&lost)))
            }
        };
        let step = self.motion.to(motion);
        self.pose = key.pose.then(motion);
        // Modest: the noise of a key scan enters twice, once with each sign, and partly cancels; here it counts in full.
        self.covariance = covariance_then(key.pose, &key.covariance, motion, &covariance);
        self.motion = motion;
        if dt <= 0.0 {
            return (Vector3::zeros(), unknown);
        }
        // Both ends of the step were measured against the key scan.
        (Vector3::new(step.x, step.y, step.yaw) / dt, covariance * (2.0 / (dt * dt)))
    }
}
