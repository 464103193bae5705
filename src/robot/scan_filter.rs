//! Cleans a lidar scan: rays that say nothing become 0.0, all others stay as they are.
//!
//! There is no despeckling on purpose. A return whose neighbours see something else is how a cone or a sign post looks from a
//! few metres away; whoever drives needs it, and the laser odometry leaves such points out by itself.

use crate::domain::SimTime;

/// One turn of a planar lidar that was taken at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RangeScan {
    pub stamp: SimTime,
    pub angle_min_rad: f64,
    pub angle_increment_rad: f64,
    pub range_min_m: f64,
    pub range_max_m: f64,
    pub ranges_m: Vec<f32>,
}

/// What an invalid ray is in a filtered scan.
pub const INVALID: f32 = 0.0;

/// Marks what is not a number, infinite or out of the sensor's range.
pub fn filter(scan: &mut RangeScan) {
    let valid = scan.range_min_m as f32..=scan.range_max_m as f32;
    for range in &mut scan.ranges_m {
        if !(range.is_finite() && *range > 0.0 && valid.contains(range)) {
            *range = INVALID;
        }
    }
}
