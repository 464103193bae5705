//! What odometry makes of teleports, resets, fresh worlds, pauses and jumps of time.

use std::sync::Arc;

use sim_api::domain::SimTime;
use sim_api::robot::laser_odom::Finding;
use sim_api::robot::odometry::NewEpoch;
use sim_api::robot::planar::Planar;

use super::course::{self, Truth, Walls};
use super::laps::{ALL, FIRST, Ride, Sensors};

/// Stands at this pose for so long.
fn stand(pose: Planar, from: SimTime, millis: i64) -> Vec<Truth> {
    let stamp = |k: i64| SimTime::from_nanos(from.nanos() + k * course::STEP_NANOS);
    (0..millis).map(|k| Truth { stamp: stamp(k), pose, ..Truth::default() }).collect()
}

fn after(states: &[Truth]) -> SimTime {
    SimTime::from_nanos(states.last().unwrap().stamp.nanos() + course::STEP_NANOS)
}

/// A drive of some metres, cut off in full motion.
fn way(start: Planar, from: SimTime) -> Vec<Truth> {
    let mut states = course::drive(start, &course::rounded_rectangle(), from);
    states.truncate(4_000);
    states
}

const PLACES: [Planar; 6] = [
    Planar::new(1.4, 1.6, 2.0),
    Planar::new(-1.5, 1.5, -1.0),
    Planar::new(1.5, -1.4, 3.1),
    Planar::new(0.1, -1.3, 1.5),
    Planar::new(-0.9, -1.3, 0.5),
    Planar::new(1.2, -0.6, 0.0),
];

#[test]
fn teleport_of_a_standing_car_leaves_the_pose_where_it_was() {
    for sensors in [ALL, Sensors { gyro: false, ..ALL }] {
        for (k, place) in PLACES.into_iter().enumerate() {
            let mut ride = Ride::new(Walls::fence(), sensors, k as u64);
            let before = stand(Planar::new(-0.9, -1.3, 0.0), FIRST, 2_000);
            ride.live(&before);
            let kept = ride.pose();
            ride.live(&stand(place, after(&before), 2_000));
            let moved = kept.to(ride.pose());
            println!("{sensors:?} {place:?}: {:.1} mm {:.2} deg", moved.distance() * 1e3, moved.yaw.to_degrees());
            assert!(moved.distance() < 0.05 && moved.yaw.abs() < 0.05, "{place:?}: moved by {moved:?}");
        }
    }
}

#[test]
fn teleport_in_motion_leaves_an_offset_and_the_way_after_it_is_still_true() {
    for (k, place) in PLACES.into_iter().enumerate().take(3) {
        let mut ride = Ride::new(Walls::fence(), ALL, k as u64);
        let before = way(Planar::new(-0.9, -1.3, 0.0), FIRST);
        ride.live(&before);
        let kept = ride.pose();
        let still = stand(place, after(&before), 1_000);
        ride.live(&still);
        let landed = ride.pose();
        // Until the next scan it goes on as it did before: at most one period of the lidar, and a little for stopping.
        assert!(kept.to(landed).distance() < 0.25, "{place:?}: moved by {:?}", kept.to(landed));
        let start = Planar::new(-0.9, -1.3, 0.0);
        ride.live(&stand(start, after(&still), 500));
        let landed = ride.pose();
        let onward = way(start, SimTime::from_nanos(after(&still).nanos() + 500_000_000));
        ride.live(&onward);
        let last = ride.fused.last().unwrap();
        let index = (last.stamp.nanos() - onward[0].stamp.nanos()) / course::STEP_NANOS;
        let truth = start.to(onward[index as usize].pose);
        let error = truth.to(landed.to(ride.pose()));
        assert!(error.distance() < 0.05 && error.yaw.abs() < 0.03, "{error:?}");
        let steps = ride.fused.windows(2).map(|pair| pair[0].pose.to(pair[1].pose).distance());
        assert!(steps.fold(0.0, f64::max) < 0.15, "the pose never jumps");
    }
}

