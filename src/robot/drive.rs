//! From drive commands to what the actuators are asked for: limits, expiry, and which command wins. Knows no ROS.

use std::time::Duration;

use crate::domain::{DriveTarget, SimTime, VehicleSpec};

/// Steering commands reach this far; the joint a little further.
const MAX_STEERING_RAD: f64 = 20.0 * std::f64::consts::PI / 180.0;
const MAX_CAMERA_RAD: f64 = 30.0 * std::f64::consts::PI / 180.0;
/// A speed is forgotten after this much simulation time: a program that has died must not drive on.
const SPEED_LIFE: Duration = Duration::from_secs(1);
/// The target is repeated at 50 Hz of simulation time.
const REPEAT: Duration = Duration::from_millis(20);

/// One command, as it arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// From `/cmd_vel`: speed and steering at once.
    Twist {
        speed_m_s: f64,
        yaw_rate_rad_s: f64,
    },
    Speed {
        m_s: f64,
    },
    Steering {
        rad: f64,
    },
    Pan {
        rad: f64,
    },
    Tilt {
        rad: f64,
    },
}

/// Holds the newest commands. The newest one wins, whichever topic it came on.
#[derive(Debug, Clone)]
pub struct Driver {
    wheelbase_m: f64,
    max_speed_m_s: f64,
    target: DriveTarget,
    now: SimTime,
    speed_until: Option<SimTime>,
    repeat_at: SimTime,
}

impl Driver {
    pub fn new(vehicle: &VehicleSpec) -> Self {
        Self {
            wheelbase_m: vehicle.wheelbase_m,
            max_speed_m_s: vehicle.max_speed_m_s,
            target: DriveTarget::default(),
            now: SimTime::ZERO,
            speed_until: None,
            repeat_at: SimTime::ZERO,
        }
    }

    pub fn target(&self) -> DriveTarget {
        self.target
    }

    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Takes a command; answers whether the target has changed. What is not a number is no command.
    pub fn order(&mut self, order: Order) -> bool {
        let before = self.target;
        match order {
            Order::Twist { speed_m_s, yaw_rate_rad_s } if speed_m_s.is_finite() && yaw_rate_rad_s.is_finite() => {
                self.set_speed(speed_m_s);
                self.set_steering(steering_for(speed_m_s, yaw_rate_rad_s, self.wheelbase_m));
            }
            Order::Speed { m_s } if m_s.is_finite() => self.set_speed(m_s),
            Order::Steering { rad } if rad.is_finite() => self.set_steering(rad),
            Order::Pan { rad } if rad.is_finite() => self.target.camera_pan_rad = clamp(rad, MAX_CAMERA_RAD),
            Order::Tilt { rad } if rad.is_finite() => self.target.camera_tilt_rad = clamp(rad, MAX_CAMERA_RAD),
            _ => {}
        }
        self.target != before
    }

    /// Simulation time goes on; answers whether the target is to be published again.
    pub fn tick(&mut self, now: SimTime) -> bool {
        if now < self.now {
            // Another simulator: a speed must not outlive the rest of the old time.
            self.speed_until = self.speed_until.map(|_| now.plus(SPEED_LIFE));
        }
        self.now = now;
        if self.speed_until.is_some_and(|until| now >= until) {
            self.stop();
            return true;
        }
        if now < self.repeat_at && self.repeat_at.secs_since(now) <= REPEAT.as_secs_f64() {
            return false;
        }
        self.repeat_at = now.plus(REPEAT);
        true
    }

    /// No speed; the steering stays where it is.
    pub fn stop(&mut self) {
        self.target.speed_m_s = 0.0;
        self.speed_until = None;
    }

    fn set_speed(&mut self, m_s: f64) {
        self.target.speed_m_s = clamp(m_s, self.max_speed_m_s);
        self.speed_until = (m_s != 0.0).then(|| self.now.plus(SPEED_LIFE));
    }

    fn set_steering(&mut self, rad: f64) {
        self.target.steering_rad = clamp(rad, MAX_STEERING_RAD);
    }
}

fn clamp(value: f64, limit: f64) -> f64 {
    value.clamp(-limit, limit)
}

/// The angle at which a car of this wheelbase turns at this rate. At standstill it can only point its wheels the right way.
fn steering_for(speed_m_s: f64, yaw_rate_rad_s: f64, wheelbase_m: f64) -> f64 {
    if yaw_rate_rad_s == 0.0 {
        0.0
    } else if speed_m_s == 0.0 {
        MAX_STEERING_RAD.copysign(yaw_rate_rad_s)
    } else {
        (yaw_rate_rad_s * wheelbase_m / speed_m_s).atan()
    }
}
