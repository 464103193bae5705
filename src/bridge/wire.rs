//! From ROS messages to the node's values and back.

use crate::bridge::live::Status;
use crate::domain::snapshot::ClockReading;
use crate::domain::{EntityState, Epoch, ModelName, Pose, PoseChange, SimTime, Twist, WorldName, WorldState};
use crate::ros::msg::builtin_interfaces::Time;
use crate::ros::msg::geometry_msgs;
use crate::ros::msg::sim_api_msgs as wire;

pub(super) fn status(status: &wire::SimStatus) -> Status {
    let world = WorldName::parse(&status.world).ok().filter(|_| status.state != wire::SimStatus::STATE_NO_WORLD);
    Status {
        clock: ClockReading {
            sim_time: time(&status.sim_time),
            real_time_s: status.real_time,
            rtf: status.rtf,
            paused: status.paused,
        },
        epoch: Epoch(status.epoch),
        world,
        vehicle: ModelName::parse(&status.vehicle).ok(),
    }
}

/// Entities whose names or numbers are no names or numbers are left out.
pub(super) fn world_state(states: &wire::EntityStates) -> WorldState {
    let entities = states.names.iter().zip(&states.poses).zip(&states.twists);
    WorldState {
        step: states.step,
        revision: states.revision,
        stamp: time(&states.stamp),
        epoch: Epoch(states.epoch),
        entities: entities.filter_map(|((name, pose), twist)| entity(name, pose, twist)).collect(),
    }
}

pub(super) fn set_pose(entity: &ModelName, change: PoseChange) -> wire::Command {
    let field = |given: Option<f64>, bit: u8| if given.is_some() { bit } else { 0 };
    wire::Command {
        kind: wire::Command::SET_POSE,
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

fn time(time: &Time) -> SimTime {
    SimTime::from_sec_nanosec(time.sec, time.nanosec)
}

fn entity(name: &str, pose: &geometry_msgs::Pose, twist: &geometry_msgs::Twist) -> Option<EntityState> {
    let (p, q) = (&pose.position, &pose.orientation);
    let vector = |v: &geometry_msgs::Vector3| nalgebra::Vector3::new(v.x, v.y, v.z);
    let entity = EntityState {
        name: ModelName::parse(name).ok()?,
        pose: Pose::from_xyz_xyzw([p.x, p.y, p.z], [q.x, q.y, q.z, q.w]),
        twist: Twist { linear: vector(&twist.linear), angular: vector(&twist.angular) },
    };
    (entity.pose.is_finite() && entity.twist.is_finite()).then_some(entity)
}
