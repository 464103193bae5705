//! The phases of a session, for every order in which things can happen.

use std::time::Duration;

use sim_api::domain::{Outcome, Phase, SimTime};
use sim_api::judge::machine::{Ending, Input, Machine, STANDS_STILL, Verdict};

const LIMIT_S: f64 = 10.0;

fn at(seconds: f64) -> SimTime {
    SimTime::from_nanos((seconds * 1e9) as i64)
}

fn clock(sim_s: f64, wall_s: f64) -> Input {
    Input::Clock { sim_time: at(sim_s), paused: false, alive: true, wall: Duration::from_secs_f64(wall_s) }
}

/// Everything that can happen, with clocks in which time runs, stands, is over, and in which the simulator is dead.
fn inputs() -> Vec<Input> {
    vec![
        Input::Prepared,
        Input::Initialized,
        Input::Observed(at(1.0)),
        Input::Finish,
        Input::Failed("broken".into()),
        Input::Stop(None),
        clock(1.5, 1.0),
        clock(100.0, 2.0),
        clock(1.5, 200.0),
        Input::Clock { sim_time: at(1.0), paused: true, alive: true, wall: Duration::from_secs(300) },
        Input::Clock { sim_time: at(1.0), paused: false, alive: false, wall: Duration::from_secs(400) },
    ]
}

#[test]
fn whatever_happens_a_session_ends_at_most_once_and_never_goes_back() {
    let inputs = inputs();
    let mut sequences = 0;
    let mut stack = vec![(Machine::new(LIMIT_S), 0, 0)];
    while let Some((machine, depth, ends)) = stack.pop() {
        if depth == 5 {
            sequences += 1;
            continue;
        }
        for input in &inputs {
            let mut next = machine.clone();
            let before = next.phase();
            let verdict = next.on(input.clone());
            assert!(next.phase() >= before, "{before:?} {input:?}");
            let ended = matches!(verdict, Verdict::End(_));
            assert_eq!(
                ended,
                before != Phase::Ended && next.phase() == Phase::Ended,
                "{before:?} {input:?} {verdict:?}"
            );
            match &verdict {
                Verdict::Enter(phase) => assert_eq!((*phase, next.phase()), (next.phase(), *phase)),
                Verdict::End(Ending { outcome, reason }) => {
                    let needs_reason = matches!(outcome, Outcome::Timeout | Outcome::ScriptError);
                    assert!(!needs_reason || reason.as_ref().is_some_and(|reason| !reason.is_empty()), "{verdict:?}");
                    assert!(*outcome != Outcome::Finished || before == Phase::Running, "finished out of {before:?}");
                    assert!(*outcome != Outcome::Timeout || before == Phase::Running, "timeout out of {before:?}");
                }
                Verdict::Nothing => assert_eq!(next.phase(), before),
            }
            let ends = ends + u32::from(ended);
            assert!(ends <= 1);
            stack.push((next, depth + 1, ends));
        }
    }
    assert_eq!(sequences, inputs.len().pow(5));
}

fn running() -> Machine {
    let mut machine = Machine::new(LIMIT_S);
    for input in [Input::Prepared, Input::Initialized, Input::Observed(at(5.0))] {
        machine.on(input);
    }
    assert_eq!(machine.phase(), Phase::Running);
    machine
}

fn outcome(verdict: Verdict) -> Option<Outcome> {
    match verdict {
        Verdict::End(ending) => Some(ending.outcome),
        _ => None,
    }
}

#[test]
fn the_limit_is_simulation_time_since_the_first_observation() {
    let mut machine = running();
    assert_eq!(outcome(machine.on(clock(15.0, 1.0))), None, "the limit itself is within the limit");
    assert_eq!(machine.elapsed_s(), 10.0);
    assert_eq!(outcome(machine.on(clock(15.005, 1.0))), Some(Outcome::Timeout));
    let mut early = Machine::new(LIMIT_S);
    early.on(Input::Prepared);
    assert_eq!(outcome(early.on(clock(1000.0, 1.0))), None, "before the first observation no time passes");
}

#[test]
fn a_paused_session_waits_and_a_standing_one_does_not() {
    let stand = STANDS_STILL.as_secs_f64();
    let mut machine = running();
    machine.on(clock(6.0, 1.0));
    let paused =
        |wall| Input::Clock { sim_time: at(6.0), paused: true, alive: true, wall: Duration::from_secs_f64(wall) };
    assert_eq!(outcome(machine.on(paused(1000.0))), None);
    assert_eq!(outcome(machine.on(clock(6.0, 1000.0 + stand - 1.0))), None, "it may stand for a while after the pause");
    assert_eq!(outcome(machine.on(clock(6.0, 1000.0 + stand + 1.0))), Some(Outcome::ScriptError));
}

#[test]
fn a_short_silence_of_the_simulator_is_none() {
    let dead =
        |wall| Input::Clock { sim_time: at(6.0), paused: false, alive: false, wall: Duration::from_secs_f64(wall) };
    let mut machine = running();
    machine.on(clock(6.0, 1.0));
    assert_eq!(outcome(machine.on(dead(2.5))), None);
    machine.on(clock(6.1, 2.6));
    assert_eq!(outcome(machine.on(dead(4.5))), None);
    assert_eq!(outcome(machine.on(dead(4.7))), Some(Outcome::ScriptError));
}
