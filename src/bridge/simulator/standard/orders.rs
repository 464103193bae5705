//! Orders through the standard services: one command after the other, each confirmed by what the simulator shows afterwards.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};

use super::services::{answered, understand};
use super::{LOOK_LIMIT, Standard};
use crate::bridge::error::BridgeError;
use crate::bridge::simulator::{Order, STEP_LIMIT, WRITE_LIMIT};
use crate::domain::{Command, ModelName, Pose, PoseChange, WorldName, WorldState};
use crate::ros::msg::simulation_interfaces::{self as si, SimulatorFeatures as Feature};

/// The longest that it may take to load a world; it may well be silent meanwhile.
const LOAD_LIMIT: Duration = Duration::from_secs(30);
/// A change that was taken shows within this time.
const CONFIRM_LIMIT: Duration = Duration::from_millis(1500);
/// How often it is asked whether a change shows.
const CONFIRM_PERIOD: Duration = Duration::from_millis(20);
/// What was placed may have begun to roll before it is seen.
const MOST_OFF_M: f64 = 0.1;
const LEAST_OFF_M: f64 = 0.002;
const MOST_OFF_RAD: f64 = 0.1;

impl Standard {
    /// Answers when everything is in effect, or says why it is not. Commands before one that fails have taken hold then.
    pub(super) async fn obey(&self, order: &Order) -> Result<WorldState, BridgeError> {
        let work = if order.loads() { LOAD_LIMIT } else { STEP_LIMIT * order.advance_steps };
        let obeyed = async {
            let _turn = self.turn.lock().await;
            for command in &order.commands {
                self.command(command).await?;
            }
            if order.advance_steps > 0 {
                self.step(order.advance_steps).await?;
            }
            self.look(LOOK_LIMIT).await.map(|look| look.state)
        };
        let answer = timeout_at(Instant::now() + WRITE_LIMIT + work, obeyed).await;
        self.story().end_rewind();
        answer.unwrap_or(Err(BridgeError::NoAnswer))
    }

    async fn command(&self, command: &Command) -> Result<(), BridgeError> {
        let unsupported = |what: &str| Err(BridgeError::Unsupported(format!("this simulator cannot {what}")));
        match command {
            Command::SetPose { entity, change } => self.place(entity, change).await,
            Command::Reset => self.reset().await,
            Command::LoadWorld { world, .. } => self.load(world).await,
            Command::SetPaused(paused) => self.pause(*paused).await,
            Command::MoveOver { .. } | Command::FollowPath { .. } => unsupported("move things over time"),
            Command::Drive(_) => unsupported("drive the vehicle step by step; leave out speed and steering"),
            Command::SetLight { .. } | Command::SetBrightness(_) => unsupported("confirm what its camera shows"),
            Command::SetRealTimeFactor(_) => unsupported("be told how fast to run"),
            Command::SetState { .. } | Command::UnloadWorld => unsupported("be asked for that through this node"),
        }
    }

    async fn place(&self, entity: &ModelName, change: &PoseChange) -> Result<(), BridgeError> {
        self.services.need(Feature::ENTITY_STATE_SETTING, "place things")?;
        let before = self.pose_of(entity).await?;
        let target = Pose::upright(
            change.x.unwrap_or(before.position.x),
            change.y.unwrap_or(before.position.y),
            change.z.unwrap_or(before.position.z),
            change.yaw.unwrap_or(before.yaw()),
        );
        let state = si::EntityState { pose: (&target).into(), ..Default::default() };
        let request = si::SetEntityStateRequest::new(entity.to_string(), state);
        let answer = answered(self.services.set_entity.call_idempotent(request, WRITE_LIMIT).await)?;
        if answer.result.result == si::Result::RESULT_NOT_FOUND {
            return Err(BridgeError::NoSuchModel(entity.to_string()));
        }
        understand(&answer.result)?;
        // Nearer to where it was put than to where it was.
        let far = (off_m(&before, &target) / 2.0).clamp(LEAST_OFF_M, MOST_OFF_M);
        let confirming = Confirming::begin();
        loop {
            let pose = self.pose_of(entity).await?;
            if off_m(&pose, &target) <= far && turned_rad(&pose, &target) <= MOST_OFF_RAD {
                return Ok(());
            }
            confirming.wait().await?;
        }
    }

