//! What is known of a simulator that tells only where everything is: plain values in, plain values out.
//!
//! Epochs, revisions and a time that never goes back are counted here. An epoch begins with every reset and load of our own, when
//! the simulator's time goes back (somebody else has reset it), and when it answers again after a silence.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::bridge::live::Status;
use crate::bridge::simulator::News;
use crate::domain::snapshot::ClockReading;
use crate::domain::{EntityState, Epoch, EpochCause, ModelName, SimTime, WorldName, WorldState};
use crate::ros::msg::simulation_interfaces as si;

/// A simulator may answer from a moment that is a little older; a time that is further back was set back.
const OVERTAKING_NANOS: i64 = 100_000_000;
/// Over which the real-time factor is measured.
const PACE_WINDOW: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Story {
    silence: Duration,
    epoch: Epoch,
    revision: u64,
    /// Of the newest answer taken in.
    newest: u64,
    /// When it was heard first and last.
    heard: Option<(Instant, Instant)>,
    was_silent: bool,
    /// What `/clock` said last; for simulators that do not stamp their states.
    clock: SimTime,
    /// Its own newest time.
    raw_nanos: i64,
    /// Added to its own time, so that ours never goes back.
    offset_nanos: i64,
    /// An order of ours may be setting its time back.
    rewinding: bool,
    pace: Option<(Instant, SimTime)>,
    rtf: f64,
    paused: bool,
    loading: bool,
    world: Option<WorldName>,
    resource: si::Resource,
    shown: (SimTime, Vec<EntityState>),
}

/// When a question was asked: an answer is as new as its question.
pub(super) type Age = (Epoch, u64);

/// What an answer says.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) state: WorldState,
    clock: ClockReading,
    world: Option<WorldName>,
    loading: bool,
    began: Option<EpochCause>,
    is_new: bool,
}

impl Story {
    /// Nothing was heard yet.
    pub(super) fn new(silence: Duration) -> Self {
        // Nobody keeps the epoch for us, and it must grow when the node restarts; there are fewer of them than seconds.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            silence,
            epoch: Epoch(since.as_secs()),
            revision: 0,
            newest: 0,
            heard: None,
            was_silent: false,
            clock: SimTime::ZERO,
            raw_nanos: 0,
            offset_nanos: 0,
            rewinding: false,
            pace: None,
            rtf: 0.0,
            paused: false,
            loading: false,
            world: None,
            resource: si::Resource::default(),
            shown: Default::default(),
        }
    }

    pub(super) fn note_clock(&mut self, clock: SimTime) {
        self.clock = clock;
    }

    pub(super) fn note_state(&mut self, state: si::SimulationState) {
        self.paused = state.state != si::SimulationState::STATE_PLAYING;
        self.loading = state.state == si::SimulationState::STATE_LOADING_WORLD;
        if state.state == si::SimulationState::STATE_NO_WORLD {
            self.world = None;
        }
    }

    pub(super) fn note_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    pub(super) fn note_world(&mut self, world: Option<WorldName>, resource: si::Resource) {
        self.world = world;
        self.resource = resource;
    }

    /// It does not say which world it runs.
    pub(super) fn assume_world(&mut self, world: &WorldName) {
        if self.world.is_none() {
            self.world = Some(world.clone());
        }
    }

    pub(super) fn paused(&self) -> bool {
        self.paused
    }

    /// What the world that it runs was loaded from, if it said so.
    pub(super) fn resource_of(&self, world: &WorldName) -> Option<si::Resource> {
        (self.world.as_ref() == Some(world) && self.resource != si::Resource::default()).then(|| self.resource.clone())
    }

    /// Whether it has been away since this was asked last: another one may be in its place.
    pub(super) fn lately_silent(&mut self) -> bool {
        std::mem::take(&mut self.was_silent)
    }

    /// An order of ours begins that may set its time back.
    pub(super) fn begin_rewind(&mut self) {
        self.rewinding = true;
    }

    /// That order has been carried out, or not.
    pub(super) fn end_rewind(&mut self) {
        self.rewinding = false;
    }

    /// Everything was set anew.
    pub(super) fn begin_epoch(&mut self) {
        self.epoch = Epoch(self.epoch.0 + 1);
    }

    pub(super) fn begin_look(&mut self) -> Age {
        self.revision += 1;
        (self.epoch, self.revision)
    }

    /// `stamp` is what the states themselves say; None or zero where they say nothing.
    pub(super) fn take_in(
        &mut self,
        (mut epoch, revision): Age,
        entities: Vec<EntityState>,
        stamp: Option<SimTime>,
        now: Instant,
    ) -> Look {
        let raw = stamp.filter(|stamp| *stamp > SimTime::ZERO).unwrap_or(self.clock).nanos();
        // An answer that was overtaken says nothing about the present.
        let is_late = revision < self.newest;
        self.newest = self.newest.max(revision);
        let mut began = None;
        let (first, last) = self.heard.unwrap_or((now, now));
        if now.saturating_duration_since(last) > self.silence {
            self.was_silent = true;
            began = Some(EpochCause::Restart);
        }
        if !is_late && raw + OVERTAKING_NANOS < self.raw_nanos {
            self.offset_nanos += self.raw_nanos - raw;
            self.raw_nanos = raw;
            if !self.rewinding {
                began = began.or(Some(EpochCause::Reset));
            }
        }
        if began.is_some() {
            self.begin_epoch();
            epoch = self.epoch;
        }
        self.heard = Some((first, last.max(now)));
        let stamp = if is_late {
            self.shown.0
        } else {
            self.raw_nanos = self.raw_nanos.max(raw);
            SimTime::from_nanos(self.offset_nanos + self.raw_nanos)
        };
        self.measure_pace(stamp, now);
        let is_new = !is_late && (self.shown.0 != stamp || self.shown.1 != entities || began.is_some());
        if is_new {
            self.shown = (stamp, entities.clone());
        }
        Look {
            state: WorldState { step: 0, revision, stamp, epoch, entities },
            clock: ClockReading {
                sim_time: stamp,
                real_time_s: now.saturating_duration_since(first).as_secs_f64(),
                rtf: self.rtf,
                paused: self.paused,
            },
            world: self.world.clone(),
            loading: self.loading,
            began,
            is_new,
        }
    }

    fn measure_pace(&mut self, stamp: SimTime, now: Instant) {
        let (since, from) = *self.pace.get_or_insert((now, stamp));
        let wall = now.saturating_duration_since(since);
        if wall >= PACE_WINDOW {
            self.rtf = (stamp.secs_since(from) / wall.as_secs_f64()).max(0.0);
            self.pace = Some((now, stamp));
        }
    }
}

impl Look {
    /// What the owner of the live state is to be told. States that say nothing new are not repeated.
    pub(super) fn news(self, vehicle: &ModelName) -> Vec<News> {
        let Self { state, clock, world, loading, began, is_new } = self;
        let (epoch, revision) = (state.epoch, state.revision);
        let status = Status { clock, epoch, revision, world, loading, vehicle: Some(vehicle.clone()) };
        let began = began.map(|cause| News::Epoch(epoch, Some(cause)));
        began.into_iter().chain([News::Status(status)]).chain(is_new.then_some(News::States(state))).collect()
    }
}
