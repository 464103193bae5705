//! Running, pausing, stopping, stepping and resetting.

use std::sync::PoisonError;

use super::{Face, failed, ok, refused, unsupported};
use crate::domain::Command;
use crate::ros::msg::simulation_interfaces as si;
use si::{ResetSimulationRequest as Scope, SetSimulationStateResponse as SetCode, SimulationState as State};

/// Everything goes back to its start; time goes on, because it never runs backwards.
pub(super) async fn reset(face: Face, request: si::ResetSimulationRequest) -> si::ResetSimulationResponse {
    let whole = [Scope::SCOPE_DEFAULT, Scope::SCOPE_ALL].contains(&request.scope);
    let result = if !whole && request.scope != Scope::SCOPE_STATE {
        unsupported("only the state can be reset: time never runs backwards, and nothing can be spawned")
    } else {
        match face.apply(vec![Command::Reset], 0).await {
            Ok(_) if whole => si::Result { error_message: "time goes on: it never runs backwards".to_owned(), ..ok() },
            Ok(_) => ok(),
            Err(refusal) => refused(&refusal),
        }
    };
    si::ResetSimulationResponse { result }
}

pub(super) async fn get_state(face: Face, _: si::GetSimulationStateRequest) -> si::GetSimulationStateResponse {
    si::GetSimulationStateResponse { state: State { state: face.present_state() }, result: ok() }
}

pub(super) async fn set_state(face: Face, request: si::SetSimulationStateRequest) -> si::SetSimulationStateResponse {
    si::SetSimulationStateResponse { result: change_state(&face, request.state.state).await }
}

async fn change_state(face: &Face, wanted: u8) -> si::Result {
    let present = face.present_state();
    let commands = match wanted {
        _ if [State::STATE_NO_WORLD, State::STATE_LOADING_WORLD].contains(&present) => {
            return failed(SetCode::INCORRECT_TRANSITION, "no world is loaded");
        }
        _ if wanted == present => {
            return failed(SetCode::ALREADY_IN_TARGET_STATE, "the simulation is in this state already");
        }
        State::STATE_PLAYING => vec![Command::SetPaused(false)],
        State::STATE_PAUSED => vec![Command::SetPaused(true)],
        State::STATE_STOPPED => vec![Command::SetPaused(true), Command::Reset],
        State::STATE_QUITTING => return unsupported("the simulator is ended by whoever started it"),
        _ => return failed(SetCode::INCORRECT_TRANSITION, "this state cannot be asked for"),
    };
    match face.apply(commands, 0).await {
        Ok(state) => {
            face.note_stopped((wanted == State::STATE_STOPPED).then_some(state.step));
            ok()
        }
        Err(refusal) => failed(SetCode::STATE_TRANSITION_ERROR, refusal.to_string()),
    }
}

/// Answers after the last step.
pub(super) async fn step(face: Face, request: si::StepSimulationRequest) -> si::StepSimulationResponse {
    let paused = [State::STATE_PAUSED, State::STATE_STOPPED].contains(&face.present_state());
    let result = match u32::try_from(request.steps) {
        _ if !paused => failed(si::Result::RESULT_INCORRECT_STATE, "only a paused simulation can be stepped"),
        Ok(steps) => match face.apply(Vec::new(), steps).await {
            Ok(_) => ok(),
            Err(refusal) => refused(&refusal),
        },
        Err(_) => failed(si::Result::RESULT_OPERATION_FAILED, "too many steps for one request"),
    };
    si::StepSimulationResponse { result }
}

impl Face {
    fn present_state(&self) -> u8 {
        let vitals = self.simulation.vitals();
        let stopped_at = *self.stopped_at.lock().unwrap_or_else(PoisonError::into_inner);
        match vitals.world {
            None if vitals.loading => State::STATE_LOADING_WORLD,
            None => State::STATE_NO_WORLD,
            Some(_) if !vitals.paused => State::STATE_PLAYING,
            Some(_) if stopped_at == Some(vitals.step) => State::STATE_STOPPED,
            Some(_) => State::STATE_PAUSED,
        }
    }

    pub(super) fn note_stopped(&self, step: Option<u64>) {
        *self.stopped_at.lock().unwrap_or_else(PoisonError::into_inner) = step;
    }
}
