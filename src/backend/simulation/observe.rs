//! What the stepping thread sees of a world after each step, handed out without waiting for anybody.
//!
//! Samples of sensors replace those that nobody has fetched. Contacts wait in a bounded queue, because a touch of one step must not be
//! overlooked; when the queue is full, the change is offered again after the next step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tokio::sync::{mpsc as queue, watch};

use crate::backend::simulation::display::Display;
use crate::backend::simulation::frames::Frames;
use crate::domain::{Brightness, EntityState, Epoch, LightState, ModelName, Pose, SimTime};
use crate::engine::World;
use crate::engine::load::Look;
use crate::engine::sensors::camera::CAMERA;
use crate::engine::sensors::{IMU, ImuReading, JOINTS_SCHEDULE, JointReading, LIDAR};

/// Changes of contacts that may wait: more than a second of a box that bounces off at every step.
const TOUCHES: usize = 256;

/// A sample and when it was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped<T> {
    pub stamp: SimTime,
    pub value: T,
}

/// Which marked models the vehicle touches from this step on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    pub stamp: SimTime,
    pub epoch: Epoch,
    pub names: Vec<ModelName>,
}

/// Everything that is needed to draw what the camera sees, while the world goes on.
#[derive(Debug, Clone)]
pub struct Shot {
    pub look: Arc<Look>,
    pub world_from_optical: Pose,
    pub entities: Vec<EntityState>,
    pub lights: Vec<(ModelName, LightState)>,
    pub brightness: Brightness,
    /// Counted from 1.
    pub number: u64,
    /// In lockstep: no later picture may take its place.
    pub is_awaited: bool,
}

/// When a step was made, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub(super) stamp: SimTime,
    pub(super) epoch: Epoch,
    /// Because a request asked for it.
    pub(super) lockstep: bool,
}

/// The newest sample of a sensor; nothing before the first one.
pub type Newest<T> = watch::Receiver<Option<Arc<Stamped<T>>>>;

/// The receiving ends.
pub struct Observations {
    pub scans: Newest<Vec<f32>>,
    pub imu: Newest<ImuReading>,
    pub joints: Newest<JointReading>,
    pub shots: Newest<Shot>,
    pub touches: queue::Receiver<Touch>,
    /// Whether somebody wants pictures.
    pub shots_wanted: Arc<AtomicBool>,
    /// To be told of every picture that is out.
    pub frames: Frames,
    /// Whether scans are to be computed; their numbers are counted in any case.
    pub scans_wanted: Arc<AtomicBool>,
}

/// The sending ends, kept by the stepping thread.
pub(super) struct Observer {
    scans: watch::Sender<Option<Arc<Stamped<Vec<f32>>>>>,
    imu: watch::Sender<Option<Arc<Stamped<ImuReading>>>>,
    joints: watch::Sender<Option<Arc<Stamped<JointReading>>>>,
    shots: watch::Sender<Option<Arc<Stamped<Shot>>>>,
    shots_wanted: Arc<AtomicBool>,
    frames: Frames,
    /// How many shots were handed out.
    shots_taken: u64,
    touches: queue::Sender<Touch>,
    told: Option<(Epoch, Vec<ModelName>)>,
    scans_wanted: Arc<AtomicBool>,
}

impl Observer {
    pub(super) fn new() -> (Self, Observations) {
        let (scans, scans_receiver) = watch::channel(None);
        let (imu, imu_receiver) = watch::channel(None);
        let (joints, joints_receiver) = watch::channel(None);
        let (shots, shots_receiver) = watch::channel(None);
        let shots_wanted = Arc::new(AtomicBool::new(false));
        let frames = Frames::default();
        let (touches, touches_receiver) = queue::channel(TOUCHES);
        let scans_wanted = Arc::new(AtomicBool::new(false));
        let observations = Observations {
            scans: scans_receiver,
            imu: imu_receiver,
            joints: joints_receiver,
            shots: shots_receiver,
            shots_wanted: shots_wanted.clone(),
            frames: frames.clone(),
            touches: touches_receiver,
            scans_wanted: scans_wanted.clone(),
        };
        let observer =
            Self { scans, imu, joints, shots, shots_wanted, frames, shots_taken: 0, touches, told: None, scans_wanted };
        (observer, observations)
    }

    /// Takes the samples that fall on the step just made. In lockstep a picture is handed out when the one before it is out.
    pub(super) fn after_step(&mut self, world: &World, display: &Display, moment: Moment) {
        let Moment { stamp, epoch, lockstep } = moment;
        let step = world.steps();
        if let Some(sample) = LIDAR.schedule.sample_at(step)
            && self.scans_wanted.load(Relaxed)
        {
            self.scans.send_replace(Some(Arc::new(Stamped { stamp, value: world.scan(sample) })));
        }
        if let Some(sample) = IMU.schedule.sample_at(step) {
            self.imu.send_replace(Some(Arc::new(Stamped { stamp, value: world.imu(sample) })));
        }
        if JOINTS_SCHEDULE.sample_at(step).is_some() {
            self.joints.send_replace(Some(Arc::new(Stamped { stamp, value: world.joints() })));
        }
        if CAMERA.schedule.sample_at(step).is_some()
            && self.shots_wanted.load(Relaxed)
            && let Some(look) = world.look()
        {
            if lockstep {
                self.wait_for_pictures();
            }
            self.shots_taken += 1;
            let value = Shot {
                look: look.clone(),
                world_from_optical: world.camera_pose(),
                entities: world.entities(),
                lights: display.lights(stamp),
                brightness: display.brightness(),
                number: self.shots_taken,
                is_awaited: lockstep,
            };
            self.shots.send_replace(Some(Arc::new(Stamped { stamp, value })));
        }
        self.note_contacts(Some(world), stamp, epoch);
    }

    /// Returns when every picture is out that was handed out and not replaced by a later one.
    pub(super) fn wait_for_pictures(&self) {
        self.frames.wait_for(self.shots_taken);
    }

    /// Tells of a change of contacts; also after a command. A new epoch is told even when nothing is touched.
    pub(super) fn note_contacts(&mut self, world: Option<&World>, stamp: SimTime, epoch: Epoch) {
        let names = world.map(World::contacts).unwrap_or_default();
        if self.told.as_ref().is_some_and(|(told_epoch, told)| *told_epoch == epoch && *told == names) {
            return;
        }
        if self.touches.try_send(Touch { stamp, epoch, names: names.clone() }).is_ok() {
            self.told = Some((epoch, names));
        }
    }
}