    async fn reset(&self) -> Result<(), BridgeError> {
        self.services.need(Feature::SIMULATION_RESET, "be reset")?;
        // Its time is left alone where it lets us.
        let spawned = if self.services.offers(Feature::SIMULATION_RESET_SPAWNED) {
            si::ResetSimulationRequest::SCOPE_SPAWNED
        } else {
            si::ResetSimulationRequest::SCOPE_DEFAULT
        };
        let scope = if self.services.offers(Feature::SIMULATION_RESET_STATE) {
            si::ResetSimulationRequest::SCOPE_STATE | spawned
        } else {
            si::ResetSimulationRequest::SCOPE_DEFAULT
        };
        self.story().begin_rewind();
        let request = si::ResetSimulationRequest { scope };
        understand(&answered(self.services.reset.call_idempotent(request, WRITE_LIMIT).await)?.result)?;
        self.story().begin_epoch();
        Ok(())
    }

    async fn load(&self, world: &WorldName) -> Result<(), BridgeError> {
        self.services.need(Feature::WORLD_LOADING, "load worlds")?;
        let (present, was_paused) = {
            let story = self.story();
            (story.resource_of(world), story.paused())
        };
        let resource = match present {
            Some(resource) => resource,
            None => self.services.find_world(world).await?,
        };
        self.story().begin_rewind();
        let request = si::LoadWorldRequest::of(resource.clone());
        let answer = answered(self.services.load.call(request, LOAD_LIMIT).await)?;
        if answer.result.result == si::Result::RESULT_NOT_FOUND {
            return Err(BridgeError::NoSuchWorld);
        }
        understand(&answer.result)?;
        {
            let mut story = self.story();
            story.begin_epoch();
            story.note_world(Some(world.clone()), resource);
        }
        // The standard leaves a world stopped that was just loaded.
        if was_paused || !self.services.offers(Feature::SIMULATION_STATE_SETTING) {
            return Ok(());
        }
        self.pause(false).await
    }

    async fn pause(&self, paused: bool) -> Result<(), BridgeError> {
        self.services.need(Feature::SIMULATION_STATE_SETTING, "be paused")?;
        if paused {
            self.services.need(Feature::SIMULATION_STATE_PAUSE, "be paused")?;
        }
        let state = if paused { si::SimulationState::STATE_PAUSED } else { si::SimulationState::STATE_PLAYING };
        let request = si::SetSimulationStateRequest { state: si::SimulationState { state } };
        let answer = answered(self.services.set_state.call_idempotent(request, WRITE_LIMIT).await)?;
        if answer.result.result != si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE {
            understand(&answer.result)?;
        }
        let confirming = Confirming::begin();
        // One that does not tell its state is believed.
        while self.services.simulation_state().await.is_some_and(|shown| shown.state != state) {
            confirming.wait().await?;
        }
        self.story().note_paused(paused);
        Ok(())
    }

    async fn step(&self, steps: u32) -> Result<(), BridgeError> {
        self.services.need(Feature::STEP_SIMULATION_SINGLE, "be advanced step by step")?;
        let at_once = if self.services.offers(Feature::STEP_SIMULATION_MULTIPLE) { steps } else { 1 };
        for _ in 0..steps / at_once {
            let request = si::StepSimulationRequest { steps: u64::from(at_once) };
            let limit = WRITE_LIMIT + STEP_LIMIT * steps;
            understand(&answered(self.services.step.call(request, limit).await)?.result)?;
        }
        Ok(())
    }

    async fn pose_of(&self, entity: &ModelName) -> Result<Pose, BridgeError> {
        let look = self.look(LOOK_LIMIT).await?;
        let found = look.state.entities.iter().find(|state| state.name == *entity);
        found.map(|state| state.pose).ok_or_else(|| BridgeError::NoSuchModel(entity.to_string()))
    }
}

/// Waiting for a change to show.
struct Confirming {
    until: Instant,
}

impl Confirming {
    fn begin() -> Self {
        Self { until: Instant::now() + CONFIRM_LIMIT }
    }

    /// Between two looks; an error when it has taken too long.
    async fn wait(&self) -> Result<(), BridgeError> {
        if Instant::now() >= self.until {
            return Err(BridgeError::NotConfirmed);
        }
        sleep(CONFIRM_PERIOD).await;
        Ok(())
    }
}

fn off_m(a: &Pose, b: &Pose) -> f64 {
    (a.position.xy() - b.position.xy()).norm()
}

fn turned_rad(a: &Pose, b: &Pose) -> f64 {
    let turn = (a.yaw() - b.yaw()).abs();
    turn.min(std::f64::consts::TAU - turn)
}
