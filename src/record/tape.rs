//! The tape of a session: an MCAP file of ROS 2 messages that Foxglove, Lichtblick, rerun and `ros2 bag` open.
//!
//! Times on the tape are simulation time, so a tape made at fifty times real time plays like one made at once. What changes
//! rarely is written when it changes; the vehicle is written with every state.

mod definitions;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use mcap::records::{MessageHeader, Metadata};
use thiserror::Error;

use crate::domain::{EntityState, Light, LightState, ModelName, Picture, Pose, SimTime, Snapshot};
use crate::ros::msg::geometry_msgs::{self, PoseStamped, Transform, TransformStamped, Vector3};
use crate::ros::msg::rcl_interfaces::Log;
use crate::ros::msg::sensor_msgs::CompressedImage;
use crate::ros::msg::sim_api_msgs::{EvaluationStatus, TrafficLights};
use crate::ros::msg::std_msgs::{self, Header};
use crate::ros::msg::tf2_msgs::TFMessage;
use crate::ros::{Message, cdr};

/// The frame that poses are given in.
const WORLD_FRAME: &str = "world";
/// The vehicle's own frame, as on `/tf`.
const VEHICLE_FRAME: &str = "base_footprint";
const CAMERA_FRAME: &str = "camera_optical_frame";
/// What the format adds to each message: its head, and its place in the index.
const MESSAGE_FRAME: u64 = 47;

