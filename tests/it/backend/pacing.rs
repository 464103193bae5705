//! Steps tied to wall time, with the clock given by hand.

use std::time::{Duration, Instant};

use sim_api::backend::pacing::{Pacing, RtfMeter};

#[test]
fn real_time_is_one_step_every_five_milliseconds() {
    let start = Instant::now();
    let mut pacing = Pacing::new(1.0, start);
    for step in 0..100 {
        let now = start + Duration::from_millis(5 * step);
        assert_eq!(pacing.wait(now), Duration::ZERO, "step {step} is due");
        pacing.stepped(now);
        assert_eq!(pacing.wait(now), Duration::from_millis(5));
    }
}

#[test]
fn small_delays_are_made_up_and_long_ones_given_up() {
    let start = Instant::now();
    let mut pacing = Pacing::new(1.0, start);
    let late = start + Duration::from_millis(50);
    pacing.stepped(late);
    assert_eq!(pacing.wait(late), Duration::ZERO, "nine more steps are due at once");
    let much_later = start + Duration::from_secs(60);
    pacing.stepped(much_later);
    pacing.stepped(much_later);
    assert!(pacing.wait(much_later) > Duration::ZERO, "a minute is not made up");
}

#[test]
fn factor_zero_never_waits() {
    let start = Instant::now();
    let mut pacing = Pacing::new(0.0, start);
    for _ in 0..1000 {
        pacing.stepped(start);
        assert_eq!(pacing.wait(start), Duration::ZERO);
    }
}

#[test]
fn the_meter_reads_simulated_over_wall_seconds() {
    let start = Instant::now();
    let mut meter = RtfMeter::new(start);
    for _ in 0..400 {
        meter.stepped();
    }
    assert!((meter.read(start + Duration::from_secs(1)) - 2.0).abs() < 1e-9);
    meter.stop(start + Duration::from_secs(1));
    assert_eq!(meter.read(start + Duration::from_millis(1001)), 0.0);
}
