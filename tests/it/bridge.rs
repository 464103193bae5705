//! How the node's live state follows from what it hears.

use std::time::{Duration, Instant};

use sim_api::bridge::live::{Live, Status};
use sim_api::domain::snapshot::ClockReading;
use sim_api::domain::{EntityState, Epoch, ModelName, Pose, SimTime, Twist, WorldName, WorldState};

fn status(epoch: u64, steps: u64) -> Status {
    let sim_time = SimTime::ZERO.plus_steps(steps);
    Status {
        clock: ClockReading { sim_time, real_time_s: 1.0, rtf: 1.0, paused: false },
        epoch: Epoch(epoch),
        world: Some(WorldName::parse("plain").unwrap()),
        vehicle: Some(ModelName::parse("vehicle").unwrap()),
    }
}

fn state(epoch: u64, revision: u64, x: f64) -> WorldState {
    let entity = |name: &str, x| EntityState {
        name: ModelName::parse(name).unwrap(),
        pose: Pose::upright(x, 0.0, 0.0, 0.0),
        twist: Twist::default(),
    };
    WorldState {
        step: revision,
        revision,
        stamp: SimTime::ZERO.plus_steps(revision),
        epoch: Epoch(epoch),
        entities: vec![entity("box1", 1.0), entity("vehicle", x)],
    }
}

fn vehicle_x(live: &Live) -> f64 {
    live.snapshot().vehicle.as_ref().unwrap().pose.position.x
}

#[test]
fn an_older_state_never_replaces_a_newer_one() {
    let mut live = Live::default();
    live.note_status(status(1, 10), Instant::now());
    assert!(live.note_states(&state(1, 20, 2.0)));
    assert!(!live.note_states(&state(1, 19, 1.0)), "sent before the answer, received after it");
    assert!(!live.note_states(&state(1, 20, 3.0)));
    assert_eq!(vehicle_x(&live), 2.0);
    assert!(live.note_states(&state(2, 5, 4.0)), "a restarted simulator counts anew in a higher epoch");
    assert!(!live.note_states(&state(1, 99, 1.0)), "what is left of the old epoch is dropped");
    assert_eq!(vehicle_x(&live), 4.0);
}

#[test]
fn seq_and_time_never_fall() {
    let mut live = Live::default();
    live.note_status(status(1, 100), Instant::now());
    let (mut seq, mut time) = (0, SimTime::ZERO);
    for (epoch, revision) in [(1, 100), (1, 105), (2, 3), (2, 4), (3, 4), (3, 1000), (4, 1)] {
        live.note_states(&state(epoch, revision, 0.0));
        live.note_status(status(epoch, 90), Instant::now());
        let snapshot = live.snapshot();
        assert!(snapshot.seq > seq, "{} after {seq}", snapshot.seq);
        assert!(snapshot.clock.unwrap().sim_time >= time);
        (seq, time) = (snapshot.seq, snapshot.clock.unwrap().sim_time);
    }
}

#[test]
fn silence_is_death_and_the_next_word_is_life() {
    let mut live = Live::default();
    let start = Instant::now();
    assert!(!live.note_time(start), "nobody was ever heard");
    live.note_status(status(1, 1), start);
    live.note_states(&state(1, 1, 0.0));
    assert!(live.snapshot().running());
    assert!(!live.note_time(start + Duration::from_millis(400)));
    assert!(live.note_time(start + Duration::from_millis(600)));
    assert!(!live.snapshot().running() && live.snapshot().world.is_some(), "people still see what was running");
    assert!(live.note_status(status(2, 2), start + Duration::from_secs(5)));
    assert!(live.snapshot().ready());
}

#[test]
fn a_simulator_counts_as_running_only_when_its_vehicle_is_known() {
    let mut live = Live::default();
    live.note_status(status(1, 1), Instant::now());
    assert!(live.lacks_state() && !live.snapshot().running());
    live.note_states(&state(1, 2, 0.0));
    assert!(!live.lacks_state() && live.snapshot().running());
    live.note_status(status(2, 3), Instant::now());
    assert!(live.lacks_state(), "what is known is from the epoch before");
}
