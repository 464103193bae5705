//! Numbers fit for JSON and for people.

use std::f64::consts::PI;

use crate::domain::SimTime;
pub use crate::domain::rounded;

const DECIMALS: f64 = 1e6;
/// An angle rounded to 6 decimals that stays within -pi..pi, which rounding pi itself up would leave.
pub fn angle(radians: f64) -> f64 {
    let shown = rounded(radians);
    let limit = (PI * DECIMALS).floor() / DECIMALS;
    if shown.abs() > PI { limit.copysign(shown) } else { shown }
}

/// Simulation time in seconds. Dividing whole nanoseconds gives the nearest double, so that 0.3 s is shown as 0.3.
pub fn seconds(time: SimTime) -> f64 {
    time.nanos() as f64 / 1e9
}
