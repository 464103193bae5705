//! What of a session goes on its tape, and when.

use std::sync::Arc;

use crate::domain::{EvaluationSummary, LightState, ModelName, Picture, SimTime, Snapshot};
use crate::judge::news::Stream;
use crate::record::recorder::Item;
use crate::record::{Event, Recorder, Speaker};

/// Between two states on the tape, unless something else than time has changed: 20 of them in a simulated second.
const PERIOD_NANOS: i64 = 50_000_000;

/// Feeds the recorder, if there is one.
#[derive(Debug)]
pub struct Taping {
    recorder: Option<Recorder>,
    /// Of the newest state.
    now: SimTime,
    last: Option<Last>,
}

/// The state that was written last.
#[derive(Debug, PartialEq)]
struct Last {
    time: SimTime,
    seq: u64,
    overlay: u64,
    lights: Vec<(ModelName, LightState)>,
}

impl Taping {
    /// Begins with this state.
    pub fn new(recorder: Option<Recorder>, snapshot: &Arc<Snapshot>) -> Self {
        let mut taping = Self { recorder, now: SimTime::ZERO, last: None };
        taping.state(snapshot);
        taping
    }

    pub fn state(&mut self, snapshot: &Arc<Snapshot>) {
        let Some(clock) = snapshot.clock else { return };
        self.now = clock.sim_time;
        let Some(recorder) = &mut self.recorder else { return };
        let next = Last {
            time: clock.sim_time,
            seq: snapshot.seq,
            overlay: snapshot.overlay.seq,
            lights: snapshot.lights.iter().map(|light| (light.name.clone(), light.state)).collect(),
        };
        if self.last.as_ref().is_none_or(|last| last.is_outdated_by(&next)) {
            recorder.put(Item::State(snapshot.clone()));
            self.last = Some(next);
        }
    }

    pub fn line(&mut self, stream: Stream, line: &str) {
        let speaker = match stream {
            Stream::Script => Speaker::Judge,
            Stream::Stdout => Speaker::Student,
            Stream::Stderr => Speaker::StudentError,
        };
        self.put(|time| Item::Line { time, speaker, line: line.to_owned() });
    }

    pub fn event(&mut self, event: &Event) {
        let json = || serde_json::to_string(event).expect("an event has text keys, which is all that could fail");
        self.put(|time| Item::Event { time, json: json() });
    }

    pub fn status(&mut self, status: &EvaluationSummary) {
        self.put(|time| Item::Status { time, status: status.clone() });
    }

    pub fn picture(&mut self, picture: &Arc<Picture>) {
        self.put(|_| Item::Picture(picture.clone()));
    }

    /// What has to be finished; nothing is written any more.
    pub fn take(&mut self) -> Option<Recorder> {
        self.recorder.take()
    }

    fn put(&mut self, item: impl FnOnce(SimTime) -> Item) {
        if let Some(recorder) = &mut self.recorder {
            recorder.put(item(self.now));
        }
    }
}

impl Last {
    fn is_outdated_by(&self, next: &Self) -> bool {
        let period = |time: SimTime| time.nanos().div_euclid(PERIOD_NANOS);
        // At one and the same time only a command can have changed anything.
        let was_changed = next.time == self.time && next.seq != self.seq;
        period(next.time) != period(self.time)
            || was_changed
            || next.overlay != self.overlay
            || next.lights != self.lights
    }
}
