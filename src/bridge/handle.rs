//! What the rest of the node holds of the bridge: the newest snapshot, the newest sensor data, and a way to ask for changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::bridge::audio::{AudioEvents, AudioLog};
use crate::bridge::change::{Applied, Change, Done, Placed, Reset, Write};
use crate::bridge::error::BridgeError;
use crate::bridge::lights::LightError;
use crate::bridge::live::is_scenery;
use crate::bridge::policy;
use crate::bridge::sensors::{Camera, Sensors, SensorsEnd};
use crate::domain::{
    AudioEvent, Brightness, Caption, Command, DriveTarget, EvaluationSummary, Light, LightCommand, ModelName, Overlay,
    PoseChange, Scan, SimTime, Snapshot, StudentRun, WorldName,
};

/// How many changes may wait for the owner. It takes them up every few milliseconds, so more than this means that it is
/// stuck, and the next caller is better told so than kept waiting.
const WRITE_QUEUE: usize = 64;
/// How many applied requests somebody who follows them may be behind.
const APPLIED_QUEUE: usize = 1024;

/// Both ends of the bridge: what everybody holds, and what the one task that owns the live state holds.
pub fn channel(initial: Snapshot) -> (BridgeHandle, OwnerEnd) {
    let (snapshots, newest) = watch::channel(Arc::new(initial));
    let (sender, writes) = mpsc::channel(WRITE_QUEUE);
    let (sensors, sensors_end) = Sensors::channel();
    let listeners = Arc::<AtomicUsize>::default();
    let (applied, _) = broadcast::channel(APPLIED_QUEUE);
    let audio = AudioLog::default();
    let handle = BridgeHandle {
        snapshots: newest,
        writes: sender,
        sensors,
        audio: audio.clone(),
        listeners: listeners.clone(),
        applied: applied.clone(),
    };
    (handle, OwnerEnd { snapshots, writes, sensors: Some(sensors_end), audio, listeners, applied })
}

/// Refers to the bridge; cheap to clone.
#[derive(Debug, Clone)]
pub struct BridgeHandle {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    writes: mpsc::Sender<Write>,
    sensors: Sensors,
    audio: AudioLog,
    listeners: Arc<AtomicUsize>,
    applied: broadcast::Sender<Arc<Applied>>,
}

impl BridgeHandle {
    /// The newest state, at once.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// To be told of newer ones.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// The newest turn of the lidar; None before the first.
    pub fn scan(&self) -> Option<Arc<Scan>> {
        self.sensors.scan()
    }

    /// Turns the camera on for as long as the answer is held.
    pub fn camera(&self) -> Camera {
        self.sensors.camera()
    }

    /// Everything that the robot's speaker is told from now on.
    pub fn audio_events(&self) -> AudioEvents {
        self.audio.listen()
    }

    /// Counts somebody who follows events, until it is dropped.
    pub fn listener(&self) -> Listener {
        self.listeners.fetch_add(1, Relaxed);
        Listener(self.listeners.clone())
    }

    /// What the simulator carries out from now on, whoever asks for it.
    pub fn applied(&self) -> broadcast::Receiver<Arc<Applied>> {
        self.applied.subscribe()
    }

    /// Has a change made; answers when it is in effect and in the served snapshot.
    pub async fn change(&self, change: Change) -> Result<Done, BridgeError> {
        policy::check(&self.snapshot(), &change)?;
        let (reply, answer) = oneshot::channel();
        self.writes.try_send(Write { change, reply }).map_err(|err| match err {
            mpsc::error::TrySendError::Full(_) => BridgeError::Busy,
            mpsc::error::TrySendError::Closed(_) => BridgeError::SimulatorNotRunning,
        })?;
        answer.await.unwrap_or(Err(BridgeError::SimulatorNotRunning))
    }

    /// Teleports the vehicle and stands it upright.
    pub async fn place_vehicle(&self, change: PoseChange) -> Result<Placed, BridgeError> {
        self.place(self.entity(None)?, change).await
    }

    /// Stands a model upright elsewhere. The name is as the client gave it.
    pub async fn place_model(&self, name: &str, change: PoseChange) -> Result<Placed, BridgeError> {
        self.place(self.entity(Some(name))?, change).await
    }

    /// What can be moved by this name, which is as the client gave it; the vehicle for none.
    pub fn entity(&self, name: Option<&str>) -> Result<ModelName, BridgeError> {
        let snapshot = self.snapshot();
        policy::check_ready(&snapshot)?;
        let Some(name) = name else {
            return snapshot.vehicle.as_ref().map(|vehicle| vehicle.name.clone()).ok_or(BridgeError::NotReady);
        };
        if snapshot.vehicle.as_ref().is_some_and(|vehicle| vehicle.name.as_str() == name) {
            return Err(BridgeError::IsTheVehicle);
        }
        if is_scenery(&snapshot.contents, name) {
            return Err(BridgeError::NotMovable(name.to_owned()));
        }
        let known = snapshot.objects.iter().find(|object| object.name.as_str() == name);
        known.map(|object| object.name.clone()).ok_or_else(|| BridgeError::NoSuchModel(name.to_owned()))
    }

