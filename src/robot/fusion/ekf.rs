//! The filter itself: prediction by the motion of a car, correction by yaw rate and by motion since the key scan.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::OdomEstimate;
use crate::domain::SimTime;
use crate::robot::planar::{Planar, wrap};

const X: usize = 0;
const Y: usize = 1;
const YAW: usize = 2;
const SPEED: usize = 3;
const RATE: usize = 4;
const BIAS: usize = 5;
/// The pose of the key scan follows.
const KEY: usize = 6;
const N: usize = 9;

type State = SVector<f64, N>;
type Square = SMatrix<f64, N, N>;

/// How fast speed and yaw rate usually change.
const ACCEL_SIGMA: f64 = 4.0;
const YAW_ACCEL_SIGMA: f64 = 12.0;
/// Over which time such a change goes on in one direction.
const CHANGE_S: f64 = 0.1;
/// How far the car slides off its wheels' way, per square root of a second.
const SLIDE_SIGMA: f64 = 0.01;
/// The same for a turn that no gyro sees (it leans, bumps).
const TURN_SIGMA: f64 = 2e-4;
/// The bias at the start, and how it wanders per square root of a second.
const FIRST_BIAS_SIGMA: f64 = 0.005;
const BIAS_SIGMA: f64 = 2e-5;
/// Without a scan for this long the speed is no longer trusted and fades to what was ordered.
const TRUST_S: f64 = 0.3;
const FADE_S: f64 = 0.2;
const FADED_SPEED_SIGMA: f64 = 0.3;
const FADED_RATE_SIGMA: f64 = 0.5;

/// What else is known about the motion while time passes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Course {
    pub ordered_speed_m_s: f64,
    /// Time since a scan has told the motion.
    pub scan_age_s: f64,
    pub turn_is_measured: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Ekf {
    state: State,
    covariance: Square,
    rear_axle_m: f64,
}

impl Ekf {
    pub fn new(rear_axle_m: f64) -> Self {
        let mut ekf = Self { state: State::zeros(), covariance: Square::zeros(), rear_axle_m };
        ekf.covariance[(BIAS, BIAS)] = FIRST_BIAS_SIGMA * FIRST_BIAS_SIGMA;
        ekf.stand_still();
        ekf
    }

    pub fn pose(&self) -> Planar {
        Planar::new(self.state[X], self.state[Y], self.state[YAW])
    }

    pub fn key_pose(&self) -> Planar {
        Planar::new(self.state[KEY], self.state[KEY + 1], self.state[KEY + 2])
    }

    pub fn speed(&self) -> f64 {
        self.state[SPEED].hypot(self.state[RATE] * self.rear_axle_m)
    }

    /// The rear axle goes where it points; the vehicle's origin lies ahead of it and swings out.
    pub fn predict(&mut self, dt: f64, course: &Course) {
        let (sin, cos) = (self.state[YAW] + 0.5 * dt * self.state[RATE]).sin_cos();
        let (speed, swing) = (self.state[SPEED], self.state[RATE] * self.rear_axle_m);
        let (dx, dy) = ((speed * cos - swing * sin) * dt, (speed * sin + swing * cos) * dt);
        self.state[X] += dx;
        self.state[Y] += dy;
        self.state[YAW] = wrap(self.state[YAW] + self.state[RATE] * dt);

        let mut by = Square::identity();
        by[(X, YAW)] = -dy;
        by[(Y, YAW)] = dx;
        by[(X, SPEED)] = cos * dt;
        by[(Y, SPEED)] = sin * dt;
        by[(X, RATE)] = -self.rear_axle_m * sin * dt - 0.5 * dt * dy;
        by[(Y, RATE)] = self.rear_axle_m * cos * dt + 0.5 * dt * dx;
        by[(YAW, RATE)] = dt;
        self.covariance = by * self.covariance * by.transpose();

        let mut push = State::zeros();
        (push[X], push[Y], push[SPEED]) = (0.5 * dt * cos, 0.5 * dt * sin, 1.0);
        self.covariance += push * push.transpose() * (ACCEL_SIGMA * ACCEL_SIGMA * CHANGE_S * dt);
        let mut twist = State::zeros();
        (twist[X], twist[Y]) = (-0.5 * dt * self.rear_axle_m * sin, 0.5 * dt * self.rear_axle_m * cos);
        (twist[YAW], twist[RATE]) = (0.5 * dt, 1.0);
        self.covariance += twist * twist.transpose() * (YAW_ACCEL_SIGMA * YAW_ACCEL_SIGMA * CHANGE_S * dt);
        let wander = [(X, SLIDE_SIGMA), (Y, SLIDE_SIGMA), (YAW, TURN_SIGMA), (BIAS, BIAS_SIGMA)];
        for (k, sigma) in wander {
            self.covariance[(k, k)] += sigma * sigma * dt;
        }

        if course.scan_age_s > TRUST_S {
            self.fade(SPEED, course.ordered_speed_m_s, FADED_SPEED_SIGMA, dt);
            if !course.turn_is_measured {
                self.fade(RATE, 0.0, FADED_RATE_SIGMA, dt);
            }
        }
    }

