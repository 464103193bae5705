//! Keeps what happens for the record, and tells everybody at the same time.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use serde_json::{Map, Value, json};
use tokio::sync::broadcast;

use crate::bridge::Applied;
use crate::domain::{
    EvaluationSummary, Outcome, Phase, STEP_NANOS, SimTime, Snapshot, StudentRun, WorldState, rounded,
};
use crate::judge::machine::Ending;
use crate::judge::news::{EvaluationNews, News, RunNews, Stream};
use crate::judge::output::Line;
use crate::judge::reporter::Reporter;
use crate::judge::taping::Taping;
use crate::judge::view::Board;
use crate::judge::witness::time_s;
use crate::record::clock::Utc;
use crate::record::{
    CommandEntry, Document, Event, LogLine, OpenSession, RecordedCommand, Recorder, Runtime, Start, Student,
    Trajectory, WayDigest,
};

/// A script may record something at every observation; what is beyond this is only counted.
const MAX_EVENTS: usize = 10_000;
/// And of what it has recorded, all together.
const MAX_EVENT_BYTES: usize = 16 << 20;
/// A command log of more is of no use to anybody.
const MAX_COMMANDS: usize = 100_000;
/// The car's way is kept at 20 Hz of simulation time.
const TRAJECTORY_PERIOD_S: f64 = 0.05;
/// How many of the student's last lines help to understand why it failed.
const LAST_LINES: usize = 10;

/// Where news of a session go.
#[derive(Debug, Clone)]
pub struct Audience {
    pub board: Board,
    pub reporter: Reporter,
    pub news: broadcast::Sender<Arc<News>>,
}

pub struct Chronicle {
    open: OpenSession,
    audience: Audience,
    began: Instant,
    /// Simulated seconds since the first observation, as of the last time it was told.
    pub elapsed_s: f64,
    phase: Phase,
    pub student: StudentRun,
    pub runtime: Runtime,
    pub start: Start,
    record: Value,
    events: Vec<Event>,
    event_bytes: usize,
    lost_events: u64,
    log: Vec<LogLine>,
    log_bytes: usize,
    /// What the record keeps of all lines together.
    max_log_bytes: usize,
    trajectory: Trajectory,
    way: WayDigest,
    /// With what decides about their order among those of the same revision.
    commands: Vec<(bool, CommandEntry)>,
    /// What took hold in a state before this one (epoch, revision) belongs to the time before the session.
    commands_from: (u64, u64),
    /// Of the first observation.
    first: SimTime,
    pub taping: Taping,
}

impl Chronicle {
    pub fn new(open: OpenSession, audience: Audience, taping: Taping, max_log_bytes: usize) -> Self {
        Self {
            open,
            audience,
            began: Instant::now(),
            elapsed_s: 0.0,
            phase: Phase::Starting,
            student: StudentRun::default(),
            runtime: Runtime::default(),
            start: Start::default(),
            record: Value::Null,
            events: Vec::new(),
            event_bytes: 0,
            lost_events: 0,
            log: Vec::new(),
            log_bytes: 0,
            max_log_bytes,
            trajectory: Trajectory::default(),
            way: WayDigest::default(),
            commands: Vec::new(),
            commands_from: (0, 0),
            first: SimTime::ZERO,
            taping,
        }
    }

    /// The session has begun; its view is on the board.
    pub fn begin(&mut self) {
        if let Some(view) = self.audience.board.view() {
            self.announce(EvaluationNews::Start(Box::new(view)));
        }
        self.event("phase", json!({"phase": self.phase.as_str()}));
        self.report(None);
    }

