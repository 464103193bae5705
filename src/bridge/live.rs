//! How the live state follows from what was heard and asked for: plain values in, plain values out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bridge::catalogue::{NoCatalogue, WorldCatalogue};
use crate::bridge::lights::{LightError, Lights};
use crate::bridge::saved::Saved;
use crate::bridge::speaker::Speaker;
use crate::domain::snapshot::{ClockReading, Joints, Odometry};
use crate::domain::{
    AudioEvent, Brightness, Caption, Command, EntityState, Epoch, EpochCause, EvaluationSummary, Light, LightCommand,
    ModelName, Overlay, SimTime, Snapshot, StudentRun, Transition, WorldContents, WorldName, WorldState,
};

/// A simulator that says nothing for this long counts as dead, unless more patience is asked for.
const SILENCE: Duration = Duration::from_millis(500);

/// What `/sim/status` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub clock: ClockReading,
    pub epoch: Epoch,
    pub revision: u64,
    /// None while no world is loaded.
    pub world: Option<WorldName>,
    pub loading: bool,
    pub vehicle: Option<ModelName>,
}

/// What a simulator that was started again does not have, and the one before it had. What the camera shows is not among it:
/// the node's latched topics tell.
#[derive(Debug, Clone, PartialEq)]
struct Lost {
    world: WorldName,
    paused: bool,
}

/// Models of every world that belong to the ground or the sky.
const SCENERY: [&str; 3] = ["racetrack", "sun", "ground_plane"];

/// Whether a model of this name is there to stay where it is.
pub(super) fn is_scenery(contents: &WorldContents, name: &str) -> bool {
    SCENERY.contains(&name) || contents.fixed.iter().any(|fixed| fixed.as_str() == name)
}

/// How new something is that the simulator said. It counts revisions anew when it restarts, but always in a higher epoch.
type Age = (Epoch, u64);

/// The state being followed. Each `note_…` answers whether the snapshot has changed.
#[derive(Debug)]
pub struct Live {
    snapshot: Snapshot,
    vehicle: Option<ModelName>,
    catalogue: Arc<dyn WorldCatalogue>,
    lights: Lights,
    speaker: Speaker,
    /// Of the newest state folded in.
    newest: Age,
    /// Of the newest word about which world runs and whether it is paused.
    told: Age,
    /// Added to a revision, so that `seq` never falls.
    seq_offset: u64,
    /// The last sign of life.
    heard: Option<Instant>,
    /// The last status: when it was heard, and its epoch.
    last_status: Option<(Instant, Epoch)>,
    /// To be given back to the simulator. Until then the snapshot shows it, and what the simulator runs meanwhile is nobody's
    /// business.
    lost: Option<Lost>,
    patience: Duration,
    /// A world change of our own that is under way.
    transition: Option<Transition>,
    contacts_epoch: Epoch,
    odom_from: OdomFrom,
    /// The stamp of the first state that was seen of the present epoch; joints do not say to which one they belong.
    epoch_from: SimTime,
}

/// Odometry starts anew in a fresh world; until then the robot still tells of the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OdomFrom {
    /// The first state of this epoch, which has not come yet.
    Epoch(Epoch),
    Stamp(SimTime),
}

impl Default for Live {
    fn default() -> Self {
        Self::new(Arc::new(NoCatalogue), Saved::default())
    }
}

impl Live {
    /// Nothing was heard yet; what was saved before goes on.
    pub fn new(catalogue: Arc<dyn WorldCatalogue>, saved: Saved) -> Self {
        Self {
            snapshot: Snapshot { brightness: saved.brightness, ..Snapshot::default() },
            vehicle: None,
            catalogue,
            lights: saved.lights,
            speaker: Speaker::default(),
            newest: Age::default(),
            told: Age::default(),
            seq_offset: 0,
            heard: None,
            last_status: None,
            lost: None,
            patience: SILENCE,
            transition: None,
            contacts_epoch: Epoch::default(),
            odom_from: OdomFrom::Stamp(SimTime::ZERO),
            epoch_from: SimTime::ZERO,
        }
    }

    /// Waits this long for a word of the simulator before it counts as dead.
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What must outlive the node.
    pub fn saved(&self) -> Saved {
        // A world without lights has nothing to remember, however often it is reset.
        let lights = if self.lights.states().is_empty() { Lights::default() } else { self.lights.clone() };
        Saved { brightness: self.snapshot.brightness, lights }
    }

