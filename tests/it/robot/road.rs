//! The centre line of a world's road: places along it and points on it.

use sim_api::domain::WorldName;
use sim_api::robot::planar::Planar;
use sim_api::worlds::Bundle;

use crate::builder::worlds_dir;

/// How far along the road a car may have come since it was last looked for: roads cross themselves.
const REACH_M: f64 = 1.0;

pub struct Road {
    /// The last point is the first one again.
    points: Vec<[f64; 2]>,
    along_m: Vec<f64>,
    pub length_m: f64,
    pub half_width_m: f64,
}

impl Road {
    pub fn of(world: &str) -> Self {
        let bundle = Bundle::new(WorldName::parse(world).expect("a name"), worlds_dir().join(world), true);
        let route = bundle.route().expect("a good route").expect("a route");
        let points = route.waypoints;
        let mut along_m = vec![0.0];
        for pair in points.windows(2) {
            along_m.push(along_m[along_m.len() - 1] + gap(pair[0], pair[1]));
        }
        let length_m = along_m[along_m.len() - 1];
        let half_width_m = gap(points[0], route.outer.expect("a road has an edge")[0]);
        Self { points, along_m, length_m, half_width_m }
    }

    /// How far along the road a place is and how far beside it; after `near_m`, which may be more than one lap.
    pub fn place_of(&self, pose: Planar, near_m: Option<f64>) -> (f64, f64) {
        let mut best = (0.0, f64::INFINITY);
        for (k, pair) in self.points.windows(2).enumerate() {
            let [a, b] = [pair[0], pair[1]];
            let (ex, ey) = (b[0] - a[0], b[1] - a[1]);
            let length = self.along_m[k + 1] - self.along_m[k];
            let part = ((pose.x - a[0]) * ex + (pose.y - a[1]) * ey) / (length * length);
            let part = part.clamp(0.0, 1.0);
            let off = gap([pose.x, pose.y], [a[0] + part * ex, a[1] + part * ey]);
            let mut along = self.along_m[k] + part * length;
            if let Some(near) = near_m {
                // The same place in the lap that is nearest.
                along += ((near - along) / self.length_m).round() * self.length_m;
                if (along - near).abs() > REACH_M {
                    continue;
                }
            }
            if off < best.1 {
                best = (along, off);
            }
        }
        best
    }

    pub fn point_at(&self, along_m: f64) -> [f64; 2] {
        let along = along_m.rem_euclid(self.length_m);
        let k = self.along_m.partition_point(|start| *start <= along).clamp(1, self.points.len() - 1) - 1;
        let part = (along - self.along_m[k]) / (self.along_m[k + 1] - self.along_m[k]);
        let ([ax, ay], [bx, by]) = (self.points[k], self.points[k + 1]);
        [ax + part * (bx - ax), ay + part * (by - ay)]
    }

    pub fn heading_at(&self, along_m: f64) -> f64 {
        let ([ax, ay], [bx, by]) = (self.point_at(along_m), self.point_at(along_m + 0.05));
        (by - ay).atan2(bx - ax)
    }
}

fn gap([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    (ax - bx).hypot(ay - by)
}
