//! Surroundings made of straight walls, a lidar and a gyro in them, and cars whose way is known exactly.

use sim_api::domain::SimTime;
use sim_api::robot::fusion::GyroSample;
use sim_api::robot::planar::Planar;
use sim_api::robot::scan_filter::RangeScan;

pub const RAYS: usize = 720;
pub const RANGE_SIGMA_M: f64 = 0.01;
pub const GYRO_SIGMA: f64 = 2e-4;
/// Half of the wheelbase.
pub const REAR_AXLE_M: f64 = 0.09;
/// The true time between two states of a drive.
pub const STEP_NANOS: i64 = 1_000_000;

/// Noise that is the same for the same seed.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// Between 0 and 1, neither of them.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + f64::EPSILON
    }

    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Walls from point to point.
pub struct Walls(Vec<[[f64; 2]; 2]>);

impl Walls {
    /// A fence of 5 by 5 m with boxes inside.
    pub fn fence() -> Self {
        let mut walls = Self(Vec::new());
        walls.rectangle(Planar::ZERO, 5.0, 5.0);
        walls.rectangle(Planar::new(0.1, 0.2, 0.4), 0.4, 0.3);
        walls.rectangle(Planar::new(-0.6, -0.3, 0.0), 0.25, 0.25);
        walls.rectangle(Planar::new(2.1, 1.2, 0.2), 0.3, 0.3);
        walls.rectangle(Planar::new(-2.2, 0.7, -0.3), 0.2, 0.5);
        walls.rectangle(Planar::new(0.8, -2.2, 0.6), 0.3, 0.2);
        walls
    }

    /// Two parallel walls without an end in sight, 2 m apart along x.
    pub fn corridor() -> Self {
        Self(vec![[[-100.0, 1.0], [100.0, 1.0]], [[-100.0, -1.0], [100.0, -1.0]]])
    }

    /// Nothing at all.
    pub fn none() -> Self {
        Self(Vec::new())
    }

    pub fn rectangle(&mut self, at: Planar, length: f64, width: f64) {
        let (l, w) = (0.5 * length, 0.5 * width);
        let corners = [[l, w], [-l, w], [-l, -w], [l, -w]].map(|corner| at.apply(corner));
        for k in 0..4 {
            self.0.push([corners[k], corners[(k + 1) % 4]]);
        }
    }

    /// What a lidar at this pose measures; out of range is infinite.
    pub fn scan(&self, stamp: SimTime, lidar: Planar, noise: &mut Noise) -> RangeScan {
        let increment = std::f64::consts::TAU / RAYS as f64;
        let ranges_m = (0..RAYS).map(|k| {
            let angle = lidar.yaw - std::f64::consts::PI + k as f64 * increment;
            let range = self.distance([lidar.x, lidar.y], [angle.cos(), angle.sin()]);
            let measured = range + RANGE_SIGMA_M * noise.normal();
            if (0.1..=16.0).contains(&measured) { measured as f32 } else { f32::INFINITY }
        });
        RangeScan {
            stamp,
            angle_min_rad: -std::f64::consts::PI,
            angle_increment_rad: increment,
            range_min_m: 0.1,
            range_max_m: 16.0,
            ranges_m: ranges_m.collect(),
        }
    }

    fn distance(&self, from: [f64; 2], ray: [f64; 2]) -> f64 {
        let mut nearest = f64::INFINITY;
        for [a, b] in &self.0 {
            let (ex, ey) = (b[0] - a[0], b[1] - a[1]);
            let cross = ray[0] * ey - ray[1] * ex;
            let (ax, ay) = (a[0] - from[0], a[1] - from[1]);
            let (far, part) = ((ax * ey - ay * ex) / cross, (ax * ray[1] - ay * ray[0]) / cross);
            if far > 0.0 && (0.0..=1.0).contains(&part) && far < nearest {
                nearest = far;
            }
        }
        nearest
    }
}

/// The true state of a car, of which the rear axle goes where it points.
#[derive(Debug, Clone, Copy, Default)]
pub struct Truth {
    pub stamp: SimTime,
    pub pose: Planar,
    pub yaw_rate: f64,
    pub way_m: f64,
}

/// One part of a drive: this far with this curvature.
pub type Part = (f64, f64);

/// A rectangle of 3 by 2.6 m with round corners: 10 m.
pub fn rounded_rectangle() -> Vec<Part> {
    let corner = (0.6 * std::f64::consts::FRAC_PI_2, 1.0 / 0.6);
    vec![(1.8, 0.0), corner, (1.4, 0.0), corner, (1.8, 0.0), corner, (1.4, 0.0), corner]
}

/// An eight of two circles of 0.75 m: 9.4 m.
pub fn eight() -> Vec<Part> {
    let circle = 0.75 * std::f64::consts::TAU;
    vec![(circle, 1.0 / 0.75), (circle, -1.0 / 0.75)]
}

/// Drives these parts at 1 m/s after one second of rest, a state every millisecond.
pub fn drive(start: Planar, parts: &[Part], first_stamp: SimTime) -> Vec<Truth> {
    const REST_S: f64 = 1.0;
    const ACCEL: f64 = 2.0;
    /// Steering takes time.
    const STEER_RATE: f64 = 15.0;
    let dt = STEP_NANOS as f64 * 1e-9;
    let whole: f64 = parts.iter().map(|part| part.0).sum();
    let mut rear = start.then(Planar::new(-REAR_AXLE_M, 0.0, 0.0));
    let (mut way, mut curvature, mut states, mut speed) = (0.0, 0.0_f64, Vec::new(), 0.0_f64);
    for k in 0.. {
        states.push(Truth {
            stamp: SimTime::from_nanos(first_stamp.nanos() + k * STEP_NANOS),
            pose: rear.then(Planar::new(REAR_AXLE_M, 0.0, 0.0)),
            yaw_rate: speed * curvature,
            way_m: way,
        });
        if way >= whole {
            break;
        }
        if k as f64 * dt >= REST_S {
            speed = (speed + ACCEL * dt).min(1.0);
        }
        let mut left = way;
        let wanted = parts.iter().find(|part| {
            left -= part.0;
            left < 0.0
        });
        let wanted = wanted.map_or(0.0, |part| part.1);
        curvature += (wanted - curvature).clamp(-STEER_RATE * dt, STEER_RATE * dt);
        let turn = speed * curvature * dt;
        let (sin, cos) = (rear.yaw + 0.5 * turn).sin_cos();
        rear = Planar::new(rear.x + speed * dt * cos, rear.y + speed * dt * sin, rear.yaw + turn);
        way += speed * dt;
    }
    states
}

pub fn gyro(truth: &Truth, bias: f64, noise: &mut Noise) -> GyroSample {
    let yaw_rate_rad_s = truth.yaw_rate + bias + GYRO_SIGMA * noise.normal();
    GyroSample { stamp: truth.stamp, yaw_rate_rad_s, variance: GYRO_SIGMA * GYRO_SIGMA }
}
