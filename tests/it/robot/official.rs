//! A lap of each official world with the real programs, and odometry beside the truth.

use sim_api::robot::planar::Planar;
use sim_api::ros::msg::sim_api_msgs::Command;

use super::pilot::Pilot;
use super::road::Road;

/// Share of the way that odometry may be wrong by.
const DRIFT: f64 = 0.02;
const HEADING_DEG: f64 = 3.0;

/// Drives one lap and compares.
async fn lap(world: &str, speed_m_s: f64) {
    let road = Road::of(world);
    let mut pilot = Pilot::start(world).await;
    let (start, origin) = (pilot.pose, pilot.odometry().await);
    let objects = pilot.objects.clone();
    let (driven_m, off_m) = pilot.follow(&road, road.length_m, speed_m_s).await;
    assert!(driven_m > 0.95 * road.length_m, "{world}: {driven_m:.2} m of {:.2} m", road.length_m);
    assert!(off_m < 0.7 * road.half_width_m, "{world}: {off_m:.2} m off the centre line");
    for ((name, x, y), (_, old_x, old_y)) in pilot.objects.iter().zip(&objects) {
        assert!((x - old_x).hypot(y - old_y) < 0.01, "{world}: {name} was hit");
    }
    let error = start.to(pilot.pose).to(origin.to(pilot.odometry().await));
    let (drift, heading_deg) = (error.distance() / driven_m, error.yaw.to_degrees());
    println!("{world}: {driven_m:.2} m, off {off_m:.2} m, drift {:.2} %, heading {heading_deg:.2} deg", 100.0 * drift);
    assert!(drift < DRIFT, "{world}: odometry is off by {:.2} % of {driven_m:.2} m", 100.0 * drift);
    assert!(heading_deg.abs() < HEADING_DEG, "{world}: the heading is off by {heading_deg:.2} deg");
}

#[tokio::test(flavor = "multi_thread")]
async fn base_is_lapped_through_speed_and_steering_and_odometry_stays_true() {
    lap("vehicle_base", 1.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn city_is_lapped_through_speed_and_steering_and_odometry_stays_true() {
    lap("vehicle_city", 1.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn oval_is_lapped_through_speed_and_steering_and_odometry_stays_true() {
    lap("vehicle_oval", 1.5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slalom_is_lapped_through_speed_and_steering_and_odometry_stays_true() {
    lap("vehicle_slalom", 1.0).await;
}

/// Drives a metre and asserts that odometry tells the same of it.
async fn drives_true(pilot: &mut Pilot, road: &Road, what: &str) {
    let (start, origin) = (pilot.pose, pilot.odometry().await);
    let (driven_m, _) = pilot.follow(road, 1.0, 0.8).await;
    let error = start.to(pilot.pose).to(origin.to(pilot.odometry().await));
    assert!(driven_m > 0.9 && error.distance() < 0.05, "{what}: {error:?} after {driven_m:.2} m");
    assert!(error.yaw.to_degrees().abs() < HEADING_DEG, "{what}: {error:?}");
}

fn near_zero(odometry: Planar) -> bool {
    odometry.distance() < 0.01 && odometry.yaw.to_degrees().abs() < 0.5
}

#[tokio::test(flavor = "multi_thread")]
async fn fresh_worlds_start_odometry_at_zero_every_time_also_twice_within_a_second() {
    let road = Road::of("vehicle_base");
    let mut pilot = Pilot::start("vehicle_base").await;
    for round in 0..2 {
        drives_true(&mut pilot, &road, "before").await;
        assert!(pilot.odometry().await.distance() > 0.8);
        // Nothing, a little and half a second between the first and the second; respawn and switch alike.
        for (first, between_s, second) in [
            ("vehicle_base", 0.0, "vehicle_base"),
            ("vehicle_base", 0.1, "vehicle_base"),
            ("vehicle_oval", 0.5, "vehicle_base"),
        ] {
            pilot.load(first).await;
            pilot.rest(between_s).await;
            pilot.load(second).await;
            pilot.rest(0.3).await;
            let odometry = pilot.odometry().await;
            assert!(near_zero(odometry), "round {round}: {first}, {between_s} s, {second}: {odometry:?}");
        }
    }
    drives_true(&mut pilot, &road, "afterwards").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_teleport_leaves_its_offset_in_odometry() {
    let road = Road::of("vehicle_base");
    let mut pilot = Pilot::start("vehicle_base").await;
    drives_true(&mut pilot, &road, "before").await;
    let (odometry, pose) = (pilot.odometry().await, pilot.pose);
    let [x, y] = road.point_at(6.0);
    let teleport = Command {
        kind: Command::SET_POSE,
        entity: "vehicle".into(),
        fields: Command::FIELD_X | Command::FIELD_Y | Command::FIELD_YAW,
        x,
        y,
        yaw: road.heading_at(6.0),
        ..Command::default()
    };
    pilot.carry_out(vec![teleport]).await;
    pilot.rest(0.5).await;
    assert!(pose.to(pilot.pose).distance() > 1.0, "the car is elsewhere");
    let moved = odometry.to(pilot.odometry().await);
    assert!(moved.distance() < 0.05 && moved.yaw.abs() < 0.05, "odometry has moved by {moved:?}");
    drives_true(&mut pilot, &road, "after the teleport").await;
}
