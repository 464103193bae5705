//! From commands to what the actuators are asked for.

use sim_api::domain::SimTime;
use sim_api::robot::drive::{Driver, Order};

use crate::support::vehicle;

const STEERING_LIMIT: f64 = 20.0 * std::f64::consts::PI / 180.0;
const CAMERA_LIMIT: f64 = 30.0 * std::f64::consts::PI / 180.0;

fn at(millis: i64) -> SimTime {
    SimTime::from_nanos(millis * 1_000_000)
}

fn driver() -> Driver {
    let mut driver = Driver::new(&vehicle());
    driver.tick(at(50_000));
    driver
}

fn twist(speed_m_s: f64, yaw_rate_rad_s: f64) -> Order {
    Order::Twist { speed_m_s, yaw_rate_rad_s }
}

#[test]
fn targets_stay_within_the_limits() {
    let mut driver = driver();
    for sign in [1.0, -1.0] {
        driver.order(Order::Speed { m_s: sign * 50.0 });
        driver.order(Order::Steering { rad: sign * 9.0 });
        driver.order(Order::Pan { rad: sign * 9.0 });
        driver.order(Order::Tilt { rad: sign * 9.0 });
        let target = driver.target();
        assert_eq!((target.speed_m_s, target.steering_rad), (sign * 3.0, sign * STEERING_LIMIT));
        assert_eq!((target.camera_pan_rad, target.camera_tilt_rad), (sign * CAMERA_LIMIT, sign * CAMERA_LIMIT));
    }
}

#[test]
fn twist_steers_so_that_the_car_turns_at_the_asked_rate() {
    let mut driver = driver();
    for (speed, rate) in [(1.0, 0.5), (1.0, -1.5), (-0.5, 0.4), (2.0, 3.0)] {
        driver.order(twist(speed, rate));
        let target = driver.target();
        assert!((target.speed_m_s * target.steering_rad.tan() / 0.18 - rate).abs() < 1e-9, "{speed} {rate}");
    }
    driver.order(twist(0.1, 5.0));
    assert_eq!(driver.target().steering_rad, STEERING_LIMIT);
}

#[test]
fn speed_expires_after_a_second_of_simulation_time_and_steering_stays() {
    let mut driver = driver();
    driver.order(Order::Speed { m_s: 1.0 });
    driver.order(Order::Steering { rad: 0.2 });
    driver.tick(at(50_995));
    assert_eq!(driver.target().speed_m_s, 1.0);
    assert!(driver.tick(at(51_000)), "the stop is published at once");
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.0, 0.2));
}

#[test]
fn repeated_commands_keep_the_speed() {
    let mut driver = driver();
    for k in 1..=50 {
        driver.order(Order::Speed { m_s: 1.0 });
        driver.tick(at(50_000 + 100 * k));
        assert_eq!(driver.target().speed_m_s, 1.0);
    }
}

#[test]
fn speed_does_not_expire_while_time_stands_still() {
    let mut driver = driver();
    driver.order(Order::Speed { m_s: 1.0 });
    for _ in 0..10_000 {
        driver.tick(at(50_000));
    }
    assert_eq!(driver.target().speed_m_s, 1.0);
}

#[test]
fn speed_of_before_a_restart_of_the_simulator_does_not_live_on() {
    for restarted in [at(60_000), at(10)] {
        let mut driver = driver();
        driver.order(Order::Speed { m_s: 1.0 });
        driver.tick(restarted);
        driver.tick(SimTime::from_nanos(restarted.nanos() + 1_000_000_000));
        assert_eq!(driver.target().speed_m_s, 0.0, "after {restarted:?}");
    }
}

#[test]
fn newest_command_wins_whichever_topic_it_came_on() {
    let mut driver = driver();
    driver.order(Order::Speed { m_s: 1.0 });
    driver.order(Order::Steering { rad: 0.3 });
    driver.order(twist(0.5, 0.0));
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.5, 0.0));
    driver.order(Order::Steering { rad: -0.1 });
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.5, -0.1));
    driver.order(Order::Speed { m_s: 2.0 });
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (2.0, -0.1));
}

#[test]
fn wheels_turn_at_standstill() {
    let mut driver = driver();
    assert!(driver.order(Order::Steering { rad: 0.25 }));
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.0, 0.25));
    driver.order(twist(0.0, -1.0));
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.0, -STEERING_LIMIT));
}

#[test]
fn zero_twist_stops_and_centres() {
    let mut driver = driver();
    driver.order(twist(1.0, 1.0));
    assert!(driver.order(twist(0.0, 0.0)));
    assert_eq!((driver.target().speed_m_s, driver.target().steering_rad), (0.0, 0.0));
}

#[test]
fn what_is_not_a_number_is_no_command() {
    let mut driver = driver();
    driver.order(twist(1.0, 0.5));
    let before = driver.target();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let orders = [
            twist(bad, 0.0),
            twist(0.5, bad),
            Order::Speed { m_s: bad },
            Order::Steering { rad: bad },
            Order::Pan { rad: bad },
            Order::Tilt { rad: bad },
        ];
        for order in orders {
            assert!(!driver.order(order), "{order:?}");
            assert_eq!(driver.target(), before);
        }
    }
    driver.tick(at(51_000));
    assert_eq!(driver.target().speed_m_s, 0.0, "and it does not keep an old speed alive");
}

#[test]
fn target_is_repeated_fifty_times_a_second() {
    let mut driver = driver();
    let published = (1..=200).filter(|k| driver.tick(at(50_000 + 5 * k))).count();
    assert!((49..=51).contains(&published), "{published}");
}
