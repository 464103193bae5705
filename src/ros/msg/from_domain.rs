//! How the values of the domain look on the wire, where more than one part says them.

use super::builtin_interfaces::Time;
use super::geometry_msgs::{Point, Pose, Quaternion};
use super::sim_api_msgs::{EvaluationStatus, TrafficLight};
use crate::domain::{self, EvaluationSummary, Light, SimTime};

impl From<SimTime> for Time {
    fn from(time: SimTime) -> Self {
        let (sec, nanosec) = time.sec_nanosec();
        Self { sec, nanosec }
    }
}

impl From<Time> for SimTime {
    fn from(time: Time) -> Self {
        Self::from_sec_nanosec(time.sec, time.nanosec)
    }
}

impl From<&domain::Pose> for Pose {
    fn from(pose: &domain::Pose) -> Self {
        let [x, y, z, w] = pose.xyzw();
        let p = pose.position;
        Self { position: Point { x: p.x, y: p.y, z: p.z }, orientation: Quaternion { x, y, z, w } }
    }
}

impl From<&Light> for TrafficLight {
    fn from(light: &Light) -> Self {
        Self {
            name: light.name.as_str().to_owned(),
            state: light.state.as_str().to_owned(),
            red_at: light.state.red_at().map(Into::into).unwrap_or_default(),
        }
    }
}

impl From<&EvaluationSummary> for EvaluationStatus {
    fn from(session: &EvaluationSummary) -> Self {
        let is_over = session.outcome.is_some();
        Self {
            active: session.is_active(),
            session_id: session.session_id.clone(),
            phase: session.phase.as_str().to_owned(),
            outcome: session.outcome.map_or(String::new(), |outcome| outcome.as_str().to_owned()),
            record: session.record.as_deref().filter(|_| is_over).unwrap_or_default().to_owned(),
        }
    }
}
