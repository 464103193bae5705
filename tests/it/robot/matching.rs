//! Laying one scan over another: exact, honest about its certainty, and silent where there is nothing to see.

use nalgebra::Vector3;
use sim_api::domain::SimTime;
use sim_api::robot::laser_odom::icp::Reference;
use sim_api::robot::laser_odom::kd_tree::KdTree;
use sim_api::robot::laser_odom::outline;
use sim_api::robot::planar::{Planar, wrap};
use sim_api::robot::scan_filter::{self, RangeScan};

use super::course::{Noise, Walls};

fn scan(walls: &Walls, at: Planar, noise: &mut Noise) -> RangeScan {
    let mut scan = walls.scan(SimTime::ZERO, at, noise);
    scan_filter::filter(&mut scan);
    scan
}

fn reference(scan: &RangeScan) -> Option<Reference> {
    Reference::new(scan, &outline::echoes(scan, Planar::ZERO))
}

#[test]
fn the_tree_finds_what_looking_at_every_point_finds() {
    let mut noise = Noise::new(3);
    let points: Vec<_> = (0..500).map(|k| ([noise.uniform() * 4.0, noise.uniform()], k)).collect();
    let tree = KdTree::new(points.clone());
    for _ in 0..500 {
        let to = [noise.uniform() * 5.0 - 0.5, noise.uniform() * 2.0 - 0.5];
        let far = |point: [f64; 2]| (point[0] - to[0]).hypot(point[1] - to[1]);
        let nearest = points.iter().min_by(|a, b| far(a.0).total_cmp(&far(b.0))).unwrap();
        let within = (far(nearest.0) < 0.3).then_some(nearest.1);
        assert_eq!(tree.nearest(to, 0.3), within);
    }
    assert_eq!(KdTree::new(Vec::new()).nearest([0.0, 0.0], 1.0), None);
}

/// The mean of the squared errors, each divided by its stated variance, is the number of dimensions when the covariance is
/// honest: less means modest, more means boastful.
#[test]
fn covariance_says_how_large_errors_are() {
    let walls = Walls::fence();
    let mut noise = Noise::new(7);
    let (mut normalised, mut runs, mut error_sum) = (0.0, 0, 0.0);
    while runs < 400 {
        let mut symmetric = |size: f64| size * (2.0 * noise.uniform() - 1.0);
        let from = Planar::new(symmetric(2.0), symmetric(2.0), symmetric(3.0));
        let motion = Planar::new(symmetric(0.3), symmetric(0.1), symmetric(0.3));
        let guess = Planar::new(motion.x + symmetric(0.05), motion.y + symmetric(0.05), motion.yaw + symmetric(0.05));
        let first = scan(&walls, from, &mut noise);
        if first.ranges_m.iter().any(|range| *range > 0.0 && *range < 0.3) {
            continue;
        }
        let second = scan(&walls, from.then(motion), &mut noise);
        let found = reference(&first).unwrap().align(&outline::echoes(&second, Planar::ZERO), guess).unwrap();
        let error =
            Vector3::new(found.motion.x - motion.x, found.motion.y - motion.y, wrap(found.motion.yaw - motion.yaw));
        let inverse = found.covariance.try_inverse().expect("the covariance is one");
        normalised += (error.transpose() * inverse * error)[0];
        error_sum += error.x.hypot(error.y);
        runs += 1;
        assert_eq!(found.known_directions, 3);
    }
    let mean = normalised / f64::from(runs);
    println!("normalised squared error {mean:.2} of 3; mean error {:.2} mm", 1e3 * error_sum / f64::from(runs));
    assert!((1.5..4.5).contains(&mean), "{mean}");
}

#[test]
fn corridor_is_known_across_and_unknown_along() {
    let walls = Walls::corridor();
    let mut noise = Noise::new(5);
    for k in 0..200 {
        let yaw = 0.15 * f64::from(k);
        let first = scan(&walls, Planar::new(0.0, 0.2, yaw), &mut noise);
        let second = scan(&walls, Planar::new(0.1, 0.25, yaw), &mut noise);
        let (sin, cos) = yaw.sin_cos();
        let (along, across) = (Vector3::new(cos, -sin, 0.0), Vector3::new(sin, cos, 0.0));
        let found = reference(&first).unwrap().align(&outline::echoes(&second, Planar::ZERO), Planar::ZERO).unwrap();
        let sigma = |direction: Vector3<f64>| (direction.transpose() * found.covariance * direction)[0].sqrt();
        assert_eq!(found.known_directions, 2);
        assert!(sigma(along) > 0.3, "{k}: {} m along", sigma(along));
        assert!(sigma(across) < 0.005, "{k}: {} m across", sigma(across));
        assert!(found.covariance[(2, 2)].sqrt() < 0.005);
        let moved = Vector3::new(found.motion.x, found.motion.y, 0.0);
        assert!((moved.dot(&across) - 0.05).abs() < 0.006, "{k}: {}", moved.dot(&across));
        assert!(moved.dot(&along).abs() < 0.01, "{k}: the guess stays where nothing is known: {}", moved.dot(&along));
    }
}

#[test]
fn nothing_is_concluded_from_too_few_points() {
    let mut noise = Noise::new(1);
    let full = scan(&Walls::fence(), Planar::new(1.0, 1.0, 0.0), &mut noise);
    let empty = scan(&Walls::none(), Planar::ZERO, &mut noise);
    assert!(reference(&empty).is_none());
    let mut few = full.clone();
    few.ranges_m[25..].fill(scan_filter::INVALID);
    assert!(reference(&few).is_none());
    let reference = reference(&full).unwrap();
    assert!(reference.align(&outline::echoes(&empty, Planar::ZERO), Planar::ZERO).is_none());
    assert!(reference.align(&outline::echoes(&few, Planar::ZERO), Planar::ZERO).is_none());
    assert!(reference.align(&outline::echoes(&full, Planar::ZERO), Planar::new(50.0, 0.0, 0.0)).is_none());
}

#[test]
fn invalid_rays_become_zero_and_others_stay() {
    let mut scan = RangeScan { range_min_m: 0.1, range_max_m: 16.0, ..RangeScan::default() };
    scan.ranges_m = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 0.05, 0.1, 3.5, 16.0, 16.1];
    scan_filter::filter(&mut scan);
    assert_eq!(scan.ranges_m, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 3.5, 16.0, 0.0]);
}
