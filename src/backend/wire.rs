//! From the simulator's values to ROS messages and back.

use std::time::{Duration, UNIX_EPOCH};

use crate::backend::simulation::{EpochStart, Refusal, Request, Vitals};
use crate::domain::{
    self, Brightness, Command, DriveTarget, Epoch, LightState, ModelName, PoseChange, TakenDrive, WorldName, WorldState,
};
use crate::ros::msg::builtin_interfaces::Time;
use crate::ros::msg::geometry_msgs::{Twist, Vector3};
use crate::ros::msg::sim_api_msgs as wire;

pub(super) fn entity_states(state: &WorldState) -> wire::EntityStates {
    wire::EntityStates {
        stamp: state.stamp.into(),
        step: state.step,
        revision: state.revision,
        epoch: state.epoch.0,
        names: state.entities.iter().map(|entity| entity.name.as_str().to_owned()).collect(),
        poses: state.entities.iter().map(|entity| (&entity.pose).into()).collect(),
        twists: state.entities.iter().map(|entity| twist(&entity.twist)).collect(),
    }
}

pub(super) fn epoch(start: EpochStart) -> wire::Epoch {
    wire::Epoch { number: start.epoch.0, cause: start.cause.as_str().to_owned(), first_stamp: start.first_stamp.into() }
}

pub(super) fn status(vitals: Vitals, real_time: Duration, vehicle: &str) -> wire::SimStatus {
    wire::SimStatus {
        sim_time: vitals.sim_time.into(),
        real_time: real_time.as_secs_f64(),
        rtf: vitals.rtf,
        paused: vitals.paused,
        step: vitals.step,
        revision: vitals.revision,
        epoch: vitals.epoch.0,
        state: match (&vitals.world, vitals.loading) {
            (Some(_), _) => wire::SimStatus::STATE_READY,
            (None, true) => wire::SimStatus::STATE_LOADING,
            (None, false) => wire::SimStatus::STATE_NO_WORLD,
        },
        world: vitals.world.map(|world| world.as_str().to_owned()).unwrap_or_default(),
        vehicle: vehicle.to_owned(),
    }
}

pub(super) fn drive(drive: wire::Drive) -> DriveTarget {
    DriveTarget {
        speed_m_s: drive.speed,
        steering_rad: drive.steering,
        camera_pan_rad: drive.pan,
        camera_tilt_rad: drive.tilt,
    }
}

pub(super) fn taken_drives((count, drives): (u64, Vec<TakenDrive>)) -> wire::DrivesResponse {
    let taken = |taken: TakenDrive| wire::TakenDrive {
        step: taken.step,
        revision: taken.revision,
        epoch: taken.epoch.0,
        drive: wire::Drive {
            stamp: taken.stamp.into(),
            speed: taken.target.speed_m_s,
            steering: taken.target.steering_rad,
            pan: taken.target.camera_pan_rad,
            tilt: taken.target.camera_tilt_rad,
        },
    };
    wire::DrivesResponse { count, drives: drives.into_iter().map(taken).collect() }
}

pub(super) fn request(request: wire::ApplyRequest) -> Result<Request, Refusal> {
    let deadline = (request.deadline > 0.0)
        .then(|| Duration::try_from_secs_f64(request.deadline).ok())
        .flatten()
        .and_then(|since_epoch| UNIX_EPOCH.checked_add(since_epoch));
    Ok(Request {
        expected_epoch: Epoch(request.expected_epoch),
        deadline,
        commands: request.commands.into_iter().map(command).collect::<Result<_, _>>()?,
        advance_steps: request.advance_steps,
    })
}

pub(super) fn response(answer: Result<WorldState, Refusal>, present: &Vitals) -> wire::ApplyResponse {
    match answer {
        Ok(state) => wire::ApplyResponse {
            result: wire::ApplyResponse::OK,
            message: String::new(),
            step: state.step,
            stamp: state.stamp.into(),
            epoch: state.epoch.0,
            states: entity_states(&state),
        },
        Err(refusal) => wire::ApplyResponse {
            result: match refusal {
                Refusal::Refused(_) => wire::ApplyResponse::REFUSED,
                Refusal::NotFound(_) => wire::ApplyResponse::NOT_FOUND,
                Refusal::WrongEpoch { .. } => wire::ApplyResponse::WRONG_EPOCH,
                Refusal::TooLate => wire::ApplyResponse::TOO_LATE,
                Refusal::Busy | Refusal::NotReady(_) => wire::ApplyResponse::NOT_READY,
                Refusal::Ended => wire::ApplyResponse::FAILED,
            },
            message: refusal.to_string(),
            step: present.step,
            stamp: present.sim_time.into(),
            epoch: present.epoch.0,
            states: wire::EntityStates::default(),
        },
    }
}

