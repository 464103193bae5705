//! Simulation time: whole nanoseconds since the first start of this data folder, advancing in whole steps and never back.

use std::time::Duration;

/// One physics step.
pub const STEP_NANOS: i64 = 5_000_000;
/// How many of them make a simulated second.
pub const STEPS_PER_SECOND: u64 = 200;

/// A point in simulation time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SimTime {
    nanos: i64,
}

impl SimTime {
    pub const ZERO: Self = Self { nanos: 0 };

    pub const fn from_nanos(nanos: i64) -> Self {
        Self { nanos }
    }

    /// The two fields of `builtin_interfaces/Time`.
    pub const fn from_sec_nanosec(sec: i32, nanosec: u32) -> Self {
        Self { nanos: sec as i64 * 1_000_000_000 + nanosec as i64 }
    }

    pub const fn nanos(self) -> i64 {
        self.nanos
    }

    pub fn as_secs(self) -> f64 {
        self.nanos as f64 * 1e-9
    }

    /// Split for `builtin_interfaces/Time`; seconds saturate at the type's end, 68 years on.
    pub fn sec_nanosec(self) -> (i32, u32) {
        let sec = self.nanos.div_euclid(1_000_000_000);
        (i32::try_from(sec).unwrap_or(i32::MAX), self.nanos.rem_euclid(1_000_000_000) as u32)
    }

    pub fn plus_steps(self, steps: u64) -> Self {
        Self { nanos: self.nanos.saturating_add((steps as i64).saturating_mul(STEP_NANOS)) }
    }

    pub fn plus(self, duration: Duration) -> Self {
        Self { nanos: self.nanos.saturating_add(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)) }
    }

    /// Seconds from `earlier` to this; negative when this is the earlier one.
    pub fn secs_since(self, earlier: Self) -> f64 {
        (self.nanos - earlier.nanos) as f64 * 1e-9
    }
}