#[test]
fn car_that_stands_stays_at_zero_however_long_the_clock_was_heard_alone() {
    for (k, place) in PLACES.into_iter().enumerate() {
        let mut ride = Ride::new(Walls::fence(), Sensors { lidar: false, gyro: false, ..ALL }, k as u64);
        let still = stand(place, FIRST, 5_000);
        let (alone, heard) = still.split_at(11 + 300 * k);
        ride.live(alone);
        ride.sensors = ALL;
        ride.live(heard);
        for estimate in &ride.fused {
            let pose = estimate.pose;
            assert!(pose.distance() < 0.02 && pose.yaw.abs() < 0.01, "after {} ms alone: {estimate:?}", alone.len());
        }
    }
}

#[test]
fn jumping_surroundings_are_seen_as_such() {
    let mut ride = Ride::new(Walls::fence(), ALL, 1);
    let before = stand(Planar::new(-0.9, -1.3, 0.0), FIRST, 1_000);
    ride.live(&before);
    ride.live(&stand(Planar::new(-0.9, -1.0, 0.0), after(&before), 1_000));
    let jumps = ride.laser.iter().filter(|scan| matches!(scan.finding, Finding::Jumped | Finding::Unrecognised));
    assert_eq!(jumps.count(), 1);
}

#[test]
fn fresh_world_starts_at_zero_each_time_also_twice_within_a_second() {
    let mut ride = Ride::new(Walls::fence(), ALL, 4);
    let mut states = way(Planar::new(-0.9, -1.3, 0.0), FIRST);
    ride.live(&states);
    assert!(ride.pose().distance() > 1.0);
    for number in 1..=3 {
        let place = PLACES[number as usize];
        let first_stamp = after(&states);
        ride.odometer.epoch(number, NewEpoch::Fresh, first_stamp);
        let announced = ride.fused.len();
        states = stand(place, first_stamp, 400);
        ride.live(&states);
        for fused in &ride.fused[announced..] {
            assert!(fused.pose.distance() < 0.005 && fused.pose.yaw.abs() < 0.005, "epoch {number}: {:?}", fused.pose);
        }
        assert_eq!(ride.fused[announced].pose, Planar::ZERO);
        assert!(ride.laser.last().unwrap().pose.distance() < 0.005);
    }
    let start = Planar::new(-0.9, -1.3, 0.0);
    ride.odometer.epoch(4, NewEpoch::Fresh, after(&states));
    let onward = way(start, after(&states));
    ride.live(&onward);
    let (metres, radians) = super::laps::drift(&ride, &onward);
    assert!(metres < 0.03 && radians < 0.03, "{metres} m, {radians} rad");
}

#[test]
fn reset_keeps_the_offset() {
    let mut ride = Ride::new(Walls::fence(), ALL, 4);
    let states = way(Planar::new(-0.9, -1.3, 0.0), FIRST);
    ride.live(&states);
    let kept = ride.pose();
    ride.odometer.epoch(1, NewEpoch::SameWorld, after(&states));
    ride.live(&stand(PLACES[1], after(&states), 1_000));
    let moved = kept.to(ride.pose());
    assert!(moved.distance() < 0.15 && moved.yaw.abs() < 0.08, "{moved:?}");
}

#[test]
fn data_of_an_older_epoch_is_discarded() {
    let mut ride = Ride::new(Walls::fence(), ALL, 4);
    let states = stand(PLACES[0], FIRST, 1_000);
    ride.live(&states);
    let first_stamp = SimTime::from_nanos(after(&states).nanos() + 1_000_000_000);
    ride.odometer.epoch(9, NewEpoch::Fresh, first_stamp);
    let old = ride.walls.scan(after(&states), PLACES[1], &mut ride.noise);
    assert!(ride.odometer.scan(Arc::new(old)).is_none());
    let new = ride.walls.scan(first_stamp, PLACES[1], &mut ride.noise);
    assert!(ride.odometer.scan(Arc::new(new)).is_some());
}