    /// The simulator lives in an epoch of which no state has been seen, as after its start or the node's. A paused one would
    /// not say anything by itself.
    pub fn lacks_state(&self) -> bool {
        self.snapshot.simulator_alive
            && self.lost.is_none()
            && (self.snapshot.vehicle.is_none() || self.newest.0 < self.snapshot.epoch)
    }

    /// Whether this status comes from a simulator that was not there when the last one was heard.
    pub fn is_from_another(&self, status: &Status, now: Instant) -> bool {
        let lived = Duration::try_from_secs_f64(status.clock.real_time_s).unwrap_or_default();
        let born = now.checked_sub(lived);
        self.last_status.is_some_and(|(heard, epoch)| status.epoch > epoch && born.is_some_and(|born| born > heard))
    }

    /// What gives a simulator back what it has lost; nothing when nothing is lost.
    pub fn giving_back(&self, seed: u64) -> Option<Vec<Command>> {
        let lost = self.lost.as_ref()?;
        let world = Command::LoadWorld { world: lost.world.clone(), seed };
        // Another world than the one that ran has turned the lights green.
        let lights = self.snapshot.lights.iter();
        let lights = lights.map(|light| Command::SetLight { light: light.name.clone(), state: light.state });
        let paused = lost.paused.then_some(Command::SetPaused(true));
        Some([world].into_iter().chain(lights).chain(paused).collect())
    }

    /// The simulator has what it had lost, and then everything was so.
    pub fn note_given_back(&mut self, state: &WorldState) -> bool {
        let mut next = Snapshot { transition: self.transition, ..self.snapshot.clone() };
        if self.lost.take().is_none() {
            return false;
        }
        self.told = self.told.max((state.epoch, state.revision));
        self.begin_epoch(&mut next, state.epoch, EpochCause::Restart);
        next.epoch = next.epoch.max(state.epoch);
        let changed = self.replace(next);
        self.note_states(state) || changed
    }

    /// The simulator will not have it back: whatever it runs is what there is.
    pub fn give_up_lost(&mut self) {
        self.lost = None;
        self.told = Age::default();
    }

    pub fn note_status(&mut self, status: Status, now: Instant) -> bool {
        if self.is_from_another(&status, now)
            && let (Some(world), Some(clock)) = (self.snapshot.world.clone(), self.snapshot.clock)
            && (status.world.as_ref() != Some(&world) || clock.paused && !status.clock.paused)
        {
            self.lost = Some(Lost { world, paused: clock.paused });
        }
        self.heard = Some(now);
        self.last_status = Some((now, status.epoch));
        if status.vehicle.is_some() && status.vehicle != self.vehicle {
            self.vehicle = status.vehicle;
            // A state that came before this name has left the vehicle among the objects; the same state may come again.
            self.newest = Age::default();
        }
        let mut next = self.snapshot.clone();
        next.simulator_alive = true;
        next.epoch = next.epoch.max(status.epoch);
        let age = (status.epoch, status.revision);
        let mut clock = status.clock;
        if let Some(known) = next.clock {
            // States carry the time of the newest step; a status that was made before must not turn it back.
            clock.sim_time = known.sim_time.max(clock.sim_time);
        }
        if let Some(lost) = &self.lost {
            clock.paused = lost.paused;
            next.transition = self.transition.or(Some(Transition::Loading));
        } else if age >= self.told {
            self.told = age;
            next.world = status.world;
            next.transition = self.transition.or(status.loading.then_some(Transition::Loading));
        } else if let Some(known) = next.clock {
            // It was made before a change that is known already.
            clock.paused = known.paused;
        }
        next.clock = Some(clock);
        self.replace(next)
    }