    async fn place(&self, entity: ModelName, change: PoseChange) -> Result<Placed, BridgeError> {
        let done = self.change(Change::command(Command::SetPose { entity: entity.clone(), change })).await?;
        let found = done.state.entities.iter().find(|state| state.name == entity);
        let state = found.ok_or_else(|| BridgeError::NoSuchModel(entity.to_string()))?;
        Ok(Placed {
            pose: state.pose,
            stamp: done.state.stamp,
            seq: done.snapshot.seq,
            epoch: done.state.epoch,
            is_light: done.snapshot.lights.iter().any(|light| light.name == entity),
        })
    }

    /// Everything back to its start, all at one step; lights go green.
    pub async fn reset(&self) -> Result<Reset, BridgeError> {
        let done = self.change(Change::command(Command::Reset)).await?;
        let vehicle = done.snapshot.vehicle.as_ref().map(|vehicle| vehicle.name.clone());
        let others = done.state.entities.iter().map(|entity| entity.name.clone());
        let contents = &done.snapshot.contents;
        let others = others.filter(|name| Some(name) != vehicle.as_ref() && !is_scenery(contents, name.as_str()));
        Ok(Reset { names: others.chain(vehicle.clone()).collect(), epoch: done.state.epoch })
    }

    /// Loads the present world again.
    pub async fn respawn(&self) -> Result<Done, BridgeError> {
        self.change(Change::Load { world: None }).await
    }

    /// Loads another world; the present one stays when that fails.
    pub async fn switch(&self, world: WorldName) -> Result<Done, BridgeError> {
        self.change(Change::Load { world: Some(world) }).await
    }

    pub async fn set_paused(&self, paused: bool) -> Result<Done, BridgeError> {
        self.change(Change::command(Command::SetPaused(paused))).await
    }

    /// Advances a paused simulation by whole steps, perhaps with another drive.
    pub async fn step(&self, steps: u32, drive: Option<DriveTarget>) -> Result<Done, BridgeError> {
        let commands = drive.map(Command::Drive).into_iter().collect();
        self.change(Change::Apply { commands, advance_steps: steps }).await
    }

    /// Tells the robot, as anybody on ROS could; it may limit what it is told.
    pub async fn drive(&self, speed_m_s: Option<f64>, steering_rad: Option<f64>) -> Result<Done, BridgeError> {
        self.change(Change::Drive { speed_m_s, steering_rad }).await
    }

    /// The light as it is after the command, and the time at which it is that.
    pub async fn command_light(&self, name: &str, command: LightCommand) -> Result<(Light, SimTime), BridgeError> {
        let done = self.change(Change::Light { name: name.to_owned(), command }).await?;
        let light = done.snapshot.lights.iter().find(|light| light.name.as_str() == name).cloned();
        let now = done.snapshot.clock.map_or(SimTime::ZERO, |clock| clock.sim_time);
        Ok((light.ok_or_else(|| LightError::NoSuchLight(name.to_owned()))?, now))
    }

    pub async fn set_brightness(&self, brightness: Brightness) -> Result<Brightness, BridgeError> {
        Ok(self.change(Change::Brightness(brightness)).await?.snapshot.brightness)
    }

    /// Whoever follows what is applied has heard of every drive that was taken until now. An error says that some are not known any more.
    pub async fn catch_up_with_drives(&self) -> Result<(), BridgeError> {
        self.change(Change::Drives).await.map(|_| ())
    }

    /// Shows everybody how the evaluation is going.
    pub async fn show_evaluation(&self, run: StudentRun, session: EvaluationSummary) -> Result<(), BridgeError> {
        self.change(Change::Evaluation { run, session }).await.map(|_| ())
    }

    pub async fn show(&self, caption: Caption) -> Result<Overlay, BridgeError> {
        Ok(self.change(Change::Caption(caption)).await?.snapshot.overlay.clone())
    }
}

/// Somebody who follows events.
#[derive(Debug)]
pub struct Listener(Arc<AtomicUsize>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The owner's end: it alone publishes snapshots and takes up changes.
#[derive(Debug)]
pub struct OwnerEnd {
    snapshots: watch::Sender<Arc<Snapshot>>,
    writes: mpsc::Receiver<Write>,
    sensors: Option<SensorsEnd>,
    audio: AudioLog,
    listeners: Arc<AtomicUsize>,
    applied: broadcast::Sender<Arc<Applied>>,
}

impl OwnerEnd {
    /// Replaces the served state as a whole.
    pub fn publish(&self, snapshot: Snapshot) -> Arc<Snapshot> {
        let snapshot = Arc::new(snapshot);
        self.snapshots.send_replace(snapshot.clone());
        snapshot
    }

    /// Tells those who follow what is carried out.
    pub fn note_applied(&self, applied: Applied) {
        // An error means that nobody follows.
        let _ = self.applied.send(Arc::new(applied));
    }

    /// What is served now.
    pub fn published(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// The next change that somebody asks for, in the order of asking; None when no handle is left.
    pub async fn next_write(&mut self) -> Option<Write> {
        self.writes.recv().await
    }

    /// The end that shows sensor data; to be taken once.
    pub fn take_sensors(&mut self) -> Option<SensorsEnd> {
        self.sensors.take()
    }

    /// Shows it to everybody who listens.
    pub fn note_audio(&self, event: AudioEvent) {
        self.audio.push(event);
    }

    /// How many follow events.
    pub fn listeners(&self) -> usize {
        self.listeners.load(Relaxed)
    }
}