#[test]
fn epoch_that_began_before_the_first_data_changes_nothing() {
    let mut ride = Ride::new(Walls::fence(), ALL, 4);
    ride.live(&way(Planar::new(-0.9, -1.3, 0.0), FIRST));
    let kept = ride.pose();
    ride.odometer.epoch(5, NewEpoch::Fresh, FIRST);
    ride.odometer.epoch(4, NewEpoch::Fresh, SimTime::from_nanos(FIRST.nanos() + 1));
    let later = SimTime::from_nanos(ride.fused.last().unwrap().stamp.nanos() + 40_000_000);
    let pose = ride.odometer.tick(later).unwrap().pose;
    assert!(kept.to(pose).distance() < 0.1, "{pose:?}");
}

#[test]
fn epoch_announced_while_a_scan_is_compared_makes_its_outcome_void() {
    let mut ride = Ride::new(Walls::fence(), ALL, 4);
    let states = way(Planar::new(-0.9, -1.3, 0.0), FIRST);
    ride.live(&states);
    let scan = ride.walls.scan(after(&states), states.last().unwrap().pose, &mut ride.noise);
    let job = ride.odometer.scan(Arc::new(scan)).unwrap();
    assert!(!ride.odometer.is_free());
    let first_stamp = SimTime::from_nanos(after(&states).nanos() + course::STEP_NANOS);
    ride.odometer.epoch(2, NewEpoch::Fresh, first_stamp);
    assert!(ride.odometer.matched(job.run()).is_none());
    assert!(ride.odometer.is_free());
    assert_eq!(ride.odometer.tick(first_stamp).unwrap().pose, Planar::ZERO);
}

#[test]
fn paused_clock_publishes_nothing_and_loses_nothing() {
    let mut ride = Ride::new(Walls::fence(), ALL, 2);
    let states = course::drive(Planar::new(-0.9, -1.3, 0.0), &course::rounded_rectangle(), FIRST);
    ride.live(&states[..4_000]);
    let count = ride.fused.len();
    for _ in 0..1_000 {
        ride.fused.extend(ride.odometer.tick(states[3_999].stamp));
    }
    assert!(ride.fused.len() <= count + 1);
    ride.live(&states[4_000..]);
    let (metres, _) = super::laps::drift(&ride, &states);
    assert!(metres < 0.03, "{metres} m");
}

#[test]
fn time_that_jumps_forward_leaves_the_pose_continuous() {
    for sensors in [ALL, Sensors { lidar: false, ..ALL }] {
        let mut ride = Ride::new(Walls::fence(), sensors, 2);
        ride.odometer.order_speed(1.0);
        let states = way(Planar::new(-0.9, -1.3, 0.0), FIRST);
        ride.live(&states);
        let kept = ride.pose();
        ride.odometer.order_speed(0.0);
        let later = SimTime::from_nanos(after(&states).nanos() + 10_000_000_000);
        ride.live(&stand(PLACES[0], later, 1_000));
        let moved = kept.to(ride.pose());
        assert!(moved.distance() < 0.15 && moved.yaw.abs() < 0.1, "{moved:?}");
        assert!(
            ride.fused.iter().all(|fused| fused.pose.is_finite() && fused.covariance.iter().all(|v| v.is_finite()))
        );
    }
}

#[test]
fn time_that_runs_back_is_another_simulator_and_starts_at_zero() {
    let mut ride = Ride::new(Walls::fence(), ALL, 2);
    ride.odometer.epoch(70, NewEpoch::Fresh, SimTime::from_nanos(1));
    ride.live(&way(Planar::new(-0.9, -1.3, 0.0), FIRST));
    let count = ride.fused.len();
    let early = SimTime::from_nanos(5_000_000_000);
    assert_eq!(ride.odometer.tick(early).unwrap().pose, Planar::ZERO);
    ride.live(&stand(PLACES[0], SimTime::from_nanos(5_020_000_000), 500));
    assert!(ride.fused.len() > count && ride.pose().distance() < 0.005);
}

#[test]
fn fused_poses_come_thirty_times_a_second() {
    let mut ride = Ride::new(Walls::fence(), ALL, 2);
    ride.live(&stand(PLACES[0], FIRST, 10_000));
    assert!((295..=301).contains(&ride.fused.len()), "{}", ride.fused.len());
}
