//! One session, from the placing of the car to the death of the last process.
//!
//! One task owns it. It waits for many things at once and for none of them alone: whatever takes time is a future of its own, so that
//! a stop is always heard. What the phases mean is decided in `machine`; here is what follows from it.

mod heard;
mod seen;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use serde_json::json;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};

use crate::bridge::{Applied, BridgeError, BridgeHandle, Camera, Change, Done};
use crate::domain::{Command, DriveTarget, Epoch, Outcome, Phase, Picture, SimTime, VehicleSpec};
use crate::judge::action::Action;
use crate::judge::briefing::{self, Briefing};
use crate::judge::call::{Call, EVALUATE, Function};
use crate::judge::chronicle::Chronicle;
use crate::judge::harness;
use crate::judge::lockstep::{Lockstep, StepReply};
use crate::judge::machine::{Ending, Input, Machine, Verdict};
use crate::judge::process::{Heard, Process, QUEUE};
use crate::judge::protocol::{self, Setup};
use crate::judge::supervise::{LaunchError, Limits, Order, Running, Supervisor};
use crate::judge::witness::Witness;
use crate::record::Runtime;
use crate::worlds::{Evaluation, WorldDefinition};

/// How often deadlines are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often the simulator is asked what the robot has driven; it keeps that for many times as long.
const CATCH_UP: Duration = Duration::from_secs(1);

/// What every session needs.
#[derive(Debug)]
pub struct Surroundings {
    pub bridge: BridgeHandle,
    pub supervisor: Supervisor,
    pub vehicle: VehicleSpec,
    /// Where the student's command starts.
    pub workspace: PathBuf,
    /// What the student's command is told on top of its own environment.
    pub student_env: Vec<(OsString, OsString)>,
    pub judge_limits: Limits,
    pub student_limits: Limits,
    pub real_time_factor: f64,
    /// The camera's pictures are on the tape.
    pub camera: bool,
    /// An unpaused simulation may stand still for so long.
    pub stands_still: Duration,
}

/// What this one is about.
#[derive(Debug)]
pub struct Plan {
    pub world: Arc<WorldDefinition>,
    pub evaluation: Evaluation,
    pub command: Option<String>,
    pub time_limit_s: f64,
    /// Of the noise in the world, which is loaded anew.
    pub seed: u64,
    /// Everything stands where the world file has it; otherwise where it is now.
    pub tidy: bool,
    pub lockstep: bool,
}

/// What somebody wants of the running session.
#[derive(Debug)]
pub enum Request {
    Stop {
        reason: Option<String>,
    },
    /// In lockstep: whether time goes on by itself.
    Hold {
        held: bool,
        reply: oneshot::Sender<Result<Done, BridgeError>>,
    },
    /// In lockstep: steps of a client.
    Step {
        steps: u32,
        drive: Option<DriveTarget>,
        reply: StepReply,
    },
}

/// What goes on beside the session's own work.
type Work = FuturesUnordered<BoxFuture<'static, Finished>>;

enum Finished {
    Prepared(Result<Done, BridgeError>),
    Judge(Result<Running, LaunchError>),
    Student(Result<Running, LaunchError>),
    Acted(Result<(), BridgeError>),
    Advanced(Result<Done, BridgeError>),
    /// What the robot has driven is known so far.
    CaughtUp(Result<(), BridgeError>),
    Held {
        done: Result<Done, BridgeError>,
        reply: oneshot::Sender<Result<Done, BridgeError>>,
    },
}

/// What is known of the robot's drives.
struct Driven {
    asked: Instant,
    asking: bool,
    /// Not all of them are known, and never will be.
    lost: bool,
}

pub struct Session {
    around: Arc<Surroundings>,
    plan: Plan,
    began: Instant,
    machine: Machine,
    pub chronicle: Chronicle,
    witness: Witness,
    work: Work,
    /// Kept apart: a process that is being launched is waited for at the end, so that none escapes.
    launches: Work,
    ending: Option<Ending>,
    judge: Option<Process>,
    student: Option<Process>,
    to_us: mpsc::Sender<Heard>,
    /// The function of the script that runs now.
    call: Option<Call>,
    /// What the script has asked for and what is under way.
    acting: Option<Action>,
    lockstep: Option<Lockstep>,
    /// The state after the car was placed, until the script has been given it.
    prepared: Option<Done>,
    /// The student's command, if there is one, is running.
    launched: bool,
    /// Revision of the state that the script was shown last.
    shown: Option<u64>,
    /// The newest state in which this session knows its way.
    epoch: Epoch,
    paused: bool,
    /// Of the newest state that counts.
    time: SimTime,
    /// The name of the script's file.
    script: String,
    gone: heard::Gone,
    driven: Driven,
}

