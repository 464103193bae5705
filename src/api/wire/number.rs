//! Numbers fit for JSON and for people.

use std::f64::consts::PI;

use crate::domain::SimTime;

const DECIMALS: f64 = 1e6;
/// From here on a double has no decimals left to round away that would matter.
const TOO_LARGE_TO_ROUND: f64 = 1e9;

/// Rounded to 6 decimals; 0 when it is not finite, and never -0.
pub fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return 0.0;
    }
    let shown = if value.abs() < TOO_LARGE_TO_ROUND { (value * DECIMALS).round() / DECIMALS } else { value };
    // Adding a positive zero turns -0 into 0 and changes nothing else.
    shown + 0.0
}

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
