//! The time that a call of the script may take.

use std::time::{Duration, Instant};

use sim_api::judge::call::{Call, EVALUATE, Function};

#[test]
fn waiting_for_the_simulator_is_not_the_scripts_fault_but_not_for_ever() {
    let start = Instant::now();
    let after = |seconds: f64| start + Duration::from_secs_f64(seconds);
    let limit = EVALUATE.as_secs_f64();
    let mut call = Call::begin(Function::Evaluate, start);
    assert!(!call.is_overdue(after(limit)), "the harness speaks first");
    assert!(call.is_overdue(after(limit + 2.0)));
    call.wait(start);
    assert!(!call.is_overdue(after(limit + 5.0)));
    call.go_on(after(5.0));
    assert!(!call.is_overdue(after(limit + 5.0)));
    assert!(call.is_overdue(after(limit + 7.0)));
    call.wait(after(5.0));
    assert!(call.is_overdue(after(limit + 60.0)));
}