/// Never, without a camera; None when no more will come.
async fn next(camera: &mut Option<Camera>) -> Option<Arc<Picture>> {
    match camera {
        Some(camera) => camera.next().await,
        None => std::future::pending().await,
    }
}

impl Session {
    pub fn new(around: Arc<Surroundings>, plan: Plan, chronicle: Chronicle) -> (Self, mpsc::Receiver<Heard>) {
        let (to_us, heard) = mpsc::channel(QUEUE);
        let snapshot = around.bridge.snapshot();
        let lockstep = plan.lockstep.then(|| Lockstep::new(around.real_time_factor, snapshot.paused()));
        let session = Self {
            began: Instant::now(),
            machine: Machine::new(plan.time_limit_s).patient(around.stands_still),
            chronicle,
            witness: Witness::listening(&around.bridge),
            work: Work::new(),
            launches: Work::new(),
            ending: None,
            judge: None,
            student: None,
            to_us,
            call: None,
            acting: None,
            lockstep,
            prepared: None,
            launched: false,
            shown: None,
            epoch: Epoch::default(),
            paused: snapshot.paused(),
            time: snapshot.clock.map_or(SimTime::ZERO, |clock| clock.sim_time),
            script: harness::script_name(plan.world.name.as_str()),
            gone: heard::Gone::default(),
            driven: Driven { asked: Instant::now(), asking: false, lost: false },
            around,
            plan,
        };
        (session, heard)
    }

    /// Until the session is decided and all of its processes are dead.
    pub async fn run(
        mut self,
        mut heard: mpsc::Receiver<Heard>,
        mut requests: mpsc::Receiver<Request>,
    ) -> (Chronicle, Ending) {
        let mut snapshots = self.around.bridge.subscribe();
        let mut applied = self.around.bridge.applied();
        let mut camera = self.around.camera.then(|| self.around.bridge.camera());
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.prepare();
        while self.ending.is_none() {
            tokio::select! {
                // What was carried out is looked at before its answer, and a flood of lines, which is the last, holds up nothing.
                biased;
                Some(request) = requests.recv() => self.asked(request),
                applied = applied.recv() => match applied {
                    Ok(applied) => self.note_applied(&applied),
                    Err(RecvError::Lagged(lost)) => self.note_missed(lost),
                    Err(RecvError::Closed) => self.fail("the node's link to the simulator has ended"),
                },
                Some(finished) = self.work.next() => {
                    // Both may have come since the queue of what was carried out was looked at.
                    self.look_at(&mut applied);
                    self.finished(finished);
                }
                Some(finished) = self.launches.next() => self.finished(finished),
                changed = snapshots.changed() => match changed {
                    Ok(()) => {
                        let snapshot = snapshots.borrow_and_update().clone();
                        self.see(&snapshot);
                    }
                    Err(_) => self.fail("the node's link to the simulator has ended"),
                },
                picture = next(&mut camera) => match picture {
                    Some(picture) => self.chronicle.taping.picture(&picture),
                    None => camera = None,
                },
                _ = tick.tick() => self.tick(),
                // While an action is under way the script waits, so nothing else can come of it that matters.
                Some(heard) = heard.recv(), if self.acting.is_none() => self.hear(heard),
            }
        }
        let ending = self.ending.take().expect("the loop ends with it");
        // Of one that we kill ourselves the code says nothing.
        let student_failed = self.chronicle.student.exit_code.is_some_and(|code| code != 0);
        self.clean_up(heard).await;
        self.note_the_last_commands(applied).await;
        // Why the script gave up is often what the student's program said last.
        let words = self.chronicle.students_last_words();
        let reason = match words.filter(|_| student_failed && ending.outcome == Outcome::ScriptError) {
            Some(words) => Some(format!("{}\n{words}", ending.reason.unwrap_or_default())),
            None => ending.reason,
        };
        (self.chronicle, Ending { reason, ..ending })
    }