    pub fn measure_yaw_rate(&mut self, measured: f64, variance: f64) {
        let mut by = SMatrix::<f64, 1, N>::zeros();
        (by[RATE], by[BIAS]) = (1.0, 1.0);
        let surprise = measured - self.state[RATE] - self.state[BIAS];
        self.correct(&by, &SVector::<f64, 1>::new(surprise), &SMatrix::<f64, 1, 1>::new(variance));
    }

    pub fn measure_motion(&mut self, measured: Planar, covariance: &Matrix3<f64>) {
        let expected = self.key_pose().to(self.pose());
        let (sin, cos) = self.state[KEY + 2].sin_cos();
        let mut by = SMatrix::<f64, 3, N>::zeros();
        let turn = Matrix3::new(cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0);
        by.fixed_view_mut::<3, 3>(0, X).copy_from(&turn);
        by.fixed_view_mut::<3, 3>(0, KEY).copy_from(&-turn);
        by[(0, KEY + 2)] = expected.y;
        by[(1, KEY + 2)] = -expected.x;
        let surprise =
            Vector3::new(measured.x - expected.x, measured.y - expected.y, wrap(measured.yaw - expected.yaw));
        self.correct(&by, &surprise, covariance);
    }

    /// The present pose is the one of the key scan from now on.
    pub fn take_key(&mut self) {
        let mut copy = Square::identity();
        for k in 0..3 {
            copy[(KEY + k, KEY + k)] = 0.0;
            copy[(KEY + k, k)] = 1.0;
        }
        self.state = copy * self.state;
        self.covariance = copy * self.covariance * copy.transpose();
    }

    /// No speed and no turn, with the doubt that the car has just begun to move.
    pub fn stand_still(&mut self) {
        for (k, sigma) in [(SPEED, FADED_SPEED_SIGMA), (RATE, FADED_RATE_SIGMA)] {
            self.replace(k, 0.0, sigma);
        }
    }

    pub fn estimate(&self, stamp: SimTime) -> OdomEstimate {
        let swing = self.rear_axle_m;
        let mut by = SMatrix::<f64, 3, N>::zeros();
        (by[(0, SPEED)], by[(1, RATE)], by[(2, RATE)]) = (1.0, swing, 1.0);
        let mut velocity_covariance = by * self.covariance * by.transpose();
        velocity_covariance[(1, 1)] += SLIDE_SIGMA * SLIDE_SIGMA;
        OdomEstimate {
            stamp,
            pose: self.pose(),
            covariance: self.covariance.fixed_view::<3, 3>(X, X).into_owned(),
            velocity: by * self.state,
            velocity_covariance,
        }
    }

    fn fade(&mut self, k: usize, towards: f64, sigma: f64, dt: f64) {
        let keep = (-dt / FADE_S).exp();
        self.state[k] = towards + (self.state[k] - towards) * keep;
        let mut by = Square::identity();
        by[(k, k)] = keep;
        self.covariance = by * self.covariance * by.transpose();
        self.covariance[(k, k)] += sigma * sigma * (1.0 - keep * keep);
    }

    fn replace(&mut self, k: usize, value: f64, sigma: f64) {
        self.state[k] = value;
        self.covariance.row_mut(k).fill(0.0);
        self.covariance.column_mut(k).fill(0.0);
        self.covariance[(k, k)] = sigma * sigma;
    }

    /// One Kalman update in Joseph's form, which keeps the covariance symmetric and positive.
    fn correct<const M: usize>(
        &mut self,
        by: &SMatrix<f64, M, N>,
        surprise: &SVector<f64, M>,
        noise: &SMatrix<f64, M, M>,
    ) {
        let expected = by * self.covariance * by.transpose() + noise;
        let Some(inverse) = expected.try_inverse() else { return };
        let gain = self.covariance * by.transpose() * inverse;
        self.state += gain * surprise;
        self.state[YAW] = wrap(self.state[YAW]);
        self.state[KEY + 2] = wrap(self.state[KEY + 2]);
        let rest = Square::identity() - gain * by;
        self.covariance = rest * self.covariance * rest.transpose() + gain * noise * gain.transpose();
    }
}