fn command(command: wire::Command) -> Result<Command, Refusal> {
    Ok(match command.kind {
        wire::Command::SET_POSE => Command::SetPose { entity: model(&command.entity)?, change: change(&command) },
        wire::Command::MOVE => Command::MoveOver {
            entity: model(&command.entity)?,
            change: change(&command),
            duration_s: command.duration,
        },
        wire::Command::FOLLOW_PATH => Command::FollowPath {
            entity: model(&command.entity)?,
            path: command.path.iter().map(|point| [point.x, point.y]).collect(),
            speed_m_s: command.speed,
            looped: command.looped,
        },
        wire::Command::RESET => Command::Reset,
        wire::Command::LOAD_WORLD => Command::LoadWorld {
            world: WorldName::parse(&command.world)
                .map_err(|err| Refusal::Refused(format!("`{}` is no world: {err}", command.world)))?,
            seed: command.seed,
        },
        wire::Command::SET_LIGHT => Command::SetLight {
            light: model(&command.entity)?,
            state: light_state(&command.light_state, &command.red_at)?,
        },
        wire::Command::SET_BRIGHTNESS => Command::SetBrightness(brightness(command.brightness)?),
        wire::Command::DRIVE => Command::Drive(DriveTarget {
            speed_m_s: command.speed,
            steering_rad: command.steering,
            camera_pan_rad: command.pan,
            camera_tilt_rad: command.tilt,
        }),
        wire::Command::SET_PAUSED => Command::SetPaused(command.paused),
        wire::Command::SET_REAL_TIME_FACTOR => Command::SetRealTimeFactor(command.real_time_factor),
        kind => return Err(Refusal::Refused(format!("this simulator cannot carry out commands of kind {kind}"))),
    })
}

fn light_state(state: &str, red_at: &Time) -> Result<LightState, Refusal> {
    match state {
        "green" => Ok(LightState::Green),
        "red" => Ok(LightState::Red),
        "yellow" => Ok(LightState::Yellow { red_at: (*red_at).into() }),
        other => Err(Refusal::Refused(format!("a light is green, yellow or red, not `{other}`"))),
    }
}

pub(super) fn brightness(factor: f64) -> Result<Brightness, Refusal> {
    let (min, max) = (Brightness::RANGE.start(), Brightness::RANGE.end());
    Brightness::new(factor).ok_or_else(|| Refusal::Refused(format!("the brightness must be from {min} to {max}")))
}

/// Lights whose names are no names are left out, and so are states that no light has.
pub(super) fn light_states(message: &wire::TrafficLights) -> Vec<(ModelName, LightState)> {
    let known = message.lights.iter().filter_map(|light| {
        Some((ModelName::parse(&light.name).ok()?, light_state(&light.state, &light.red_at).ok()?))
    });
    known.collect()
}

fn model(raw: &str) -> Result<ModelName, Refusal> {
    ModelName::parse(raw).map_err(|err| Refusal::NotFound(format!("no such model: `{raw}` ({err})")))
}

fn change(command: &wire::Command) -> PoseChange {
    let given = |field: u8, value: f64| (command.fields & field != 0).then_some(value);
    PoseChange {
        x: given(wire::Command::FIELD_X, command.x),
        y: given(wire::Command::FIELD_Y, command.y),
        z: given(wire::Command::FIELD_Z, command.z),
        yaw: given(wire::Command::FIELD_YAW, command.yaw),
    }
}

pub(super) fn twist(twist: &domain::Twist) -> Twist {
    Twist { linear: vector(twist.linear), angular: vector(twist.angular) }
}

pub(super) fn vector(v: nalgebra::Vector3<f64>) -> Vector3 {
    Vector3 { x: v.x, y: v.y, z: v.z }
}