    /// Looks at everything that was carried out until now.
    fn look_at(&mut self, applied: &mut broadcast::Receiver<Arc<Applied>>) {
        loop {
            match applied.try_recv() {
                Ok(applied) => self.note_applied(&applied),
                Err(TryRecvError::Lagged(lost)) => self.note_missed(lost),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn note_missed(&mut self, requests: u64) {
        self.chronicle.event("commands_not_kept", json!({"requests": requests}));
    }

    fn input(&mut self, input: Input) {
        match self.machine.on(input) {
            Verdict::Nothing => {}
            Verdict::Enter(phase) => self.chronicle.enter(phase),
            Verdict::End(ending) => self.ending = Some(ending),
        }
    }

    fn fail(&mut self, reason: impl Into<String>) {
        self.input(Input::Failed(reason.into()));
    }

    /// Places the car and launches the script's process, both at once.
    fn prepare(&mut self) {
        let info = self.around.supervisor.runtime();
        self.chronicle.runtime = Runtime {
            runtime: Some(info.runtime.to_owned()),
            isolation: Some(info.level.to_owned()),
            python: Some(info.python),
        };
        // From a world that was just loaded, and from nothing else, the run can be repeated.
        let mut commands = vec![Command::LoadWorld { world: self.plan.world.name.clone(), seed: self.plan.seed }];
        if !self.plan.tidy {
            commands.extend(briefing::kept(&self.plan.world, &self.around.bridge.snapshot().objects));
        }
        let change = briefing::start(&self.plan.world, &self.around.vehicle);
        let (bridge, is_lockstep) = (self.around.bridge.clone(), self.lockstep.is_some());
        let drives = bridge.clone();
        self.work.push(Box::pin(async move {
            // What was driven before is of no interest, also if it is not known any more.
            let _ = drives.catch_up_with_drives().await;
            Finished::CaughtUp(Ok(()))
        }));
        self.driven.asking = true;
        self.work.push(Box::pin(async move {
            let placing = async {
                let mut car = vec![Command::SetPose { entity: bridge.entity(None)?, change }];
                car.extend(is_lockstep.then_some(Command::SetPaused(true)));
                commands.extend(car.iter().cloned());
                // What an earlier driver wanted is over.
                commands.push(Command::Drive(DriveTarget::default()));
                match bridge.change(Change::Apply { commands, advance_steps: 0 }).await {
                    // Another simulator, whose runs cannot be repeated in any case.
                    Err(BridgeError::Unsupported(_)) => {
                        bridge.change(Change::Apply { commands: car, advance_steps: 0 }).await
                    }
                    placed => placed,
                }
            };
            Finished::Prepared(placing.await)
        }));
        let order =
            harness::order(self.plan.world.name.as_str(), &self.plan.evaluation.script, self.around.judge_limits);
        let around = self.around.clone();
        self.launches.push(Box::pin(async move { Finished::Judge(around.supervisor.launch(order).await) }));
    }

    fn finished(&mut self, finished: Finished) {
        match finished {
            Finished::Prepared(Ok(done)) => {
                self.epoch = done.state.epoch;
                self.chronicle.placed(&done.state);
                self.prepared = Some(done);
                self.brief();
            }
            Finished::Prepared(Err(err)) => self.fail(format!("the car could not be placed: {err}")),
            Finished::Judge(Ok(running)) => {
                self.judge = Some(Process::harness(running, self.to_us.clone()));
                self.brief();
            }
            Finished::Judge(Err(err)) => self.fail(format!("the judging script could not be started: {err}")),
            Finished::Student(Ok(running)) => {
                self.student = Some(Process::student(running, self.to_us.clone()));
                self.launched = true;
                let command = self.plan.command.clone().unwrap_or_default();
                self.chronicle.student_started(&command);
                self.observe();
            }
            Finished::Student(Err(err)) => self.fail(format!("the student's command could not be started: {err}")),
            Finished::Acted(result) => self.answer(result.map_err(|err| err.to_string())),
            Finished::Advanced(result) => self.advanced(result),
            Finished::CaughtUp(result) => self.caught_up(result),
            Finished::Held { done, reply } => {
                let _ = reply.send(done);
            }
        }
    }

    /// Gives the script what it has to know, once the car stands and the script's process runs.
    fn brief(&mut self) {
        let (Some(done), Some(judge)) = (&self.prepared, &self.judge) else { return };
        let Briefing { track, route, objects, origins } = Briefing::of(&self.plan.world);
        let paused = self.is_paused(&done.snapshot);
        let state = self.witness.observation(&done.snapshot, paused, self.chronicle.student);
        judge.say(protocol::line(&Setup {
            evaluate_s: EVALUATE.as_secs_f64(),
            config: &self.plan.evaluation.raw_config,
            track: &track,
            route: &route,
            objects: &objects,
            origins: &origins,
            state: &state,
        }));
        self.prepared = None;
        self.call = Some(Call::begin(Function::Initialize, Instant::now()));
        self.input(Input::Prepared);
    }

    /// `initialize` has returned: the student's turn.
    fn initialized(&mut self) {
        self.call = None;
        self.input(Input::Initialized);
        match &self.plan.command {
            Some(command) => {
                let mut order = Order::student(command, self.around.workspace.clone(), self.around.student_limits);
                order.env.extend(self.around.student_env.iter().cloned());
                let around = self.around.clone();
                self.launches.push(Box::pin(async move { Finished::Student(around.supervisor.launch(order).await) }));
            }
            None => {
                self.launched = true;
                self.observe();
            }
        }
    }

    fn asked(&mut self, request: Request) {
        match request {
            Request::Stop { reason } => self.input(Input::Stop(reason)),
            Request::Hold { held, reply } => {
                let Some(lockstep) = &mut self.lockstep else { return };
                lockstep.held = held;
                self.note_paused(held);
                // For its answer: where everything is.
                let bridge = self.around.bridge.clone();
                self.work.push(Box::pin(async move {
                    let done = bridge.change(Change::Apply { commands: Vec::new(), advance_steps: 0 }).await;
                    Finished::Held { done, reply }
                }));
                self.observe();
            }
            Request::Step { steps, drive, reply } => {
                let refusal = match &mut self.lockstep {
                    Some(lockstep) if self.launched && lockstep.held => {
                        lockstep.ask(steps, drive, reply);
                        return self.observe();
                    }
                    Some(lockstep) if !lockstep.held => BridgeError::NotPaused,
                    _ => BridgeError::NotReady,
                };
                // The client may have gone.
                let _ = reply.send(Err(refusal));
            }
        }
    }

    fn tick(&mut self) {
        self.clock(self.around.bridge.snapshot().simulator_alive);
        let now = Instant::now();
        if let Some(call) = self.call.as_ref().filter(|call| call.is_overdue(now)) {
            let (name, limit) = (call.function.name(), call.function.limit().as_secs());
            let place = self.gone.hung_at.as_ref().map_or(String::new(), |place| format!(" ({place})"));
            let reason = format!("{name} did not return within {limit} s and kept Python to itself{place}");
            self.fail(reason);
        }
        if let Some(reason) = self.gone.verdict(now) {
            self.fail(reason);
        }
        self.catch_up();
    }

    /// Asks what the robot has driven, which the simulator does not keep for long.
    fn catch_up(&mut self) {
        let Driven { asked, asking, lost } = &self.driven;
        if *asking || *lost || asked.elapsed() < CATCH_UP || self.machine.phase() == Phase::Starting {
            return;
        }
        self.driven.asking = true;
        let bridge = self.around.bridge.clone();
        self.work.push(Box::pin(async move { Finished::CaughtUp(bridge.catch_up_with_drives().await) }));
    }

    fn caught_up(&mut self, result: Result<(), BridgeError>) {
        self.driven = Driven { asked: Instant::now(), asking: false, lost: result.is_err() };
        if let Err(err) = result {
            self.chronicle.event("commands_not_kept", json!({"reason": err.to_string()}));
        }
    }

    fn clock(&mut self, alive: bool) {
        self.input(Input::Clock { sim_time: self.time, paused: self.paused, alive, wall: self.began.elapsed() });
    }

    /// What was driven until the end.
    async fn note_the_last_commands(&mut self, mut applied: broadcast::Receiver<Arc<Applied>>) {
        if !self.driven.lost {
            let result = self.around.bridge.catch_up_with_drives().await;
            self.caught_up(result);
        }
        while let Ok(applied) = applied.try_recv() {
            self.chronicle.applied(&applied);
        }
    }

    /// Ends every process, keeps their last lines, and lets time go on as it did before.
    async fn clean_up(&mut self, mut heard: mpsc::Receiver<Heard>) {
        let (judge, student) = (self.judge.take(), self.student.take());
        let (to_us, _) = mpsc::channel(1);
        self.to_us = to_us;
        self.work.clear();
        let launching = async {
            while let Some(finished) = self.launches.next().await {
                match finished {
                    Finished::Judge(Ok(running)) | Finished::Student(Ok(running)) => {
                        running.stop().await;
                    }
                    _ => {}
                }
            }
        };
        let stopping = async {
            let stop = async |process: Option<Process>| match process {
                Some(process) => process.stop().await,
                None => None,
            };
            tokio::join!(launching, stop(judge), stop(student)).2
        };
        let chronicle = &mut self.chronicle;
        let listening = async {
            while let Some(heard) = heard.recv().await {
                match heard {
                    Heard::Line { stream, line } => chronicle.line(stream, line),
                    Heard::Said(_) | Heard::Garbage(_) | Heard::Closed | Heard::Exited { .. } => {}
                }
            }
        };
        let (exit, ()) = tokio::join!(stopping, listening);
        if let Some(exit) = exit {
            self.chronicle.student_ended(exit.code);
        }
        if let Some(lockstep) = &self.lockstep
            && let Err(err) = self.around.bridge.set_paused(lockstep.held).await
        {
            tracing::debug!(%err, "the simulation stays as it is");
        }
    }
}
