//! When the next step is due, and how fast time really goes.

use std::time::{Duration, Instant};

use crate::domain::STEP_NANOS;

/// Later than this and the lost time is given up: catching up would show as a whip.
const GIVE_UP: Duration = Duration::from_millis(100);
/// The real-time factor is measured over this much wall time.
const METER_WINDOW: Duration = Duration::from_millis(500);

/// Ties steps to wall time at a chosen real-time factor.
#[derive(Debug)]
pub struct Pacing {
    /// 0 = as fast as it can.
    factor: f64,
    next: Instant,
}

impl Pacing {
    pub fn new(factor: f64, now: Instant) -> Self {
        Self { factor, next: now }
    }

    pub fn factor(&self) -> f64 {
        self.factor
    }

    pub fn set_factor(&mut self, factor: f64, now: Instant) {
        self.factor = factor;
        self.next = now;
    }

    /// Time stands still for a while: begin anew.
    pub fn restart(&mut self, now: Instant) {
        self.next = now;
    }

    /// How long until the next step; zero when it is due.
    pub fn wait(&self, now: Instant) -> Duration {
        if self.factor == 0.0 { Duration::ZERO } else { self.next.saturating_duration_since(now) }
    }

    /// A step was made.
    pub fn stepped(&mut self, now: Instant) {
        if self.factor == 0.0 {
            return;
        }
        self.next += Duration::from_secs_f64(STEP_NANOS as f64 * 1e-9 / self.factor);
        if now.saturating_duration_since(self.next) > GIVE_UP {
            self.next = now;
        }
    }
}

/// Measures the real-time factor.
#[derive(Debug)]
pub struct RtfMeter {
    since: Instant,
    steps: u32,
    value: f64,
}

impl RtfMeter {
    pub fn new(now: Instant) -> Self {
        Self { since: now, steps: 0, value: 0.0 }
    }

    pub fn stepped(&mut self) {
        self.steps = self.steps.saturating_add(1);
    }

    /// To be asked often; renews its value once a window has passed.
    pub fn read(&mut self, now: Instant) -> f64 {
        let wall = now.saturating_duration_since(self.since);
        if wall >= METER_WINDOW {
            self.value = f64::from(self.steps) * STEP_NANOS as f64 * 1e-9 / wall.as_secs_f64();
            self.since = now;
            self.steps = 0;
        }
        self.value
    }

    /// Time stands still.
    pub fn stop(&mut self, now: Instant) {
        *self = Self::new(now);
    }
}
