//! A simple battery: it loses charge with time, because the computer runs, and with the way, because the motor does.
//!
//! The voltage falls in a straight line with the charge and sags under current. An empty battery stays at zero and stops
//! nothing: this is a gauge to program against, not a fuel limit. Knows no ROS.

use std::time::Duration;

use crate::domain::SimTime;

/// A three-cell lithium polymer pack, as small cars have it.
#[derive(Debug, Clone, PartialEq)]
pub struct BatteryOptions {
    pub capacity_ah: f64,
    pub full_v: f64,
    pub empty_v: f64,
    /// Computer and sensors.
    pub idle_a: f64,
    /// What the motor adds per m/s.
    pub drive_a_per_m_s: f64,
    pub resistance_ohm: f64,
}

impl Default for BatteryOptions {
    fn default() -> Self {
        Self { capacity_ah: 5.2, full_v: 12.6, empty_v: 9.9, idle_a: 1.5, drive_a_per_m_s: 2.0, resistance_ohm: 0.05 }
    }
}

/// What the gauge shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatteryReading {
    pub stamp: SimTime,
    pub voltage_v: f64,
    /// Positive while discharging.
    pub current_a: f64,
    pub charge_ah: f64,
    /// From 0 to 1.
    pub share: f64,
}

/// The gauge is read at 1 Hz of simulation time.
const PERIOD: Duration = Duration::from_secs(1);
/// Over a longer gap nothing is known, and nothing is drawn.
const MAX_GAP_S: f64 = 1.0;

#[derive(Debug, Clone)]
pub struct Battery {
    options: BatteryOptions,
    charge_ah: f64,
    last: Option<SimTime>,
    due: Option<SimTime>,
}

impl Battery {
    /// Full.
    pub fn new(options: BatteryOptions) -> Self {
        Self { charge_ah: options.capacity_ah, options, last: None, due: None }
    }

    /// Time goes on at this speed; answers the reading when it is due.
    pub fn advance(&mut self, now: SimTime, speed_m_s: f64) -> Option<BatteryReading> {
        let dt = self.last.map_or(0.0, |last| now.secs_since(last));
        self.last = Some(now);
        let current_a = self.options.idle_a + self.options.drive_a_per_m_s * speed_m_s.abs();
        if dt > 0.0 && dt <= MAX_GAP_S {
            self.charge_ah = (self.charge_ah - current_a * dt / 3600.0).max(0.0);
        }
        // Time that runs back is another simulator's.
        if self.due.is_some_and(|due| now < due && due.secs_since(now) <= PERIOD.as_secs_f64()) {
            return None;
        }
        self.due = Some(now.plus(PERIOD));
        let share = self.charge_ah / self.options.capacity_ah;
        let rest_v = self.options.empty_v + share * (self.options.full_v - self.options.empty_v);
        let voltage_v = rest_v - current_a * self.options.resistance_ohm;
        Some(BatteryReading { stamp: now, voltage_v, current_a, charge_ah: self.charge_ah, share })
    }
}
