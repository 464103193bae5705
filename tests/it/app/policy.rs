//! What follows the death of a child, as a pure function.

use std::time::Duration;

use sim_api::app::supervise::policy::{HEALTHY_LIFE, MAX_QUICK_DEATHS, Verdict, after_death, wait};

#[test]
fn quick_deaths_wait_longer_each_time_and_then_end() {
    let mut count = 0;
    let mut verdicts = Vec::new();
    for _ in 0..MAX_QUICK_DEATHS {
        let (next, verdict) = after_death(count, Duration::from_millis(3));
        count = next;
        verdicts.push(verdict);
    }
    let after = |ms| Verdict::RestartAfter(Duration::from_millis(ms));
    assert_eq!(verdicts, [after(100), after(200), after(400), after(800), Verdict::GiveUp]);
}

#[test]
fn long_life_restarts_at_once_and_wipes_out_earlier_deaths() {
    let long = HEALTHY_LIFE + Duration::from_millis(1);
    assert_eq!(after_death(4, long), (0, Verdict::RestartNow));
    assert_eq!(after_death(0, HEALTHY_LIFE), (1, Verdict::RestartAfter(Duration::from_millis(100))));
}

#[test]
fn wait_never_exceeds_five_seconds() {
    assert_eq!(wait(6), Duration::from_millis(3200));
    assert_eq!(wait(7), Duration::from_secs(5));
    assert_eq!(wait(u32::MAX), Duration::from_secs(5));
}
