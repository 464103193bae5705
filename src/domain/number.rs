//! Numbers as they are shown and kept.

const DECIMALS: f64 = 1e6;
/// From here on a double has no decimals left to round away that would matter.
const TOO_LARGE_TO_ROUND: f64 = 1e9;

/// Rounded to 6 decimals (a micrometre, a microsecond); 0 when it is not finite, and never -0.
pub fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return 0.0;
    }
    let shown = if value.abs() < TOO_LARGE_TO_ROUND { (value * DECIMALS).round() / DECIMALS } else { value };
    // Adding a positive zero turns -0 into 0 and changes nothing else.
    shown + 0.0
}
