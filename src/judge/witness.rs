//! What the script is shown: the newest state, and everything since the last one that must not be missed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::bridge::{AudioEvents, BridgeHandle};
use crate::domain::{AudioAction, AudioEvent, EntityState, LightState, ModelName, Pose, Snapshot, Sound, StudentRun};

/// Collects between two observations.
#[derive(Debug)]
pub struct Witness {
    touched: BTreeSet<ModelName>,
    lights: BTreeMap<ModelName, &'static str>,
    changes: Vec<LightChange>,
    speaker: AudioEvents,
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
    audio: Audio<'a>,
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
struct Audio<'a> {
    playing: Vec<Playing<'a>>,
    /// Since the last observation.
    events: Vec<Told<'a>>,
}

#[derive(Serialize)]
struct Playing<'a> {
    id: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// Something that the speaker was told.
#[derive(Default, Serialize)]
struct Told<'a> {
    #[serde(rename = "type")]
    what: &'static str,
    id: &'a str,
    time: f64,
    /// In hexadecimal digits; the harness makes bytes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_rate: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channels: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f32>,
}

impl Witness {
    /// From now on.
    pub fn listening(bridge: &BridgeHandle) -> Self {
        Self { touched: BTreeSet::new(), lights: BTreeMap::new(), changes: Vec::new(), speaker: bridge.audio_events() }
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
        let heard = self.speaker.take();
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
            audio: Audio {
                playing: snapshot.playing.iter().map(Playing::of).collect(),
                events: heard.events.iter().map(|event| Told::of(event)).collect(),
            },
        };
        serde_json::value::to_raw_value(&state).expect("a state has text keys, which is all that could fail")
    }
}

/// Simulation time; dividing whole nanoseconds gives the nearest double.
pub fn time_s(snapshot: &Snapshot) -> f64 {
    snapshot.clock.map_or(0.0, |clock| clock.sim_time.nanos() as f64 / 1e9)
}

impl<'a> Playing<'a> {
    fn of(sound: &'a Sound) -> Self {
        Self { id: &sound.id, kind: sound.kind.as_str(), url: sound.url.as_deref() }
    }
}

impl<'a> Told<'a> {
    fn of(event: &'a AudioEvent) -> Self {
        let told = Self {
            what: event.action.as_str(),
            id: &event.id,
            time: event.stamp.nanos() as f64 / 1e9,
            ..Self::default()
        };
        match &event.action {
            AudioAction::Play { data, url } => Self { data: Some(hex(data)), url: url.as_deref(), ..told },
            AudioAction::Chunk { data, sample_rate_hz, channels } => {
                Self { data: Some(hex(data)), sample_rate: Some(*sample_rate_hz), channels: Some(*channels), ..told }
            }
            AudioAction::Stop => told,
            AudioAction::Volume(volume) => Self { volume: Some(*volume), ..told },
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
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
