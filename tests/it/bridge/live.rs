//! How the node's live state follows from what it hears.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sim_api::bridge::live::{Live, Status};
use sim_api::bridge::saved::Saved;
use sim_api::domain::snapshot::{ClockReading, Joints, Odometry};
use sim_api::domain::{
    Caption, Command, EntityState, Epoch, EpochCause, LightCommand, ModelName, Pose, SimTime, Transition, Twist,
    WorldName, WorldState,
};

use crate::support::node::{OneWorld, contents};

fn status(epoch: u64, steps: u64) -> Status {
    let sim_time = SimTime::ZERO.plus_steps(steps);
    Status {
        clock: ClockReading { sim_time, real_time_s: 1.0, rtf: 1.0, paused: false },
        epoch: Epoch(epoch),
        revision: steps,
        world: Some(WorldName::parse("plain").unwrap()),
        loading: false,
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

fn odom(steps: u64) -> Odometry {
    Odometry { x: 1.0, y: 0.0, yaw: 0.0, speed_m_s: 0.0, stamp: SimTime::ZERO.plus_steps(steps) }
}

fn joints(steps: u64, steering_rad: f64) -> Joints {
    Joints {
        stamp: SimTime::ZERO.plus_steps(steps),
        front_left_wheel_rad: 0.0,
        front_right_wheel_rad: 0.0,
        rear_left_wheel_rad: 0.0,
        rear_right_wheel_rad: 0.0,
        front_left_steering_rad: steering_rad,
        front_right_steering_rad: steering_rad,
        camera_pan_rad: 0.0,
        camera_tilt_rad: 0.0,
    }
}

#[test]
fn joints_are_shown_with_the_next_state_and_never_across_an_epoch() {
    let mut live = Live::default();
    live.note_status(status(1, 10), Instant::now());
    live.note_states(&state(1, 20, 2.0));
    live.note_joints(joints(20, 0.1));
    assert_eq!(live.snapshot().joints, None, "read in the step before the first state that was seen");
    live.note_joints(joints(24, 0.2));
    live.note_joints(joints(22, 0.1));
    assert_eq!(live.snapshot().joints, Some(joints(24, 0.2)), "the newest counts");
    assert!(live.note_states(&state(1, 24, 2.0)));
    live.note_epoch(Epoch(2), Some(EpochCause::Reset));
    assert_eq!(live.snapshot().joints, None);
    live.note_joints(joints(99, 0.3));
    assert_eq!(live.snapshot().joints, None, "when the epoch began is not known yet");
    live.note_states(&state(2, 30, 0.0));
    live.note_joints(joints(30, 0.3));
    assert_eq!(live.snapshot().joints, None);
    live.note_joints(joints(32, 0.0));
    assert_eq!(live.snapshot().joints, Some(joints(32, 0.0)));
    live.note_states(&state(3, 5, 0.0));
    assert_eq!(live.snapshot().joints, None);
    live.note_joints(joints(6, 0.4));
    assert_eq!(live.snapshot().joints, Some(joints(6, 0.4)), "the time of a restarted simulator may be another");
}

#[test]
fn odometry_of_the_world_before_is_not_shown_in_a_fresh_one() {
    let mut live = Live::default();
    live.note_status(status(1, 10), Instant::now());
    live.note_states(&state(1, 20, 2.0));
    assert!(live.note_odom(odom(20)));
    live.note_epoch(Epoch(2), Some(EpochCause::Reset));
    assert_eq!(live.snapshot().odom, Some(odom(20)), "nobody tells a robot that it was lifted");
    live.note_epoch(Epoch(3), Some(EpochCause::Respawn));
    assert_eq!(live.snapshot().odom, None);
    assert!(!live.note_odom(odom(99)), "when the world began is not known yet");
    live.note_states(&state(3, 30, 2.0));
    assert!(!live.note_odom(odom(29)));
    assert!(live.note_odom(odom(30)));
    live.note_epoch(Epoch(4), Some(EpochCause::Restart));
    live.note_states(&state(4, 5, 2.0));
    assert!(live.note_odom(odom(6)), "the time of a restarted simulator may be another");
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
fn a_restarted_simulator_that_is_first_heard_by_its_state_is_not_ready() {
    let mut live = Live::default();
    live.note_status(status(1, 10), Instant::now());
    live.note_states(&state(1, 20, 2.0));
    live.note_states(&state(2, 21, 2.0));
    assert!(live.snapshot().ready(), "the same simulator, after somebody else's reset");
    live.note_states(&state(4, 5, 4.0));
    assert!(!live.snapshot().ready(), "whether it has lost its world is not known");
    live.note_status(status(4, 6), Instant::now());
    assert!(live.snapshot().ready());
}

#[test]
fn a_state_that_came_before_the_first_status_counts_when_it_comes_again() {
    let mut live = Live::default();
    live.note_states(&state(1, 20, 2.0));
    live.note_status(status(1, 20), Instant::now());
    assert!(live.lacks_state(), "nobody knew which one the vehicle is");
    assert!(live.note_states(&state(1, 20, 2.0)), "a paused simulator answers with the state that it told before");
    assert!(!live.lacks_state());
    assert_eq!(vehicle_x(&live), 2.0);
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

fn followed() -> Live {
    let mut live = Live::default();
    live.note_status(status(1, 10), Instant::now());
    live.note_states(&state(1, 10, 0.0));
    live
}

#[test]
fn a_pause_is_seen_at_once_and_an_older_status_does_not_undo_it() {
    let mut live = followed();
    assert!(live.note_applied(&[Command::SetPaused(true)], &state(1, 20, 0.0)));
    assert!(live.snapshot().paused());
    live.note_status(status(1, 19), Instant::now());
    assert!(live.snapshot().paused(), "this status was made before the pause");
    assert!(!live.note_applied(&[Command::SetPaused(false)], &state(1, 15, 0.0)), "and this answer as well");
    assert!(live.snapshot().paused());
    live.note_status(status(1, 21), Instant::now());
    assert!(!live.snapshot().paused(), "somebody else let it go on");
}

#[test]
fn a_loaded_world_is_seen_at_once_and_an_older_status_does_not_bring_the_old_one_back() {
    let mut live = followed();
    let other = WorldName::parse("oval").unwrap();
    live.note_applied(&[Command::LoadWorld { world: other.clone(), seed: 0 }], &state(2, 11, 3.0));
    assert_eq!(live.snapshot().world, Some(other.clone()));
    assert_eq!((live.snapshot().epoch, vehicle_x(&live)), (Epoch(2), 3.0));
    live.note_status(status(1, 99), Instant::now());
    assert_eq!(live.snapshot().world, Some(other));
}

#[test]
fn steps_of_a_paused_simulation_move_the_clock() {
    let mut live = followed();
    live.note_applied(&[Command::SetPaused(true)], &state(1, 11, 0.0));
    assert!(live.note_applied(&[], &state(1, 31, 1.0)));
    assert_eq!(live.snapshot().clock.unwrap().sim_time, SimTime::ZERO.plus_steps(31));
}

#[test]
fn a_transition_of_our_own_outlasts_what_the_simulator_says() {
    let mut live = followed();
    assert!(live.set_transition(Some(Transition::Respawning)));
    live.note_status(status(1, 12), Instant::now());
    assert!(!live.snapshot().ready());
    assert!(live.set_transition(None));
    assert!(live.snapshot().ready());
    live.note_status(Status { loading: true, ..status(1, 13) }, Instant::now());
    assert_eq!(live.snapshot().transition, Some(Transition::Loading), "somebody else has it load");
    live.note_status(status(1, 14), Instant::now());
    assert!(live.snapshot().ready());
}

#[test]
fn an_overlay_disappears_by_itself_and_counts_every_caption() {
    let mut live = followed();
    let start = Instant::now();
    let caption = Caption { text: "lap 1".into(), ttl: Duration::from_secs(2), size: 2.0 };
    assert!(live.show(caption.clone(), start));
    assert!(live.show(caption, start), "the same text is news as well");
    assert_eq!(live.snapshot().overlay.seq, 2);
    assert!(!live.expire_overlay(start + Duration::from_millis(1999)));
    assert!(live.expire_overlay(start + Duration::from_secs(2)));
    assert_eq!((live.snapshot().overlay.caption.text.as_str(), live.snapshot().overlay.seq), ("", 2));
    assert!(!live.expire_overlay(start + Duration::from_secs(3)));
}

#[test]
fn contacts_of_an_older_epoch_are_forgotten() {
    let mut live = followed();
    let wall = vec![ModelName::parse("wall_0").unwrap()];
    assert!(live.note_contacts(Epoch(1), wall.clone()));
    assert_eq!(live.snapshot().contacts, wall);
    assert!(live.note_states(&state(2, 20, 0.0)));
    assert!(live.snapshot().contacts.is_empty());
    assert!(!live.note_contacts(Epoch(1), wall.clone()));
    assert!(live.note_contacts(Epoch(2), wall.clone()));
    live.note_states(&state(2, 30, 1.0));
    assert_eq!(live.snapshot().contacts, wall);
}

/// A world with the light `signal1`, which somebody has told to be red.
fn with_yellow_light() -> Live {
    let catalogue = Arc::new(OneWorld(Arc::new(contents())));
    let mut live = Live::new(catalogue, Saved::default());
    live.note_status(status(1, 10), Instant::now());
    live.note_states(&state(1, 10, 0.0));
    live.command_light("signal1", LightCommand::Red).unwrap();
    live
}

fn signal1(live: &Live) -> &'static str {
    live.snapshot().lights.iter().find(|light| light.name.as_str() == "signal1").unwrap().state.as_str()
}

#[test]
fn lights_are_shown_by_name_and_follow_the_clock() {
    let mut live = with_yellow_light();
    let names: Vec<_> = live.snapshot().lights.iter().map(|light| light.name.as_str()).collect();
    assert_eq!(names, ["signal1", "signal2"]);
    assert_eq!(signal1(&live), "yellow");
    live.note_states(&state(1, 609, 0.0));
    assert_eq!(signal1(&live), "yellow");
    live.note_states(&state(1, 610, 0.0));
    assert_eq!(signal1(&live), "red", "3 s are 600 steps");
}

#[test]
fn a_reset_makes_lights_green_once_however_it_is_heard_of() {
    let mut live = with_yellow_light();
    live.note_applied(&[Command::Reset], &state(2, 11, 0.0));
    assert_eq!(signal1(&live), "green");
    live.command_light("signal1", LightCommand::Red).unwrap();
    live.note_epoch(Epoch(2), Some(EpochCause::Reset));
    assert_eq!(signal1(&live), "yellow", "the announcement of an epoch that is known changes nothing");
    live.note_epoch(Epoch(3), Some(EpochCause::Reset));
    assert_eq!(signal1(&live), "green", "somebody else has reset the world");
}

#[test]
fn a_respawn_makes_yellow_red_and_another_world_starts_green() {
    let mut live = with_yellow_light();
    let load = |name| Command::LoadWorld { world: WorldName::parse(name).unwrap(), seed: 0 };
    live.note_applied(&[load("plain")], &state(2, 11, 0.0));
    assert_eq!(signal1(&live), "red");
    live.note_applied(&[load("oval")], &state(3, 12, 0.0));
    assert_eq!(signal1(&live), "green");
}

#[test]
fn lights_go_on_after_a_restart_of_the_node() {
    let before = with_yellow_light();
    let mut live = Live::new(Arc::new(OneWorld(Arc::new(contents()))), before.saved());
    live.note_epoch(Epoch(1), Some(EpochCause::Reset));
    live.note_status(status(1, 20), Instant::now());
    assert_eq!(signal1(&live), "yellow");
    live.note_status(status(1, 700), Instant::now());
    assert_eq!(signal1(&live), "red");
}

/// What a simulator says that was born this long ago.
fn status_of_one_aged(age: Duration, epoch: u64, world: &str) -> Status {
    let young = status(epoch, 1);
    let clock = ClockReading { real_time_s: age.as_secs_f64(), ..young.clock };
    Status { clock, world: Some(WorldName::parse(world).unwrap()), ..young }
}

/// A paused simulator in the world `plain`, and a moment later another one in the world `other`.
fn replaced() -> (Live, Instant) {
    let (mut live, now) = (Live::default(), Instant::now());
    live.note_status(status_of_one_aged(Duration::from_secs(1), 1, "plain"), now);
    live.note_applied(&[Command::SetPaused(true)], &state(1, 2, 0.0));
    let later = now + Duration::from_secs(2);
    assert!(live.note_status(status_of_one_aged(Duration::from_millis(1500), 2, "other"), later));
    (live, later)
}

#[test]
fn a_restarted_simulator_is_given_back_its_world_and_its_pause() {
    let (mut live, _) = replaced();
    let shown = live.snapshot();
    assert_eq!(shown.world, WorldName::parse("plain").ok(), "what was so is shown until it is so again");
    assert!(shown.paused() && shown.transition == Some(Transition::Loading));
    assert!(!live.note_states(&state(2, 5, 9.0)), "states of the other world are nobody's business");
    let commands = live.giving_back(7).expect("something is lost");
    let world = WorldName::parse("plain").unwrap();
    assert_eq!(commands, [Command::LoadWorld { world: world.clone(), seed: 7 }, Command::SetPaused(true)]);
    assert!(!live.set_transition(None), "somebody else's switch that failed ends nothing");
    assert!(live.note_given_back(&state(3, 6, 4.0)));
    let shown = live.snapshot();
    assert_eq!((&shown.world, shown.transition, shown.epoch), (&Some(world), None, Epoch(3)));
    assert!(shown.paused() && live.giving_back(7).is_none());
    assert_eq!(vehicle_x(&live), 4.0);
}

#[test]
fn a_restart_that_is_heard_of_before_the_first_status_counts_as_loading_until_then() {
    let (mut live, now) = (Live::default(), Instant::now());
    live.note_epoch(Epoch(1), Some(EpochCause::Restart));
    live.note_status(status_of_one_aged(Duration::from_secs(1), 1, "plain"), now);
    live.note_epoch(Epoch(1), Some(EpochCause::Restart));
    assert_eq!(live.snapshot().transition, None, "what is known already changes nothing");
    assert!(live.note_epoch(Epoch(2), Some(EpochCause::Restart)));
    assert_eq!(live.snapshot().transition, Some(Transition::Loading));
    live.note_status(status_of_one_aged(Duration::from_millis(50), 2, "plain"), now + Duration::from_millis(300));
    assert_eq!(live.snapshot().transition, None, "nothing is lost");
}

#[test]
fn a_world_that_a_restarted_simulator_refuses_is_given_up() {
    let (mut live, now) = replaced();
    live.give_up_lost();
    assert!(live.giving_back(7).is_none());
    live.note_status(status_of_one_aged(Duration::from_millis(1600), 2, "other"), now + Duration::from_millis(100));
    let shown = live.snapshot();
    assert_eq!((&shown.world, shown.transition), (&WorldName::parse("other").ok(), None));
    assert!(!shown.paused());
}

#[test]
fn a_simulator_that_lives_on_in_another_world_has_lost_nothing() {
    let (mut live, now) = (Live::default(), Instant::now());
    live.note_status(status_of_one_aged(Duration::from_secs(1), 1, "plain"), now);
    // Somebody on ROS has switched, and the node hears of it late.
    let later = now + Duration::from_secs(2);
    live.note_status(status_of_one_aged(Duration::from_secs(3), 2, "other"), later);
    assert_eq!(live.snapshot().world, WorldName::parse("other").ok());
    assert!(live.giving_back(7).is_none());
}

#[test]
fn silence_counts_only_while_somebody_listens_and_any_word_ends_it() {
    let (mut live, now) = (Live::default(), Instant::now());
    let at = |ms| now + Duration::from_millis(ms);
    live.note_status(status(1, 10), now);
    live.note_deafness(Duration::from_millis(2000), at(2000));
    assert!(!live.note_time(at(2400)) && live.snapshot().simulator_alive);
    live.note_deafness(Duration::from_secs(60), at(2400));
    assert!(!live.note_time(at(2400)), "however long nobody listened, silence counts from then on");
    live.note_sign_of_life(at(2450));
    assert!(!live.note_time(at(2900)) && live.snapshot().simulator_alive);
    assert!(live.note_time(at(3000)) && !live.snapshot().simulator_alive);
    live.note_sign_of_life(at(3010));
    assert!(!live.note_time(at(3020)), "a simulator that counts as dead says how it is doing first");
}
