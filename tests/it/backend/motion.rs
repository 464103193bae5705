//! Motions through `apply`: on time to the step, and at the right place in the end; and which step an answer names.

use std::f64::consts::FRAC_PI_2;

use sim_api::ros::msg::geometry_msgs::Point;
use sim_api::ros::msg::sim_api_msgs::{ApplyRequest, ApplyResponse, Command};

use super::rig::{Rig, drive, pause, place, position, reset};
use crate::support::wait::LIMIT;

fn assert_at(response: &ApplyResponse, x: f64, y: f64) {
    let [px, py, _] = position(response, "box1");
    assert!((px - x).hypot(py - y) < 1e-3, "({px}, {py}) instead of ({x}, {y})");
}

/// Of `box1`: x and y of its velocity, and where it faces.
fn moving(response: &ApplyResponse) -> ([f64; 2], f64) {
    let index = response.states.names.iter().position(|name| name == "box1").unwrap();
    let (twist, q) = (&response.states.twists[index].linear, &response.states.poses[index].orientation);
    ([twist.x, twist.y], 2.0 * q.z.atan2(q.w))
}

fn follow(points: &[[f64; 2]], speed: f64, looped: bool) -> Command {
    Command {
        kind: Command::FOLLOW_PATH,
        entity: "box1".into(),
        path: points.iter().map(|&[x, y]| Point { x, y, z: 0.0 }).collect(),
        speed,
        looped,
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_over_a_duration_arrives_with_its_last_step() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true), reset(), place("box1", 1.0)], 0).await;
    let glide = Command {
        kind: Command::MOVE,
        entity: "box1".into(),
        fields: Command::FIELD_X | Command::FIELD_YAW,
        x: 3.0,
        yaw: FRAC_PI_2,
        duration: 4.0,
        ..Default::default()
    };
    // The command and the first quarter of its time in one request.
    let quarter = rig.expect(vec![glide], 200).await;
    assert_at(&quarter, 1.5, 0.5);
    let ([vx, _], yaw) = moving(&quarter);
    assert!((vx - 0.5).abs() < 1e-3 && (yaw - FRAC_PI_2 / 4.0).abs() < 1e-3);
    assert_at(&rig.expect(vec![], 400).await, 2.5, 0.5);
    assert_at(&rig.expect(vec![], 199).await, 3.0 - 0.0025, 0.5);
    let end = rig.expect(vec![], 1).await;
    assert_at(&end, 3.0, 0.5);
    assert!((moving(&end).1 - FRAC_PI_2).abs() < 1e-3);
    assert_at(&rig.expect(vec![], 400).await, 3.0, 0.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_is_followed_at_its_speed_to_its_end() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true), reset(), place("box1", 1.0)], 0).await;
    // 1 m east and 2 m south at 0.5 m/s: 2 s and 4 s.
    let half = rig.expect(vec![follow(&[[2.0, 0.5], [2.0, -1.5]], 0.5, false)], 200).await;
    assert_at(&half, 1.5, 0.5);
    assert_at(&rig.expect(vec![], 200).await, 2.0, 0.5);
    let south = rig.expect(vec![], 400).await;
    assert_at(&south, 2.0, -0.5);
    let ([vx, vy], yaw) = moving(&south);
    assert!(vx.abs() < 1e-3 && (vy + 0.5).abs() < 1e-3 && (yaw + FRAC_PI_2).abs() < 1e-3);
    assert_at(&rig.expect(vec![], 400).await, 2.0, -1.5);
    assert_at(&rig.expect(vec![], 1000).await, 2.0, -1.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_looped_path_goes_round_until_something_else_is_asked() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true), reset(), place("box1", 1.0)], 0).await;
    let square = [[1.0, 0.5], [2.0, 0.5], [2.0, 1.5], [1.0, 1.5]];
    rig.expect(vec![follow(&square, 1.0, true)], 0).await;
    // One side a second, for three rounds and a bit.
    for corner in 1..=13 {
        let [x, y] = square[corner % 4];
        assert_at(&rig.expect(vec![], 200).await, x, y);
    }
    let stopped = rig.expect(vec![place("box1", 2.0)], 0).await;
    assert_at(&stopped, 2.0, 0.5);
    assert_at(&rig.expect(vec![], 400).await, 2.0, 0.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_names_the_step_at_which_its_commands_took_hold() {
    let rig = Rig::start(1.0);
    let start = rig.expect(vec![pause(true), reset()], 0).await;
    // Without steps it is the answer's own step; with steps it is as many before it.
    let driven = rig.expect(vec![drive(1.0)], 7).await;
    assert_eq!(driven.step, start.step + 7);
    let placed = rig.expect(vec![drive(0.0), place("vehicle", -1.0)], 0).await;
    assert_eq!(placed.step, driven.step);
    assert!((position(&placed, "vehicle")[0] + 1.0).abs() < 1e-6);
    // While time runs too: the commands take hold between the named step and the next one. From standstill at 10 m/s^2 the
    // first n steps cover n (n + 1) / 2 * 0.25 mm, so the way tells when the drive began.
    rig.expect(vec![reset(), pause(false)], 0).await;
    // Once and not again: what is repeated takes hold at a later step.
    let once = |commands| rig.apply.call(ApplyRequest { commands, ..Default::default() }, LIMIT);
    let driving = once(vec![drive(3.0)]).await.expect("an answer");
    let later = once(vec![pause(true)]).await.expect("an answer");
    let steps = (later.step - driving.step) as f64;
    let top = 60.0_f64.min(steps);
    let way = 0.25e-3 * top * (top + 1.0) / 2.0 + (steps - top) * 0.015;
    let got = position(&later, "vehicle")[0] - position(&driving, "vehicle")[0];
    assert!((got - way).abs() < 0.004 + 0.02 * way, "{got} m instead of {way} m in {steps} steps");
}
