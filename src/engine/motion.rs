//! Motions that a command starts and the following steps carry out: where an entity is to be after the next step.
//!
//! Pure geometry over counted steps; it moves nothing itself. Turning takes the shorter way round.

use std::f64::consts::{PI, TAU};

use crate::domain::{Pose, STEP_NANOS};

const STEP_S: f64 = STEP_NANOS as f64 * 1e-9;
/// How far an entity turns in one step at a corner of its path. A turn within a single step would hit its neighbours like a
/// bat; this is one full turn per second.
const TURN_PER_STEP: f64 = TAU * STEP_S;

#[derive(Debug, Clone)]
pub(super) enum Motion {
    Glide(Glide),
    Path(Path),
}

impl Motion {
    /// The pose after the next step, or nothing when the motion has arrived.
    pub(super) fn advance(&mut self) -> Option<Pose> {
        match self {
            Self::Glide(glide) => glide.advance(),
            Self::Path(path) => path.advance(),
        }
    }
}

/// From one upright pose to another at constant speed.
#[derive(Debug, Clone)]
pub(super) struct Glide {
    from: Upright,
    turn: f64,
    to: Upright,
    duration_s: f64,
    steps: u64,
    arrived: bool,
}

impl Glide {
    pub(super) fn new(from: Upright, to: Upright, duration_s: f64) -> Self {
        Self { from, turn: wrapped(to.yaw - from.yaw), to, duration_s, steps: 0, arrived: false }
    }

    fn advance(&mut self) -> Option<Pose> {
        if self.arrived {
            return None;
        }
        self.steps += 1;
        let share = self.steps as f64 * STEP_S / self.duration_s;
        // Written so that a duration of 0, for which the share is not a number between 0 and 1, arrives at once.
        if share < 1.0 - 1e-9 {
            let between = |from: f64, to: f64| from + (to - from) * share;
            let (from, to) = (&self.from, &self.to);
            let here = Upright {
                x: between(from.x, to.x),
                y: between(from.y, to.y),
                z: between(from.z, to.z),
                yaw: from.yaw + self.turn * share,
            };
            Some(here.pose())
        } else {
            self.arrived = true;
            Some(self.to.pose())
        }
    }
}

/// Along straight legs at constant speed, facing forward. It starts with a leg from where the entity stands to the first
/// point; a looped path then returns from its last point to its first for ever.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// Where the entity was, then the points, then the first point again if looped.
    corners: Vec<[f64; 2]>,
    /// Length of the way from the start to each corner.
    reached_after: Vec<f64>,
    looped: bool,
    speed_m_s: f64,
    z: f64,
    yaw: f64,
    steps: u64,
    arrived: bool,
}

impl Path {
    /// `points` must not be empty.
    pub(super) fn new(from: Upright, points: &[[f64; 2]], speed_m_s: f64, looped: bool) -> Self {
        let mut corners = vec![[from.x, from.y]];
        corners.extend_from_slice(points);
        if looped {
            corners.extend(points.first());
        }
        let mut length = 0.0;
        let mut reached_after = vec![0.0];
        for leg in corners.windows(2) {
            length += libm::hypot(leg[1][0] - leg[0][0], leg[1][1] - leg[0][1]);
            reached_after.push(length);
        }
        Self { corners, reached_after, looped, speed_m_s, z: from.z, yaw: from.yaw, steps: 0, arrived: false }
    }

    fn advance(&mut self) -> Option<Pose> {
        if self.arrived {
            return None;
        }
        self.steps += 1;
        let way = self.way_now();
        let end = self.reached_after.partition_point(|&reached| reached < way).clamp(1, self.corners.len() - 1);
        let (a, b) = (self.corners[end - 1], self.corners[end]);
        let leg = self.reached_after[end] - self.reached_after[end - 1];
        let mut facing = self.yaw;
        let mut here = b;
        if leg > 0.0 {
            facing = libm::atan2(b[1] - a[1], b[0] - a[0]);
            let share = ((way - self.reached_after[end - 1]) / leg).clamp(0.0, 1.0);
            if share < 1.0 {
                here = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
            }
        }
        let turn = wrapped(facing - self.yaw);
        self.yaw = if turn.abs() <= TURN_PER_STEP { facing } else { self.yaw + TURN_PER_STEP.copysign(turn) };
        self.arrived = !self.looped && way >= self.length() && self.yaw == facing;
        Some(Upright { x: here[0], y: here[1], z: self.z, yaw: self.yaw }.pose())
    }

    fn length(&self) -> f64 {
        *self.reached_after.last().expect("the start is always there")
    }

    /// How far along the corners the entity is after the present step; a loop goes on at its first point.
    fn way_now(&self) -> f64 {
        let way = self.steps as f64 * STEP_S * self.speed_m_s;
        let (lead_in, length) = (self.reached_after[1], self.length());
        if self.looped && way > length && length > lead_in {
            lead_in + (way - lead_in) % (length - lead_in)
        } else {
            way.min(length)
        }
    }
}

/// A pose turned about the vertical only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Upright {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
    pub(super) yaw: f64,
}

impl Upright {
    pub(super) fn of(pose: &Pose) -> Self {
        Self { x: pose.position.x, y: pose.position.y, z: pose.position.z, yaw: pose.yaw() }
    }

    pub(super) fn pose(&self) -> Pose {
        Pose::upright(self.x, self.y, self.z, wrapped(self.yaw))
    }
}

/// The same angle in -pi..=pi.
fn wrapped(angle: f64) -> f64 {
    let rest = libm::fmod(angle, TAU);
    if rest > PI {
        rest - TAU
    } else if rest < -PI {
        rest + TAU
    } else {
        rest
    }
}
