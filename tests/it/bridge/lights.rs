//! The state machine of the traffic lights, one rule at a time and over random stories.

use std::collections::BTreeMap;

use sim_api::bridge::LightError;
use sim_api::bridge::lights::{Lights, YELLOW};
use sim_api::domain::{Epoch, EpochCause, LightCommand, LightState, ModelName, SimTime, WorldName};

use crate::support::node::model;

const NAMES: [&str; 3] = ["signal1", "signal2", "signal3"];

fn world(name: &str) -> WorldName {
    WorldName::parse(name).unwrap()
}

fn lights() -> Lights {
    let mut lights = Lights::default();
    lights.enter(&world("oval"), NAMES.map(model));
    lights
}

fn state(lights: &Lights, name: &str) -> LightState {
    lights.states()[&model(name)]
}

fn at(seconds: f64) -> SimTime {
    SimTime::from_nanos((seconds * 1e9) as i64)
}

#[test]
fn green_becomes_red_after_three_seconds_of_yellow() {
    let mut lights = lights();
    lights.command("signal1", LightCommand::Red, at(10.0)).unwrap();
    assert_eq!(state(&lights, "signal1"), LightState::Yellow { red_at: at(13.0) });
    assert_eq!(state(&lights, "signal2"), LightState::Green);
    lights.advance(at(12.999));
    assert_eq!(state(&lights, "signal1").as_str(), "yellow");
    lights.advance(at(13.0));
    assert_eq!(state(&lights, "signal1"), LightState::Red);
}

#[test]
fn every_command_is_refused_during_yellow_and_works_at_its_end() {
    let mut lights = lights();
    lights.command("signal1", LightCommand::Red, at(0.0)).unwrap();
    for command in [LightCommand::Red, LightCommand::Green] {
        assert_eq!(lights.command("signal1", command, at(2.9)), Err(LightError::YellowInProgress));
    }
    assert_eq!(LightError::YellowInProgress.to_string(), "yellow transition in progress");
    lights.command("signal1", LightCommand::Green, at(3.0)).unwrap();
    assert_eq!(state(&lights, "signal1"), LightState::Green, "red to green is immediate");
}

#[test]
fn the_present_state_is_no_change_and_an_unknown_light_is_an_error() {
    let mut lights = lights();
    let before = lights.clone();
    lights.command("signal1", LightCommand::Green, at(1.0)).unwrap();
    assert_eq!(lights, before);
    let unknown = lights.command("signal9", LightCommand::Red, at(1.0));
    assert_eq!(unknown, Err(LightError::NoSuchLight("signal9".into())));
}

/// A generator of its own (xorshift), so that every failure can be repeated by its seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// What the rules say, told in another way: when a light was last told to be red, and since when it is green.
#[derive(Default)]
struct Model {
    red_since: BTreeMap<ModelName, Option<SimTime>>,
}

impl Model {
    fn expected(&self, name: &ModelName, now: SimTime) -> &'static str {
        match self.red_since.get(name).copied().flatten() {
            None => "green",
            Some(told) if now < told.plus(YELLOW) => "yellow",
            Some(_) => "red",
        }
    }
}

#[test]
fn over_random_stories_the_lights_do_what_the_rules_say() {
    for seed in 1..=2000_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (mut lights, mut rules) = (lights(), Model::default());
        let (mut now, mut epoch) = (SimTime::ZERO, Epoch(1));
        for turn in 0..60 {
            let name = model(NAMES[dice.below(3) as usize]);
            let before = rules.expected(&name, now);
            match dice.below(10) {
                0..4 => {
                    let command = if dice.below(2) == 0 { LightCommand::Red } else { LightCommand::Green };
                    let outcome = lights.command(name.as_str(), command, now);
                    assert_eq!(outcome.is_err(), before == "yellow", "seed {seed}, turn {turn}");
                    if outcome.is_ok() && command == LightCommand::Green {
                        rules.red_since.insert(name, None);
                    } else if outcome.is_ok() && before == "green" {
                        rules.red_since.insert(name, Some(now));
                    }
                }
                4..7 => {
                    now = now.plus_steps(dice.below(500));
                    lights.advance(now);
                }
                7 => {
                    epoch.0 += dice.below(3);
                    let is_new = epoch > lights.settled();
                    lights.begin_epoch(epoch, EpochCause::Reset);
                    if is_new {
                        rules.red_since.clear();
                    }
                }
                8 => {
                    epoch.0 += 1;
                    lights.begin_epoch(epoch, EpochCause::Respawn);
                    lights.enter(&world("oval"), NAMES.map(model));
                    let long_ago = SimTime::from_nanos(now.nanos() - 3_000_000_000);
                    let told = rules.red_since.values_mut().flatten();
                    told.for_each(|since| *since = (*since).min(long_ago));
                }
                _ => {
                    let restored = Lights::restored(world("oval"), lights.settled(), lights.states().clone());
                    assert_eq!(restored, lights);
                }
            }
            for (name, state) in lights.states() {
                assert_eq!(state.as_str(), rules.expected(name, now), "seed {seed}, turn {turn}, {name}");
                let waits = matches!(state, LightState::Yellow { red_at } if *red_at > now.plus(YELLOW));
                assert!(!waits, "nobody waits longer than the yellow phase");
            }
        }
    }
}
