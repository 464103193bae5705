//! What the script is shown: the newest state, and everything since the last one that must not be missed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::domain::{EntityState, LightState, ModelName, Pose, Snapshot, StudentRun};

/// Collects between two observations.
#[derive(Debug, Default)]
pub struct Witness {
    touched: BTreeSet<ModelName>,
    lights: BTreeMap<ModelName, &'static str>,
    changes: Vec<LightChange>,
}

#[derive(Debug, Serialize)]
struct LightChange {
    name: String,
    from: &'static str,
    to: &'static str,
    time: f64,
}

#[derive(Serialize)]
struct State<'a> {
    time: f64,
    paused: bool,
    rtf: f64,
    pose: Option<VehiclePose>,
    objects: Poses<'a>,
    lights: BTreeMap<&'a str, &'static str>,
    /// Since the last observation.
    light_changes: Vec<LightChange>,
    /// Touched now or at any time since the last observation.
    contacts: BTreeSet<&'a str>,
    brightness: f64,
    run: Run,
    audio: Audio,
}

#[derive(Serialize)]
struct PlainPose {
    x: f64,
    y: f64,
    z: f64,
    roll: f64,
    pitch: f64,
    yaw: f64,
}

#[derive(Serialize)]
struct VehiclePose {
    #[serde(flatten)]
    pose: PlainPose,
    speed: f64,
}

struct Poses<'a>(&'a [EntityState]);

#[derive(Serialize)]
struct Run {
    running: bool,
    exit_code: Option<i32>,
}

#[derive(Serialize)]
struct Audio {
    playing: Vec<()>,
    events: Vec<()>,
}

impl Witness {
    pub fn listening(_bridge: &crate::bridge::BridgeHandle) -> Self {
        Self::default()
    }

    /// To be told of every state, shown or not.
    pub fn note(&mut self, snapshot: &Snapshot) {
        self.touched.extend(snapshot.contacts.iter().cloned());
        let time = time_s(snapshot);
        for light in &snapshot.lights {
            let shown = LightState::as_str(light.state);
            let before = self.lights.insert(light.name.clone(), shown);
            if let Some(from) = before.filter(|before| *before != shown) {
                self.changes.push(LightChange { name: light.name.to_string(), from, to: shown, time });
            }
        }
    }

    /// The state as the script sees it; what was collected is then forgotten. `paused` is what the session makes of it.
    pub fn observation(&mut self, snapshot: &Snapshot, paused: bool, run: StudentRun) -> Box<RawValue> {
        self.note(snapshot);
        let touched = std::mem::take(&mut self.touched);
        let state = State {
            time: time_s(snapshot),
            paused,
            rtf: snapshot.clock.map_or(0.0, |clock| clock.rtf),
            pose: snapshot
                .vehicle
                .as_ref()
                .map(|vehicle| VehiclePose { pose: PlainPose::of(&vehicle.pose), speed: vehicle.forward_speed_m_s() }),
            objects: Poses(&snapshot.objects),
            lights: snapshot.lights.iter().map(|light| (light.name.as_str(), light.state.as_str())).collect(),
            light_changes: std::mem::take(&mut self.changes),
            contacts: touched.iter().map(ModelName::as_str).collect(),
            brightness: snapshot.brightness.factor(),
            run: Run { running: run.running, exit_code: run.exit_code },
            audio: Audio { playing: Vec::new(), events: Vec::new() },
        };
        serde_json::value::to_raw_value(&state).expect("a state has text keys, which is all that could fail")
    }
}

/// Simulation time; dividing whole nanoseconds gives the nearest double.
pub fn time_s(snapshot: &Snapshot) -> f64 {
    snapshot.clock.map_or(0.0, |clock| clock.sim_time.nanos() as f64 / 1e9)
}

impl PlainPose {
    fn of(pose: &Pose) -> Self {
        let (roll, pitch, yaw) = pose.roll_pitch_yaw();
        let at = pose.position;
        Self { x: at.x, y: at.y, z: at.z, roll, pitch, yaw }
    }
}

impl Serialize for Poses<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|object| (object.name.as_str(), PlainPose::of(&object.pose))))
    }
}