    /// States older than the newest one folded in are dropped.
    pub fn note_states(&mut self, state: &WorldState) -> bool {
        let age = (state.epoch, state.revision);
        if age <= self.newest || self.lost.is_some() {
            return false;
        }
        if state.epoch > self.newest.0 || state.stamp < self.epoch_from {
            self.epoch_from = state.stamp;
        }
        self.newest = age;
        let mut next = self.snapshot.clone();
        if state.epoch.0 > next.epoch.0 + 1 {
            // Not the epoch that follows: this is a restarted simulator of which nothing else is known yet, and its first status will
            // tell whether it has lost anything.
            next.transition = next.transition.or(Some(Transition::Loading));
        }
        if self.seq_offset + state.revision <= next.seq {
            self.seq_offset = next.seq + 1 - state.revision.min(next.seq + 1);
        }
        next.seq = self.seq_offset + state.revision;
        match self.odom_from {
            OdomFrom::Epoch(epoch) if state.epoch >= epoch => self.odom_from = OdomFrom::Stamp(state.stamp),
            // Another simulator, with a time of its own.
            OdomFrom::Stamp(from) if state.stamp < from => self.odom_from = OdomFrom::Stamp(state.stamp),
            _ => {}
        }
        (next.stamp, next.revision) = (state.stamp, state.revision);
        next.epoch = next.epoch.max(state.epoch);
        if let Some(clock) = &mut next.clock {
            clock.sim_time = clock.sim_time.max(state.stamp);
        }
        let is_vehicle = |entity: &&EntityState| Some(&entity.name) == self.vehicle.as_ref();
        next.vehicle = state.entities.iter().find(is_vehicle).cloned();
        let is_object =
            |entity: &&EntityState| !is_vehicle(entity) && !is_scenery(&next.contents, entity.name.as_str());
        next.objects = state.entities.iter().filter(is_object).cloned().collect();
        self.replace(next)
    }

    /// The simulator has carried out these commands, and then everything was so.
    pub fn note_applied(&mut self, commands: &[Command], state: &WorldState) -> bool {
        let mut next = self.snapshot.clone();
        let age = (state.epoch, state.revision);
        for command in commands {
            match command {
                Command::SetPaused(paused) if age >= self.told => {
                    self.told = age;
                    next.clock.iter_mut().for_each(|clock| clock.paused = *paused);
                    self.lost.iter_mut().for_each(|lost| lost.paused = *paused);
                }
                Command::LoadWorld { world, .. } if age >= self.told => {
                    self.told = age;
                    let is_same = self.lights.world() == Some(world);
                    let cause = if is_same { EpochCause::Respawn } else { EpochCause::Switch };
                    // One that was asked for while the simulator died is the one that is wanted now.
                    self.lost = None;
                    next.world = Some(world.clone());
                    self.enter(&mut next);
                    self.begin_epoch(&mut next, state.epoch, cause);
                }
                Command::Reset => self.begin_epoch(&mut next, state.epoch, EpochCause::Reset),
                _ => {}
            }
        }
        next.epoch = next.epoch.max(state.epoch);
        let changed = self.replace(next);
        self.note_states(state) || changed
    }

    pub fn note_epoch(&mut self, epoch: Epoch, cause: Option<EpochCause>) -> bool {
        let mut next = self.snapshot.clone();
        if let Some(mut cause) = cause {
            if self.lost.is_some() {
                // However it comes about, to everybody else this is the old world in a simulator that was restarted.
                cause = EpochCause::Restart;
            }
            self.begin_epoch(&mut next, epoch, cause);
            if cause == EpochCause::Restart && self.last_status.is_some_and(|(_, known)| epoch > known) {
                // Its first status will tell whether it has lost anything; until then nothing may be asked of it.
                next.transition = next.transition.or(Some(Transition::Loading));
            }
        }
        next.epoch = next.epoch.max(epoch);
        self.replace(next)
    }

    /// What the robot made out in a world that is gone is dropped.
    pub fn note_odom(&mut self, odom: Odometry) -> bool {
        if !matches!(self.odom_from, OdomFrom::Stamp(from) if odom.stamp >= from) {
            return false;
        }
        self.replace(Snapshot { odom: Some(odom), ..self.snapshot.clone() })
    }

    /// Joints come as often as states and are shown with the next of these, or the next status: nobody is told of them alone.
    pub fn note_joints(&mut self, joints: Joints) {
        let is_of_this_epoch = self.newest.0 >= self.snapshot.epoch && joints.stamp > self.epoch_from;
        if is_of_this_epoch && self.snapshot.joints.is_none_or(|known| known.stamp < joints.stamp) {
            self.snapshot.joints = Some(joints);
        }
    }

    pub fn note_audio(&mut self, event: &AudioEvent) -> bool {
        self.speaker.note(event);
        self.replace(self.snapshot.clone())
    }

    pub fn note_contacts(&mut self, epoch: Epoch, contacts: Vec<ModelName>) -> bool {
        if epoch < self.snapshot.epoch {
            return false;
        }
        self.contacts_epoch = epoch;
        self.replace(Snapshot { contacts, ..self.snapshot.clone() })
    }

    /// The simulator has spoken, whatever it said. One that counts as dead must say how it is doing first.
    pub fn note_sign_of_life(&mut self, now: Instant) {
        if self.snapshot.simulator_alive {
            self.heard = Some(now);
        }
    }

