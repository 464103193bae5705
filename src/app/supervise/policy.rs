//! What to do when a child has died: a pure function of how often that happened and how long it had lived.

use std::time::Duration;

/// A life longer than this counts as healthy and wipes out earlier deaths.
pub const HEALTHY_LIFE: Duration = Duration::from_secs(10);
/// That many quick deaths in a row mean that another try will not help.
pub const MAX_QUICK_DEATHS: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    RestartNow,
    RestartAfter(Duration),
    GiveUp,
}

/// Given the quick deaths in a row so far and the life that just ended: the new count, and what to do.
pub fn after_death(quick_deaths: u32, lived: Duration) -> (u32, Verdict) {
    if lived > HEALTHY_LIFE {
        return (0, Verdict::RestartNow);
    }
    let quick_deaths = quick_deaths.saturating_add(1);
    if quick_deaths >= MAX_QUICK_DEATHS {
        (quick_deaths, Verdict::GiveUp)
    } else {
        (quick_deaths, Verdict::RestartAfter(wait(quick_deaths)))
    }
}

/// Before the restart that follows the given quick death: doubles each time, up to a limit.
pub fn wait(quick_deaths: u32) -> Duration {
    let factor = 2_u32.saturating_pow(quick_deaths.saturating_sub(1));
    FIRST_WAIT.saturating_mul(factor).min(LONGEST_WAIT)
}
