//! How the live state follows from what was heard: plain values in, plain values out.

use std::time::{Duration, Instant};

use crate::domain::snapshot::ClockReading;
use crate::domain::{EntityState, Epoch, ModelName, Snapshot, WorldName, WorldState};

/// A simulator that says nothing for this long counts as dead; it speaks every 100 ms.
const SILENCE: Duration = Duration::from_millis(500);

/// What `/sim/status` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub clock: ClockReading,
    pub epoch: Epoch,
    /// None while no world is loaded.
    pub world: Option<WorldName>,
    pub vehicle: Option<ModelName>,
}

/// The state being followed. Each `note_…` answers whether the snapshot has changed.
#[derive(Debug, Default)]
pub struct Live {
    snapshot: Snapshot,
    vehicle: Option<ModelName>,
    /// Of the newest state folded in. A restarted simulator counts revisions anew, but always in a higher epoch.
    newest: (Epoch, u64),
    /// Added to a revision, so that `seq` never falls.
    seq_offset: u64,
    heard: Option<Instant>,
}

impl Live {
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The simulator lives in an epoch of which no state has been seen, as after its start or the node's. A paused one would
    /// not say anything by itself.
    pub fn lacks_state(&self) -> bool {
        self.snapshot.simulator_alive && (self.snapshot.vehicle.is_none() || self.newest.0 < self.snapshot.epoch)
    }

    /// The model that is the vehicle, once the simulator has said so.
    pub fn vehicle(&self) -> Option<&ModelName> {
        self.vehicle.as_ref()
    }

    pub fn note_status(&mut self, status: Status, now: Instant) -> bool {
        self.heard = Some(now);
        if status.vehicle.is_some() && status.vehicle != self.vehicle {
            self.vehicle = status.vehicle;
        }
        let mut next = self.snapshot.clone();
        next.simulator_alive = true;
        next.world = status.world;
        next.epoch = next.epoch.max(status.epoch);
        // States carry the time of the newest step; a status that was made before must not turn it back.
        let sim_time = next.clock.map_or(status.clock.sim_time, |known| known.sim_time.max(status.clock.sim_time));
        next.clock = Some(ClockReading { sim_time, ..status.clock });
        self.replace(next)
    }

    /// States older than the newest one folded in are dropped.
    pub fn note_states(&mut self, state: &WorldState) -> bool {
        let age = (state.epoch, state.revision);
        if age <= self.newest {
            return false;
        }
        self.newest = age;
        let mut next = self.snapshot.clone();
        if self.seq_offset + state.revision <= next.seq {
            self.seq_offset = next.seq + 1 - state.revision.min(next.seq + 1);
        }
        next.seq = self.seq_offset + state.revision;
        next.epoch = next.epoch.max(state.epoch);
        if let Some(clock) = &mut next.clock {
            clock.sim_time = clock.sim_time.max(state.stamp);
        }
        let is_vehicle = |entity: &&EntityState| Some(&entity.name) == self.vehicle.as_ref();
        next.vehicle = state.entities.iter().find(is_vehicle).cloned();
        next.objects = state.entities.iter().filter(|entity| !is_vehicle(entity)).cloned().collect();
        self.replace(next)
    }

    pub fn note_epoch(&mut self, epoch: Epoch) -> bool {
        let mut next = self.snapshot.clone();
        next.epoch = next.epoch.max(epoch);
        self.replace(next)
    }

    /// To be called now and then: silence is the only sign of death.
    pub fn note_time(&mut self, now: Instant) -> bool {
        let alive = self.heard.is_some_and(|heard| now.saturating_duration_since(heard) <= SILENCE);
        if alive == self.snapshot.simulator_alive {
            return false;
        }
        self.snapshot.simulator_alive = alive;
        true
    }

    fn replace(&mut self, next: Snapshot) -> bool {
        let changed = next != self.snapshot;
        self.snapshot = next;
        changed
    }
}
