//! The lidar: one turn of rays in the plane of `lidar_link`, against everything solid but the vehicle itself.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use rapier3d::prelude::*;

use super::Schedule;
use super::noise::{Noise, Source};
use crate::engine::World;

/// What the lidar is like. Ray i points at `angle_min_rad + i * angle_increment_rad`, counter-clockwise, 0 = forward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lidar {
    pub schedule: Schedule,
    pub rays: usize,
    pub angle_min_rad: f64,
    pub angle_increment_rad: f64,
    pub range_min_m: f64,
    pub range_max_m: f64,
    pub sigma_m: f64,
}

pub const LIDAR: Lidar = Lidar {
    schedule: Schedule::at(10),
    rays: 720,
    angle_min_rad: -PI,
    angle_increment_rad: TAU / 720.0,
    range_min_m: 0.10,
    range_max_m: 16.0,
    sigma_m: 0.01,
};

/// Where the rays point in the lidar's frame.
static DIRECTIONS: LazyLock<Vec<Vector>> = LazyLock::new(|| {
    let angle = |ray: usize| LIDAR.angle_min_rad + ray as f64 * LIDAR.angle_increment_rad;
    let direction = |ray| {
        let (sin, cos) = libm::sincos(angle(ray));
        Vector::new(cos as f32, sin as f32, 0.0)
    };
    (0..LIDAR.rays).map(direction).collect()
});

impl World {
    /// The ranges of sample `sample`, as the world is now: +inf where nothing is near enough, -inf where something is too near.
    pub fn scan(&self, sample: u64) -> Vec<f32> {
        let physics = &self.scene.physics;
        let vehicle = self.scene.vehicle.body();
        let Some(body) = physics.bodies.get(vehicle) else { return vec![f32::INFINITY; LIDAR.rays] };
        let origin = body.position().transform_point(self.scene.vehicle.mounting().lidar);
        let rotation = *body.rotation();
        let filter = QueryFilter::default().exclude_sensors().exclude_rigid_body(vehicle);
        let query = physics.query_pipeline_with_filter(filter);
        // A little further than what is reported, so that noise at the end is cut off on both sides alike.
        let reach = (LIDAR.range_max_m + 6.0 * LIDAR.sigma_m) as f32;
        let noise = Noise::new(self.seed(), Source::Lidar, sample);

        let mut ranges = Vec::with_capacity(LIDAR.rays);
        for (pair, directions) in DIRECTIONS.chunks(2).enumerate() {
            let mut errors: Option<[f64; 2]> = None;
            for (place, direction) in directions.iter().enumerate() {
                let ray = Ray::new(origin, rotation * *direction);
                let range = match query.cast_ray(&ray, reach, true) {
                    None => f32::INFINITY,
                    Some((_, distance)) => {
                        let errors = errors.get_or_insert_with(|| noise.pair(pair as u64));
                        reported(f64::from(distance), LIDAR.sigma_m * errors[place])
                    }
                };
                ranges.push(range);
            }
        }
        ranges
    }
}

/// What the sensor says of a distance that it measures with this error.
fn reported(distance_m: f64, error_m: f64) -> f32 {
    let range = distance_m + error_m;
    if range < LIDAR.range_min_m {
        f32::NEG_INFINITY
    } else if range > LIDAR.range_max_m {
        f32::INFINITY
    } else {
        range as f32
    }
}
