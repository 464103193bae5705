//! What laying one scan over another costs: the largest piece of work in the robot stack.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sim_api::app::vehicle_file;
use sim_api::domain::SimTime;
use sim_api::robot::odometry::{Odometer, OdometryOptions};
use sim_api::robot::planar::Planar;
use sim_api::robot::scan_filter;

use crate::support::course::{self, Noise, Walls};

const LAPS: u64 = 4;

pub fn run() {
    let vehicle = vehicle_file::built_in().expect("the built-in vehicle is valid");
    let start = Planar::new(-0.9, -1.3, 0.0);
    let states = course::drive(start, &course::rounded_rectangle(), SimTime::from_nanos(1_000_000_000));
    let walls = Walls::fence();
    let mut took: Vec<Duration> = Vec::new();
    for lap in 1..=LAPS {
        let mut odometer = Odometer::new(OdometryOptions::new(&vehicle, Planar::ZERO));
        let mut noise = Noise::new(lap);
        for truth in &states {
            let millis = truth.stamp.nanos() / 1_000_000;
            if millis % 20 == 0 {
                odometer.gyro(course::gyro(truth, 0.0, &mut noise));
            }
            if millis % 100 == 0 {
                let mut scan = walls.scan(truth.stamp, truth.pose, &mut noise);
                scan_filter::filter(&mut scan);
                let job = odometer.scan(Arc::new(scan)).expect("the scan is new");
                let started = Instant::now();
                let done = job.run();
                took.push(started.elapsed());
                odometer.matched(done);
            }
        }
    }
    took.sort_unstable();
    let ms = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    crate::row("scan matching (ICP, 720 rays): median per scan", &format!("{:.2} ms", ms(0.5)));
    crate::row("scan matching (ICP, 720 rays): 99th percentile", &format!("{:.2} ms", ms(0.99)));
}