    pub fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.event("phase", json!({"phase": phase.as_str()}));
        self.audience.board.change(|view| view.phase = phase);
        self.announce(EvaluationNews::Phase(phase));
        self.report(None);
    }

    pub fn recorded(&mut self, value: Value) {
        self.record = value.clone();
        self.event("record", json!({"value": value}));
        self.audience.board.change(|view| view.record = value.clone());
        self.announce(EvaluationNews::Record(value));
        self.report(None);
    }

    pub fn line(&mut self, stream: Stream, line: Line) {
        let kept = LogLine { t: rounded(self.elapsed_s), stream: stream.as_str().to_owned(), line: line.text.clone() };
        self.audience.board.change(|view| view.add_line(kept.clone()));
        if self.log_bytes <= self.max_log_bytes {
            self.log_bytes += kept.line.len();
            let is_full = self.log_bytes > self.max_log_bytes;
            let full = "... (the log is full; what follows is not kept)".to_owned();
            self.log.push(if is_full { LogLine { line: full, ..kept } } else { kept });
        }
        self.taping.line(stream, &line.text);
        match stream {
            Stream::Script => self.announce(EvaluationNews::Log(line.text)),
            Stream::Stdout | Stream::Stderr => self.tell(News::Run(RunNews::Log { stream, line })),
        }
    }

    /// Lines of our own in the script's log, such as a traceback.
    pub fn say(&mut self, text: &str) {
        for line in text.lines() {
            self.line(Stream::Script, Line::of(line.as_bytes()));
        }
    }

    pub fn student_started(&mut self, command: &str) {
        self.student = StudentRun { running: true, exit_code: None };
        self.event("student_start", json!({"command": command}));
        self.tell(News::Run(RunNews::Start { command: command.to_owned() }));
        self.student_changed();
    }

    pub fn student_ended(&mut self, exit_code: i32) {
        if !self.student.running {
            return;
        }
        self.student = StudentRun { running: false, exit_code: Some(exit_code) };
        self.event("student_exit", json!({"exit_code": exit_code}));
        self.tell(News::Run(RunNews::Exit { exit_code }));
        self.student_changed();
    }

    /// The last lines of a student's program that failed; nothing of one that did not.
    pub fn students_last_words(&self) -> Option<String> {
        let code = self.student.exit_code.filter(|code| *code != 0 && !self.student.running)?;
        let of_student = |line: &&LogLine| line.stream != Stream::Script.as_str();
        let mut lines: Vec<_> = self.log.iter().rev().filter(of_student).take(LAST_LINES).collect();
        lines.reverse();
        let lines: Vec<_> = lines.into_iter().map(|line| format!("  {}", line.line)).collect();
        Some(match lines.is_empty() {
            true => format!("the student's program ended with code {code} and printed nothing"),
            false => format!("the student's program ended with code {code}; its last lines:\n{}", lines.join("\n")),
        })
    }

    /// Where the car is now.
    pub fn follow(&mut self, snapshot: &Snapshot, elapsed_s: f64) {
        self.elapsed_s = elapsed_s;
        self.audience.board.change(|view| view.elapsed_s = rounded(elapsed_s));
        // States do not come in this rhythm: the first of each period is kept.
        let period = |time_s: f64| ((time_s + 1e-9) / TRAJECTORY_PERIOD_S).floor();
        // The clock may be ahead of the state.
        let t = snapshot.stamp.secs_since(self.first).max(0.0);
        let due = self.trajectory.rows.last().is_none_or(|row| period(t) > period(row[0]));
        if let Some(vehicle) = snapshot.vehicle.as_ref().filter(|_| due) {
            let at = vehicle.pose.position;
            let row = [t, at.x, at.y, vehicle.pose.yaw(), vehicle.forward_speed_m_s()];
            self.trajectory.rows.push(row.map(rounded));
            self.trajectory.states.push([steps(snapshot.stamp), snapshot.revision]);
            self.way.add(vehicle);
        }
    }

    /// The first observation.
    pub fn started(&mut self, snapshot: &Snapshot, time: SimTime) {
        self.first = time;
        self.start = Start { epoch: snapshot.epoch.0, step: steps(time), time: time_s(snapshot) };
    }

    /// The car is placed, and this is the state after it.
    pub fn placed(&mut self, state: &WorldState) {
        self.commands_from = (state.epoch.0, state.revision.saturating_sub(1));
    }

    pub fn applied(&mut self, applied: &Applied) {
        for command in applied.commands.iter().filter_map(RecordedCommand::of) {
            if self.commands.len() < MAX_COMMANDS {
                let Applied { step, revision, epoch, by_topic, .. } = *applied;
                self.commands.push((!by_topic, CommandEntry { step, revision, epoch: epoch.0, command }));
            }
        }
    }

    /// `about` is an object.
    pub fn event(&mut self, kind: &str, about: Value) {
        let about = match about {
            Value::Object(about) => about,
            _ => Map::new(),
        };
        self.event_bytes += about.values().map(|value| value.to_string().len()).sum::<usize>();
        if self.events.len() >= MAX_EVENTS || self.event_bytes > MAX_EVENT_BYTES {
            self.lost_events += 1;
            return;
        }
        self.keep_event(kind, about);
    }

    fn keep_event(&mut self, kind: &str, about: Map<String, Value>) {
        let event = Event { t: rounded(self.elapsed_s), kind: kind.to_owned(), about };
        self.taping.event(&event);
        self.events.push(event);
    }

    /// The document of the session, which is over, and what is left to be finished.
    pub fn close(mut self, ending: &Ending) -> (Document, Closing) {
        let Ending { outcome, reason } = ending.clone();
        if self.lost_events > 0 {
            let note = json!({"events": self.lost_events});
            self.keep_event("not_kept", note.as_object().cloned().unwrap_or_default());
        }
        let about = json!({"outcome": outcome.as_str(), "record": self.record, "reason": reason});
        self.keep_event("end", about.as_object().cloned().unwrap_or_default());
        self.taping.status(&EvaluationSummary { phase: Phase::Ended, ..self.summary(Some(outcome)) });
        let mut document = self.open.clone().ended(outcome, "");
        let head = &mut document.head;
        head.reason.clone_from(&reason);
        head.record = self.record.clone();
        head.sim_time_s = rounded(self.elapsed_s);
        head.wall_time_s = rounded(self.began.elapsed().as_secs_f64());
        head.ended_at = Utc::of(SystemTime::now()).text();
        head.runtime = std::mem::take(&mut self.runtime);
        head.student = Student { exit_code: self.student.exit_code };
        head.start = self.start;
        head.digests.trajectory = Some(std::mem::take(&mut self.way).finish());
        head.events = std::mem::take(&mut self.events);
        document.log = std::mem::take(&mut self.log);
        document.trajectory = std::mem::take(&mut self.trajectory);
        document.commands = self.commands_in_order();
        (document, Closing { chronicle: self, outcome, reason })
    }

    /// Requests and drives are heard of on different ways; a request is the last thing that happens in its state.
    fn commands_in_order(&mut self) -> Vec<CommandEntry> {
        let mut commands = std::mem::take(&mut self.commands);
        commands.retain(|(_, entry)| (entry.epoch, entry.revision) >= self.commands_from);
        commands.sort_by_key(|(is_request, entry)| (entry.revision, *is_request));
        commands.into_iter().map(|(_, entry)| entry).collect()
    }

    fn student_changed(&mut self) {
        let student = self.student;
        self.audience.board.change(|view| view.student = student);
        self.report(None);
    }

    fn announce(&self, news: EvaluationNews) {
        self.tell(News::Evaluation { session_id: self.open.session_id.clone(), t: rounded(self.elapsed_s), news });
    }

    fn tell(&self, news: News) {
        // An error means that nobody listens, and then nobody misses it.
        let _ = self.audience.news.send(Arc::new(news));
    }

    fn report(&mut self, outcome: Option<Outcome>) {
        let summary = self.summary(outcome);
        self.taping.status(&summary);
        self.audience.reporter.report(self.student, summary);
    }

    fn summary(&self, outcome: Option<Outcome>) -> EvaluationSummary {
        let record = (!self.record.is_null()).then(|| self.record.to_string().into());
        EvaluationSummary { session_id: self.open.session_id.clone(), phase: self.phase, outcome, record }
    }
}

/// The number of the step that led to this time.
fn steps(time: SimTime) -> u64 {
    (time.nanos() / STEP_NANOS).unsigned_abs()
}

/// A session whose record is made and may be on disk: what is left is to tell everybody.
pub struct Closing {
    chronicle: Chronicle,
    outcome: Outcome,
    reason: Option<String>,
}

impl Closing {
    /// What has been told; it can be finished now.
    pub fn take_recorder(&mut self) -> Option<Recorder> {
        self.chronicle.taping.take()
    }

    pub fn tell(mut self) {
        let (outcome, reason) = (self.outcome, self.reason);
        self.chronicle.phase = Phase::Ended;
        self.chronicle.audience.board.change(|view| {
            view.phase = Phase::Ended;
            view.outcome = Some(outcome);
            view.reason.clone_from(&reason);
        });
        self.chronicle.announce(EvaluationNews::Phase(Phase::Ended));
        let record = self.chronicle.record.clone();
        self.chronicle.announce(EvaluationNews::End { outcome, record, reason });
        self.chronicle.report(Some(outcome));
    }
}
