//! From ROS messages to the node's values and back.

use crate::bridge::live::Status;
use crate::domain::snapshot::{ClockReading, Joints, Odometry};
use crate::domain::{
    AudioAction, AudioEvent, Command, DriveTarget, EntityState, Epoch, Light, ModelName, Picture, Pose, PoseChange,
    Scan, SimTime, TakenDrive, Twist, WorldName, WorldState,
};
use crate::ros::msg::sensor_msgs::{CompressedImage, JointState, LaserScan};
use crate::ros::msg::sim_api_msgs as wire;
use crate::ros::msg::{geometry_msgs, nav_msgs};

pub(super) fn status(status: &wire::SimStatus) -> Status {
    let world = WorldName::parse(&status.world).ok().filter(|_| status.state != wire::SimStatus::STATE_NO_WORLD);
    Status {
        clock: ClockReading {
            sim_time: status.sim_time.into(),
            real_time_s: status.real_time,
            rtf: status.rtf,
            paused: status.paused,
        },
        epoch: Epoch(status.epoch),
        revision: status.revision,
        world,
        loading: status.state == wire::SimStatus::STATE_LOADING,
        vehicle: ModelName::parse(&status.vehicle).ok(),
    }
}

/// Entities whose names or numbers are no names or numbers are left out.
pub(super) fn world_state(states: &wire::EntityStates) -> WorldState {
    let entities = states.names.iter().zip(&states.poses).zip(&states.twists);
    WorldState {
        step: states.step,
        revision: states.revision,
        stamp: states.stamp.into(),
        epoch: Epoch(states.epoch),
        entities: entities.filter_map(|((name, pose), twist)| entity(name, pose, twist)).collect(),
    }
}

/// None for an odometry that is not made of numbers.
pub(super) fn odometry(odom: &nav_msgs::Odometry) -> Option<Odometry> {
    let (p, q) = (&odom.pose.pose.position, &odom.pose.pose.orientation);
    let pose = Pose::from_xyz_xyzw([p.x, p.y, p.z], [q.x, q.y, q.z, q.w]);
    let speed_m_s = odom.twist.twist.linear.x;
    (pose.is_finite() && speed_m_s.is_finite()).then(|| Odometry {
        x: pose.position.x,
        y: pose.position.y,
        yaw: pose.yaw(),
        speed_m_s,
        stamp: odom.header.stamp.into(),
    })
}

/// None for joints that are not those of the vehicle, or not made of numbers.
pub(super) fn joints(joints: &JointState) -> Option<Joints> {
    let angle = |wanted: &str| {
        let index = joints.name.iter().position(|name| name == wanted)?;
        joints.position.get(index).copied().filter(|angle| angle.is_finite())
    };
    Some(Joints {
        stamp: joints.header.stamp.into(),
        front_left_wheel_rad: angle("front_left_wheel_joint")?,
        front_right_wheel_rad: angle("front_right_wheel_joint")?,
        rear_left_wheel_rad: angle("rear_left_wheel_joint")?,
        rear_right_wheel_rad: angle("rear_right_wheel_joint")?,
        front_left_steering_rad: angle("front_left_steering_joint")?,
        front_right_steering_rad: angle("front_right_steering_joint")?,
        camera_pan_rad: angle("camera_pan_joint")?,
        camera_tilt_rad: angle("camera_tilt_joint")?,
    })
}

pub(super) fn contacts(contacts: &wire::Contacts) -> (Epoch, Vec<ModelName>) {
    (Epoch(contacts.epoch), contacts.names.iter().filter_map(|name| ModelName::parse(name).ok()).collect())
}

/// None for a kind that does not exist and a volume that is no number.
pub(super) fn audio(event: wire::AudioEvent, now: SimTime) -> Option<AudioEvent> {
    let action = match event.kind {
        wire::AudioEvent::PLAY => {
            AudioAction::Play { data: event.data.into(), url: Some(event.url).filter(|url| !url.is_empty()) }
        }
        wire::AudioEvent::CHUNK => {
            AudioAction::Chunk { data: event.data.into(), sample_rate_hz: event.sample_rate, channels: event.channels }
        }
        wire::AudioEvent::STOP => AudioAction::Stop,
        wire::AudioEvent::VOLUME if event.volume.is_finite() => AudioAction::Volume(event.volume),
        _ => return None,
    };
    Some(AudioEvent { stamp: now, id: event.id, action })
}

pub(super) fn scan(scan: LaserScan) -> Scan {
    Scan {
        stamp: scan.header.stamp.into(),
        frame: scan.header.frame_id,
        angle_min_rad: scan.angle_min,
        angle_increment_rad: scan.angle_increment,
        range_min_m: scan.range_min,
        range_max_m: scan.range_max,
        ranges_m: scan.ranges,
    }
}