    /// Nobody listened for this long before now, so that nobody can know whether the simulator spoke.
    pub fn note_deafness(&mut self, lasted: Duration, now: Instant) {
        self.heard = self.heard.map(|heard| (heard + lasted).min(now));
    }

    /// To be called now and then: silence is the only sign of death.
    pub fn note_time(&mut self, now: Instant) -> bool {
        let alive = self.heard.is_some_and(|heard| now.saturating_duration_since(heard) <= self.patience);
        if alive == self.snapshot.simulator_alive {
            return false;
        }
        self.snapshot.simulator_alive = alive;
        true
    }

    /// To be called now and then: a caption disappears by itself.
    pub fn expire_overlay(&mut self, now: Instant) -> bool {
        let expired = self.snapshot.overlay.until.is_some_and(|until| until <= now);
        if expired {
            self.snapshot.overlay.caption.text.clear();
            self.snapshot.overlay.until = None;
        }
        expired
    }

    /// A world change begins or, with None, is over, however it went.
    pub fn set_transition(&mut self, transition: Option<Transition>) -> bool {
        self.transition = transition;
        let transition = transition.or(self.lost.is_some().then_some(Transition::Loading));
        self.replace(Snapshot { transition, ..self.snapshot.clone() })
    }

    pub fn set_brightness(&mut self, brightness: Brightness) -> bool {
        self.replace(Snapshot { brightness, ..self.snapshot.clone() })
    }

    pub fn set_evaluation(&mut self, run: StudentRun, session: EvaluationSummary) -> bool {
        self.replace(Snapshot { run, evaluation: Some(session), ..self.snapshot.clone() })
    }

    pub fn show(&mut self, caption: Caption, now: Instant) -> bool {
        let until = (!caption.text.is_empty()).then(|| now + caption.ttl);
        let overlay = Overlay { caption, seq: self.snapshot.overlay.seq + 1, until };
        self.replace(Snapshot { overlay, ..self.snapshot.clone() })
    }

    pub fn command_light(&mut self, name: &str, command: LightCommand) -> Result<bool, LightError> {
        let now = self.snapshot.clock.map_or(SimTime::ZERO, |clock| clock.sim_time);
        self.lights.command(name, command, now)?;
        self.lights.settle(self.snapshot.epoch);
        Ok(self.replace(self.snapshot.clone()))
    }

    fn replace(&mut self, mut next: Snapshot) -> bool {
        if next.world != self.snapshot.world {
            self.enter(&mut next);
        }
        if next.began != self.snapshot.began
            && let Some((epoch, EpochCause::Respawn | EpochCause::Switch | EpochCause::Restart)) = next.began
        {
            next.odom = None;
            self.odom_from = OdomFrom::Epoch(epoch);
        }
        if next.epoch > self.contacts_epoch {
            // What was touched before the world was set anew is touched no more, unless the simulator says so again.
            next.contacts.clear();
        }
        if let Some(clock) = next.clock {
            self.lights.advance(clock.sim_time);
            self.speaker.advance(clock.sim_time);
        }
        if next.epoch > self.snapshot.epoch {
            self.speaker.silence();
            next.joints = None;
        }
        next.playing = self.speaker.sounds();
        next.lights = self.shown_lights(&next);
        let changed = next != self.snapshot;
        self.snapshot = next;
        changed
    }

    fn begin_epoch(&mut self, next: &mut Snapshot, epoch: Epoch, cause: EpochCause) {
        self.lights.begin_epoch(epoch, cause);
        if next.began.is_none_or(|(known, _)| known < epoch) {
            next.began = Some((epoch, cause));
        }
    }

    fn enter(&mut self, next: &mut Snapshot) {
        if let Some(world) = &next.world {
            next.contents = self.catalogue.contents(world);
            next.world_id = next.contents.world_id.clone();
            self.lights.enter(world, next.contents.lights.iter().map(|light| light.name.clone()));
        } else {
            next.world_id = None;
        }
    }

    fn shown_lights(&self, snapshot: &Snapshot) -> Vec<Light> {
        let states = self.lights.states().iter();
        states
            .filter_map(|(name, state)| {
                let spec = snapshot.contents.lights.iter().find(|light| light.name == *name)?;
                // It may have been moved.
                let moved = snapshot.objects.iter().find(|object| object.name == *name);
                let pose = moved.map_or(spec.origin, |object| object.pose);
                Some(Light { name: name.clone(), pose, panel: spec.panel, state: *state })
            })
            .collect()
    }
}
