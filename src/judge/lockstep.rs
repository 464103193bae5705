//! Sessions in which the simulator waits for the script: time goes on by as many steps as were asked for, one observation at a time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::bridge::{BridgeError, Done};
use crate::domain::{DriveTarget, STEP_NANOS};

/// Steps between two observations: 50 of them in a simulated second, as a free simulation shows them.
const CHUNK: u32 = 4;

pub type StepReply = oneshot::Sender<Result<Done, BridgeError>>;

/// Steps that a client has asked for.
#[derive(Debug)]
struct Job {
    left: u32,
    drive: Option<DriveTarget>,
    reply: StepReply,
    last: Option<Done>,
}

/// What to ask the simulator for next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advance {
    pub steps: u32,
    pub drive: Option<DriveTarget>,
    /// Not before this much wall time has passed.
    pub wait: Duration,
}

#[derive(Debug)]
pub struct Lockstep {
    /// Nobody wants time to go on by itself.
    pub held: bool,
    /// Wall seconds for a simulated one; 0 does not wait.
    wall_per_sim: f64,
    due: Instant,
    jobs: VecDeque<Job>,
    pub advancing: bool,
}

impl Lockstep {
    /// At this real-time factor; 0 is as fast as it can.
    pub fn new(real_time_factor: f64, held: bool) -> Self {
        let wall_per_sim = if real_time_factor > 0.0 { 1.0 / real_time_factor } else { 0.0 };
        Self { held, wall_per_sim, due: Instant::now(), jobs: VecDeque::new(), advancing: false }
    }

    pub fn ask(&mut self, steps: u32, drive: Option<DriveTarget>, reply: StepReply) {
        self.jobs.push_back(Job { left: steps, drive, reply, last: None });
    }

    /// The script has seen the last state: how time goes on, if it does.
    pub fn next(&mut self, now: Instant) -> Option<Advance> {
        if self.advancing {
            return None;
        }
        while self.jobs.front().is_some_and(|job| job.left == 0) {
            let Some(job) = self.jobs.pop_front() else { break };
            if let Some(done) = job.last {
                // The client may have gone.
                let _ = job.reply.send(Ok(done));
            }
        }
        let advance = match self.jobs.front_mut() {
            Some(job) => {
                let steps = job.left.min(CHUNK);
                job.left -= steps;
                Advance { steps, drive: job.drive.take(), wait: Duration::ZERO }
            }
            None if self.held => return None,
            None => Advance { steps: CHUNK, drive: None, wait: self.due.saturating_duration_since(now) },
        };
        let wall_s = f64::from(advance.steps) * STEP_NANOS as f64 * 1e-9 * self.wall_per_sim;
        // What was late is not made up for.
        self.due = self.due.max(now) + Duration::from_secs_f64(wall_s);
        self.advancing = true;
        Some(advance)
    }

    /// The simulator has made the steps.
    pub fn advanced(&mut self, done: &Done) {
        self.advancing = false;
        if let Some(job) = self.jobs.front_mut() {
            job.last = Some(done.clone());
        }
    }
}
