//! The same run twice, a reset against a fresh world, and random commands that must never break a state.

use sim_api::domain::{Command, DriveTarget, EntityState, Pose, PoseChange, VehicleSpec};
use sim_api::engine::{Part, Shape, WorldDescription};

use super::{World, name, plain, run, spec};

/// A small generator of its own, so that the runs below never change.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.next()
    }

    fn change(&mut self, reach: f64) -> PoseChange {
        let mut some = |min, max| (self.next() < 0.7).then(|| self.between(min, max));
        PoseChange {
            x: some(-reach, reach),
            y: some(-reach, reach),
            z: some(-reach.min(10.0), reach),
            yaw: some(-1e4, 1e4),
        }
    }

    fn command(&mut self, reach: f64) -> Command {
        let entity = name(if self.next() < 0.5 { "box1" } else { "vehicle" });
        match (self.next() * 6.0) as u32 {
            0 => Command::SetPose { entity, change: self.change(reach) },
            1 => Command::MoveOver { entity, change: self.change(reach), duration_s: self.between(0.0, 1.0).powi(4) },
            2 => {
                let count = 1 + (self.next() * 5.0) as usize;
                let path = (0..count).map(|_| [self.between(-reach, reach), self.between(-reach, reach)]).collect();
                let speed_m_s = 1e-3 + 100.0 * self.next().powi(4);
                Command::FollowPath { entity, path, speed_m_s, looped: self.next() < 0.5 }
            }
            3 if self.next() < 0.3 => Command::Reset,
            _ => Command::Drive(DriveTarget {
                speed_m_s: self.between(-4.0, 4.0),
                steering_rad: self.between(-0.6, 0.6),
                ..Default::default()
            }),
        }
    }
}

fn bits(states: &[EntityState]) -> Vec<u64> {
    let numbers = states.iter().flat_map(|state| {
        let (p, q) = (state.pose.position, state.pose.xyzw());
        let (v, w) = (state.twist.linear, state.twist.angular);
        [p.x, p.y, p.z, q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z]
    });
    numbers.map(f64::to_bits).collect()
}

fn assert_finite(state: &EntityState) {
    let moves = state.twist.linear.iter().chain(state.twist.angular.iter());
    assert!(state.pose.is_finite() && moves.copied().all(f64::is_finite), "{state:?}");
}

#[test]
fn same_commands_give_the_same_bits() {
    let (mut one, mut other) = (plain(), plain());
    let mut dice = Dice(1);
    for step in 0..2_000 {
        if step % 40 == 0 {
            let command = dice.command(0.8);
            one.apply(&command).unwrap();
            other.apply(&command).unwrap();
        }
        one.step();
        other.step();
        assert_eq!(bits(&one.entities()), bits(&other.entities()), "at step {step}");
    }
}

#[test]
fn reset_world_is_a_fresh_world() {
    let mut used = plain();
    let mut dice = Dice(2);
    for _ in 0..20 {
        used.apply(&dice.command(0.8)).unwrap();
        run(&mut used, 0.2);
    }
    used.reset();
    let mut fresh = plain();
    assert_eq!(bits(&used.entities()), bits(&fresh.entities()));
    assert_eq!(used.drive(), DriveTarget::default());
    for step in 0..1_000 {
        if step % 50 == 0 {
            let command = dice.command(0.8);
            used.apply(&command).unwrap();
            fresh.apply(&command).unwrap();
        }
        used.step();
        fresh.step();
        assert_eq!(bits(&used.entities()), bits(&fresh.entities()), "at step {step}");
    }
}

#[test]
fn reading_changes_nothing() {
    let (mut watched, mut alone) = (plain(), plain());
    for _ in 0..200 {
        watched.entities();
        watched.vehicle();
        watched.check(&Command::Reset).unwrap();
        watched.step();
        alone.step();
    }
    assert_eq!(bits(&watched.entities()), bits(&alone.entities()));
}

#[test]
fn no_sequence_of_commands_makes_a_state_other_than_finite() {
    for seed in 0..60 {
        let mut dice = Dice(1_000 + seed);
        let mut world = plain();
        // Close together so that things hit each other, and all over the allowed range.
        let reach = [0.3, 1.0, 100.0][seed as usize % 3];
        for _ in 0..60 {
            let command = dice.command(reach);
            world.check(&command).unwrap();
            world.apply(&command).unwrap();
            for _ in 0..(dice.next() * 60.0) as usize {
                world.step();
                world.entities().iter().for_each(assert_finite);
            }
        }
    }
}

#[test]
fn strange_but_allowed_measures_stay_finite() {
    let smallest = VehicleSpec {
        wheelbase_m: 0.005,
        track_m: 0.005,
        wheel_radius_m: 0.005,
        chassis_m: [0.005; 3],
        mass_kg: 0.01,
        max_steer_rad: 1.2,
        max_steer_rate_rad_s: 1_000.0,
        max_speed_m_s: 50.0,
        max_accel_m_s2: 1_000.0,
        ..spec()
    };
    let largest = VehicleSpec {
        wheelbase_m: 10.0,
        track_m: 10.0,
        wheel_radius_m: 10.0,
        chassis_m: [10.0; 3],
        mass_kg: 1_000.0,
        ..smallest.clone()
    };
    for (index, spec) in [spec(), smallest, largest].iter().enumerate() {
        for (edge, mass_kg) in [(1e-4, 1e-4), (1e-4, 1_000.0), (1_000.0, 1e-4), (1_000.0, 1_000.0)] {
            let mut description = WorldDescription::plain();
            let model = &mut description.models[0];
            model.mass_kg = mass_kg;
            model.pose = Pose::upright(0.1, 0.0, 0.0, 0.0);
            model.parts = vec![Part { shape: Shape::Box { size_m: [edge; 3] }, pose: Pose::default() }];
            let mut world = World::build(&description, spec, 0).unwrap();
            let mut dice = Dice(index as u64);
            for _ in 0..30 {
                world.apply(&dice.command(1.0)).unwrap();
                for _ in 0..20 {
                    world.step();
                    world.entities().iter().for_each(assert_finite);
                }
            }
        }
    }
}

#[test]
fn a_world_can_be_handed_to_its_thread() {
    fn is_send<T: Send>() {}
    is_send::<World>();
}
