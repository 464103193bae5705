//! The body of `GET /state`, which is the data of the `state` event as well.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::number::{angle, rounded, seconds};
use super::{LightBody, PoseBody, RunState, VehicleBody};
use crate::domain::snapshot::{Joints, Odometry};
use crate::domain::{EntityState, EvaluationSummary, ModelName, Snapshot, StudentRun};

/// Everything that changes at run time. Before the first tick `time` and `rtf` are 0.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StateResponse<'a> {
    /// The world's file.
    pub world: Option<String>,
    pub world_id: Option<&'a str>,
    pub seq: u64,
    #[serde(flatten)]
    pub run_state: RunState<'a>,
    pub time: f64,
    pub paused: bool,
    pub rtf: f64,
    pub vehicle: Option<VehicleBody>,
    pub odom: Option<OdomBody>,
    /// Left out before the first reading of an epoch, and where the simulator gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<JointsBody>,
    /// From name to pose, in the order of the world file.
    #[schemars(with = "BTreeMap<String, PoseBody>")]
    pub objects: ObjectPoses<'a>,
    pub contacts: Vec<&'a str>,
    pub lights: Vec<LightBody>,
    pub overlay: &'a str,
    pub overlay_seq: u64,
    pub overlay_size: f64,
    pub brightness: f64,
    pub run: RunBody,
    pub evaluation: EvaluationBody,
}

impl<'a> StateResponse<'a> {
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let clock = snapshot.clock;
        Self {
            world: snapshot.world.as_ref().map(|world| world.file()),
            world_id: snapshot.world_id.as_deref(),
            seq: snapshot.seq,
            run_state: RunState::of(snapshot),
            time: clock.map_or(0.0, |clock| seconds(clock.sim_time)),
            paused: clock.is_some_and(|clock| clock.paused),
            rtf: clock.map_or(0.0, |clock| rounded(clock.rtf)),
            vehicle: VehicleBody::of(snapshot),
            odom: snapshot.odom.as_ref().map(OdomBody::of),
            joints: snapshot.joints.as_ref().map(JointsBody::of),
            objects: ObjectPoses(&snapshot.objects),
            contacts: snapshot.contacts.iter().map(ModelName::as_str).collect(),
            lights: LightBody::all(snapshot),
            overlay: &snapshot.overlay.caption.text,
            overlay_seq: snapshot.overlay.seq,
            overlay_size: rounded(snapshot.overlay.caption.size),
            brightness: snapshot.brightness.factor(),
            run: RunBody::of(&snapshot.run),
            evaluation: snapshot.evaluation.as_ref().map(EvaluationBody::of).unwrap_or_default(),
        }
    }
}

/// Where the robot believes it is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OdomBody {
    pub x: f64,
    pub y: f64,
    pub yaw: f64,
    pub speed: f64,
    pub time: f64,
}

impl OdomBody {
    fn of(odom: &Odometry) -> Self {
        Self {
            x: rounded(odom.x),
            y: rounded(odom.y),
            yaw: angle(odom.yaw.sin().atan2(odom.yaw.cos())),
            speed: rounded(odom.speed_m_s),
            time: seconds(odom.stamp),
        }
    }
}

/// How the vehicle's joints stand. Wheels count on over full turns; forward is positive, so are left and up.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JointsBody {
    pub front_left_wheel_rad: f64,
    pub front_right_wheel_rad: f64,
    pub rear_left_wheel_rad: f64,
    pub rear_right_wheel_rad: f64,
    pub front_left_steering_rad: f64,
    pub front_right_steering_rad: f64,
    pub camera_pan_rad: f64,
    pub camera_tilt_rad: f64,
    /// Simulation time of the reading.
    pub time: f64,
}

impl JointsBody {
    fn of(joints: &Joints) -> Self {
        Self {
            front_left_wheel_rad: rounded(joints.front_left_wheel_rad),
            front_right_wheel_rad: rounded(joints.front_right_wheel_rad),
            rear_left_wheel_rad: rounded(joints.rear_left_wheel_rad),
            rear_right_wheel_rad: rounded(joints.rear_right_wheel_rad),
            front_left_steering_rad: rounded(joints.front_left_steering_rad),
            front_right_steering_rad: rounded(joints.front_right_steering_rad),
            camera_pan_rad: rounded(joints.camera_pan_rad),
            camera_tilt_rad: rounded(joints.camera_tilt_rad),
            time: seconds(joints.stamp),
        }
    }
}

/// A JSON object from name to pose, in the order of the world file.
#[derive(Debug)]
pub struct ObjectPoses<'a>(pub &'a [EntityState]);

impl Serialize for ObjectPoses<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|object| (object.name.as_str(), PoseBody::of(&object.pose))))
    }
}

/// The student's program.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct RunBody {
    pub running: bool,
    pub exit_code: Option<i32>,
}

impl RunBody {
    pub fn of(run: &StudentRun) -> Self {
        Self { running: run.running, exit_code: run.exit_code }
    }
}

/// The evaluation session.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct EvaluationBody {
    pub active: bool,
    pub session_id: Option<String>,
    pub phase: Option<&'static str>,
    pub record: Option<serde_json::Value>,
}

impl EvaluationBody {
    fn of(session: &EvaluationSummary) -> Self {
        Self {
            active: session.is_active(),
            session_id: Some(session.session_id.clone()),
            phase: Some(session.phase.as_str()),
            record: session.record.as_deref().and_then(|record| serde_json::from_str(record).ok()),
        }
    }
}