pub(super) fn picture(image: CompressedImage) -> Picture {
    Picture { stamp: image.header.stamp.into(), jpeg: image.data.into() }
}

pub(super) fn taken_drive(taken: &wire::TakenDrive) -> TakenDrive {
    let drive = &taken.drive;
    TakenDrive {
        step: taken.step,
        revision: taken.revision,
        stamp: drive.stamp.into(),
        epoch: Epoch(taken.epoch),
        target: DriveTarget {
            speed_m_s: drive.speed,
            steering_rad: drive.steering,
            camera_pan_rad: drive.pan,
            camera_tilt_rad: drive.tilt,
        },
    }
}

pub(super) fn traffic_lights(lights: &[Light]) -> wire::TrafficLights {
    wire::TrafficLights { lights: lights.iter().map(Into::into).collect() }
}

pub(super) fn command(command: &Command) -> wire::Command {
    match command {
        Command::SetPose { entity, change } => posed(wire::Command::SET_POSE, entity, change),
        Command::MoveOver { entity, change, duration_s } => {
            wire::Command { duration: *duration_s, ..posed(wire::Command::MOVE, entity, change) }
        }
        Command::FollowPath { entity, path, speed_m_s, looped } => wire::Command {
            kind: wire::Command::FOLLOW_PATH,
            entity: entity.as_str().to_owned(),
            path: path.iter().map(|&[x, y]| geometry_msgs::Point { x, y, z: 0.0 }).collect(),
            speed: *speed_m_s,
            looped: *looped,
            ..Default::default()
        },
        Command::Reset => wire::Command { kind: wire::Command::RESET, ..Default::default() },
        Command::LoadWorld { world, seed } => wire::Command {
            kind: wire::Command::LOAD_WORLD,
            world: world.as_str().to_owned(),
            seed: *seed,
            ..Default::default()
        },
        Command::SetLight { light, state } => wire::Command {
            kind: wire::Command::SET_LIGHT,
            entity: light.as_str().to_owned(),
            light_state: state.as_str().to_owned(),
            red_at: state.red_at().map(Into::into).unwrap_or_default(),
            ..Default::default()
        },
        Command::SetBrightness(brightness) => {
            wire::Command { kind: wire::Command::SET_BRIGHTNESS, brightness: brightness.factor(), ..Default::default() }
        }
        Command::Drive(target) => wire::Command {
            kind: wire::Command::DRIVE,
            speed: target.speed_m_s,
            steering: target.steering_rad,
            pan: target.camera_pan_rad,
            tilt: target.camera_tilt_rad,
            ..Default::default()
        },
        // Only the standard services of a simulator know these; nobody asks the bridge for them, and kind 0 is refused.
        Command::SetState { .. } | Command::UnloadWorld => wire::Command::default(),
        Command::SetPaused(paused) => {
            wire::Command { kind: wire::Command::SET_PAUSED, paused: *paused, ..Default::default() }
        }
        Command::SetRealTimeFactor(factor) => {
            wire::Command { kind: wire::Command::SET_REAL_TIME_FACTOR, real_time_factor: *factor, ..Default::default() }
        }
    }
}

fn posed(kind: u8, entity: &ModelName, change: &PoseChange) -> wire::Command {
    let field = |given: Option<f64>, bit: u8| if given.is_some() { bit } else { 0 };
    wire::Command {
        kind,
        entity: entity.as_str().to_owned(),
        fields: field(change.x, wire::Command::FIELD_X)
            | field(change.y, wire::Command::FIELD_Y)
            | field(change.z, wire::Command::FIELD_Z)
            | field(change.yaw, wire::Command::FIELD_YAW),
        x: change.x.unwrap_or_default(),
        y: change.y.unwrap_or_default(),
        z: change.z.unwrap_or_default(),
        yaw: change.yaw.unwrap_or_default(),
        ..Default::default()
    }
}

/// None for a name that is no name and for numbers that are no numbers.
pub(super) fn entity(name: &str, pose: &geometry_msgs::Pose, twist: &geometry_msgs::Twist) -> Option<EntityState> {
    let (p, q) = (&pose.position, &pose.orientation);
    let vector = |v: &geometry_msgs::Vector3| nalgebra::Vector3::new(v.x, v.y, v.z);
    let entity = EntityState {
        name: ModelName::parse(name).ok()?,
        pose: Pose::from_xyz_xyzw([p.x, p.y, p.z], [q.x, q.y, q.z, q.w]),
        twist: Twist { linear: vector(&twist.linear), angular: vector(&twist.angular) },
    };
    (entity.pose.is_finite() && entity.twist.is_finite()).then_some(entity)
}