#[derive(Debug, Error)]
pub enum TapeError {
    #[error("the recording cannot be written: {0}")]
    Io(#[from] std::io::Error),
    #[error("the recording cannot be written: {0}")]
    Mcap(#[from] mcap::McapError),
    #[error("a message of the recording cannot be encoded: {0}")]
    Message(#[from] cdr::CdrError),
    #[error("the recording has no definition of {0}")]
    Definition(&'static str),
}

/// Who said a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Student,
    StudentError,
    Judge,
}

/// Writes one session; everything on it is lost unless it is finished.
pub struct Tape<W: Write + Seek> {
    writer: mcap::Writer<W>,
    channels: HashMap<&'static str, Channel>,
    /// Where each object stood when it was last written.
    written: HashMap<ModelName, Pose>,
    lights: Option<Vec<(ModelName, LightState)>>,
    overlay_seq: Option<u64>,
    /// Of all messages so far.
    bytes: u64,
}

struct Channel {
    id: u16,
    sequence: u32,
}

impl Tape<BufWriter<File>> {
    /// A file that must not exist yet.
    pub fn create(path: &Path, about: BTreeMap<String, String>) -> Result<Self, TapeError> {
        Self::begin(BufWriter::new(File::create_new(path)?), about)
    }
}

impl<W: Write + Seek> Tape<W> {
    /// `about` says what the session was: viewers show it as the file's metadata.
    pub fn begin(target: W, about: BTreeMap<String, String>) -> Result<Self, TapeError> {
        let library = concat!("sim_api ", env!("CARGO_PKG_VERSION"));
        let options = mcap::WriteOptions::new().compression(None).profile("ros2").library(library);
        let mut writer = options.create(target)?;
        writer.write_metadata(&Metadata { name: "session".to_owned(), metadata: about })?;
        Ok(Self {
            writer,
            channels: HashMap::new(),
            written: HashMap::new(),
            lights: None,
            overlay_seq: None,
            bytes: 0,
        })
    }

    /// The vehicle, and of everything else what differs from the last state.
    pub fn state(&mut self, state: &Snapshot) -> Result<(), TapeError> {
        let Some(time) = state.clock.map(|clock| clock.sim_time) else { return Ok(()) };
        let mut transforms: Vec<_> = state.objects.iter().filter(|object| self.moved(object)).collect();
        transforms.extend(&state.vehicle);
        let transforms = transforms.into_iter().map(|entity| {
            let is_vehicle = state.vehicle.as_ref().is_some_and(|vehicle| vehicle.name == entity.name);
            transform(time, if is_vehicle { VEHICLE_FRAME } else { entity.name.as_str() }, &entity.pose)
        });
        let transforms: Vec<_> = transforms.collect();
        if !transforms.is_empty() {
            self.write("/tf", time, &TFMessage { transforms })?;
        }
        if let Some(vehicle) = &state.vehicle {
            let pose = PoseStamped { header: header(time, WORLD_FRAME), pose: (&vehicle.pose).into() };
            self.write("/sim/vehicle/pose", time, &pose)?;
            let forward = vehicle.pose.orientation.inverse_transform_vector(&vehicle.twist.linear).x;
            self.write("/sim/vehicle/speed", time, &std_msgs::Float64 { data: forward })?;
        }
        self.changed_lights(time, &state.lights)?;
        if self.overlay_seq != Some(state.overlay.seq) {
            self.overlay_seq = Some(state.overlay.seq);
            self.write("/sim/overlay", time, &std_msgs::String { data: state.overlay.caption.text.clone() })?;
        }
        Ok(())
    }

    pub fn line(&mut self, time: SimTime, speaker: Speaker, line: &str) -> Result<(), TapeError> {
        let (level, name) = match speaker {
            Speaker::Student => (Log::INFO, "student"),
            Speaker::StudentError => (Log::WARN, "student"),
            Speaker::Judge => (Log::INFO, "judge"),
        };
        let log = Log { stamp: time.into(), level, name: name.to_owned(), msg: line.to_owned(), ..Log::default() };
        self.write("/rosout", time, &log)
    }

    pub fn evaluation(&mut self, time: SimTime, status: &EvaluationStatus) -> Result<(), TapeError> {
        self.write("/sim/evaluation", time, status)
    }

    /// Something that happened, as the JSON object that the record has of it.
    pub fn event(&mut self, time: SimTime, json: String) -> Result<(), TapeError> {
        self.write("/sim/evaluation/events", time, &std_msgs::String { data: json })
    }

    pub fn picture(&mut self, picture: &Picture) -> Result<(), TapeError> {
        let header = header(picture.stamp, CAMERA_FRAME);
        let image = CompressedImage { header, format: "jpeg".to_owned(), data: picture.jpeg.to_vec() };
        self.write("/camera/image_raw/compressed", picture.stamp, &image)
    }

    /// What all messages so far take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the index; only a finished tape opens quickly everywhere.
    pub fn finish(mut self) -> Result<W, TapeError> {
        self.writer.finish()?;
        Ok(self.writer.into_inner())
    }

    fn moved(&mut self, object: &EntityState) -> bool {
        self.written.insert(object.name.clone(), object.pose) != Some(object.pose)
    }

    fn changed_lights(&mut self, time: SimTime, lights: &[Light]) -> Result<(), TapeError> {
        let states: Vec<_> = lights.iter().map(|light| (light.name.clone(), light.state)).collect();
        if self.lights.as_ref() == Some(&states) {
            return Ok(());
        }
        self.lights = Some(states);
        let message = TrafficLights { lights: lights.iter().map(Into::into).collect() };
        self.write("/sim/traffic_lights", time, &message)
    }

    fn write<M: Message>(&mut self, topic: &'static str, time: SimTime, message: &M) -> Result<(), TapeError> {
        let data = cdr::to_vec(message)?;
        let channel = match self.channels.get_mut(topic) {
            Some(channel) => channel,
            None => {
                let id = add_channel::<M, W>(&mut self.writer, topic)?;
                self.channels.entry(topic).or_insert(Channel { id, sequence: 0 })
            }
        };
        channel.sequence += 1;
        self.bytes += data.len() as u64 + MESSAGE_FRAME;
        let log_time = u64::try_from(time.nanos()).unwrap_or_default();
        let header =
            MessageHeader { channel_id: channel.id, sequence: channel.sequence, log_time, publish_time: log_time };
        Ok(self.writer.write_to_known_channel(&header, &data)?)
    }
}

fn add_channel<M: Message, W: Write + Seek>(writer: &mut mcap::Writer<W>, topic: &str) -> Result<u16, TapeError> {
    let definition = definitions::complete(M::PACKAGE, M::NAME).ok_or(TapeError::Definition(M::NAME))?;
    let schema = writer.add_schema(&format!("{}/msg/{}", M::PACKAGE, M::NAME), "ros2msg", definition.as_bytes())?;
    Ok(writer.add_channel(schema, topic, "cdr", &BTreeMap::new())?)
}

fn header(time: SimTime, frame: &str) -> Header {
    Header { stamp: time.into(), frame_id: frame.to_owned() }
}

fn transform(time: SimTime, child: &str, pose: &Pose) -> TransformStamped {
    let geometry_msgs::Pose { position: p, orientation: rotation } = pose.into();
    let transform = Transform { translation: Vector3 { x: p.x, y: p.y, z: p.z }, rotation };
    TransformStamped { header: header(time, WORLD_FRAME), child_frame_id: child.to_owned(), transform }
}
