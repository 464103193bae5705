//! Where something of a track lies: given by coordinates, or by a distance along the road and one across it.

use super::path::Path;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub at: [f64; 2],
    pub yaw_rad: f64,
}

impl Place {
    /// `across` is positive to the left; on the road the turn counts from the direction of travel.
    pub fn new(path: &Path, at: Option<[f64; 2]>, along: Option<f64>, across: Option<f64>, yaw_deg: f64) -> Self {
        match at {
            Some(at) => Self { at, yaw_rad: yaw_deg.to_radians() },
            None => {
                let station = path.at(along.unwrap_or(0.0));
                let turned = station.heading() + yaw_deg.to_radians();
                let yaw_rad = libm::remainder(turned, std::f64::consts::TAU);
                Self { at: station.left(across.unwrap_or(0.0)), yaw_rad }
            }
        }
    }

    /// A point relative to the place.
    pub fn point(&self, ahead: f64, left: f64) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.yaw_rad);
        [self.at[0] + ahead * cos - left * sin, self.at[1] + ahead * sin + left * cos]
    }
}
