//! The task that owns the session: one at a time.

use std::sync::Arc;
use std::time::SystemTime;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::bridge::policy;
use crate::domain::{Outcome, Phase, StudentRun};
use crate::judge::JudgeOptions;
use crate::judge::chronicle::{Audience, Chronicle};
use crate::judge::error::JudgeError;
use crate::judge::handle::{Ask, JudgeEnd, StartRequest, Tally};
use crate::judge::machine::Ending;
use crate::judge::session::{Plan, Request, Session, Surroundings};
use crate::judge::taping::Taping;
use crate::judge::view::SessionView;
use crate::record::clock::Utc;
use crate::record::{Digests, OpenSession, Recorder, Store, sha256};
use crate::worlds::{Evaluation, Library, WorldDefinition};

/// When neither the client nor the world says anything.
const DEFAULT_TIME_LIMIT_S: f64 = 180.0;
/// How many requests of clients may wait for the session, which takes them up at once.
const SESSION_REQUESTS: usize = 64;

/// Runs sessions until the token is cancelled; a session that runs then is stopped, and its record kept.
pub(super) async fn run(
    options: JudgeOptions,
    around: Arc<Surroundings>,
    library: Arc<Library>,
    end: JudgeEnd,
    shutdown: CancellationToken,
) {
    let JudgeEnd { mut asks, audience, reporting, store, tally } = end;
    let bridge = around.bridge.clone();
    let reporting = tokio::spawn(async move { reporting.run(&bridge).await });
    let mut owner = Owner { options, around, library, audience, store, tally, running: None, waiting: Vec::new() };
    loop {
        tokio::select! {
            () = shutdown.cancelled() => break,
            () = ended(&mut owner.running) => owner.released().await,
            ask = asks.recv() => match ask {
                Some(Ask::Start { request, reply }) => {
                    let answer = owner.start(request).await;
                    // Here and below: the client may have gone.
                    let _ = reply.send(answer);
                }
                Some(Ask::Stop { reply }) => owner.stop(reply).await,
                Some(Ask::Hold { held, reply }) => owner.pass_on(Request::Hold { held, reply }).await,
                Some(Ask::Step { steps, drive, reply }) => owner.pass_on(Request::Step { steps, drive, reply }).await,
                None => break,
            },
        }
    }
    if let Some(mut session) = owner.running.take() {
        let reason = Some("the simulator was shut down".to_owned());
        // A session that is ending already does not hear it.
        let _ = session.requests.send(Request::Stop { reason }).await;
        wait(&mut session.task).await;
    }
    owner.audience.reporter.settled().await;
    drop(owner);
    // It ends with the last reporter.
    wait(&mut { reporting }).await;
}

/// Answers until the token is cancelled, but judges nothing.
pub(super) async fn refuse(reason: &str, mut end: JudgeEnd, shutdown: CancellationToken) {
    loop {
        let ask = tokio::select! {
            () = shutdown.cancelled() => return,
            ask = end.asks.recv() => ask,
        };
        match ask {
            Some(Ask::Start { reply, .. }) => {
                // The client may have gone.
                let _ = reply.send(Err(JudgeError::Impossible(reason.to_owned())));
            }
            Some(Ask::Stop { reply }) => {
                let _ = reply.send(());
            }
            // No session, no answer.
            Some(Ask::Hold { .. } | Ask::Step { .. }) => {}
            None => return,
        }
    }
}

/// A session and the way to it.
struct Running {
    requests: mpsc::Sender<Request>,
    task: JoinHandle<()>,
}

struct Owner {
    options: JudgeOptions,
    around: Arc<Surroundings>,
    library: Arc<Library>,
    audience: Audience,
    store: Arc<Store>,
    tally: Arc<Tally>,
    running: Option<Running>,
    /// Who wants to know when it is over.
    waiting: Vec<oneshot::Sender<()>>,
}

async fn wait(task: &mut JoinHandle<()>) {
    if let Err(err) = task.await {
        error!(%err, "a task of the judge ended unexpectedly");
    }
}

/// Never, when no session runs.
async fn ended(running: &mut Option<Running>) {
    match running {
        Some(session) => wait(&mut session.task).await,
        None => std::future::pending().await,
    }
}

impl Owner {
    /// In this order: is the world ready, has it an evaluation, is nobody else being judged.
    async fn start(&mut self, request: StartRequest) -> Result<SessionView, JudgeError> {
        let snapshot = self.around.bridge.snapshot();
        policy::check_ready(&snapshot)?;
        let name = snapshot.world.clone().ok_or(JudgeError::NoEvaluation)?;
        let library = self.library.clone();
        let read = move || -> Result<_, JudgeError> {
            let broken = |err: String| JudgeError::BrokenEvaluation(err);
            // A world without files, such as the built-in one, has no evaluation either.
            let bundle = library.catalogue().find(&name).map_err(|_| JudgeError::NoEvaluation)?;
            let evaluation = bundle.evaluation().map_err(|err| broken(err.to_string()))?;
            let evaluation = evaluation.ok_or(JudgeError::NoEvaluation)?;
            let world = library.read(&name).map_err(|err| broken(err.to_string()))?;
            let bytes = bundle.world_file().ok().and_then(|path| std::fs::read(path).ok());
            Ok((evaluation, world, bytes.as_deref().map(sha256)))
        };
        let read = tokio::task::spawn_blocking(read).await;
        let (evaluation, world, digest) = read.map_err(|err| JudgeError::Impossible(err.to_string()))??;
        if self.running.is_some() {
            return Err(JudgeError::Active);
        }
        let open = self.open(&request, &evaluation, &world, digest);
        let unsupported = self.why_unsupported(&evaluation);
        let recorder = self.begin(&open, unsupported.is_none()).await?;
        self.audience.board.show(view_of(&open));
        let taping = Taping::new(recorder, &snapshot);
        let mut chronicle = Chronicle::new(open, self.audience.clone(), taping, self.options.log_bytes);
        chronicle.begin();
        match unsupported {
            Some(reason) => {
                let ending = Ending { outcome: Outcome::Unsupported, reason: Some(reason) };
                close(chronicle, ending, &self.store, &self.tally, None).await;
            }
            None => self.launch(request, evaluation, world, chronicle),
        }
        self.audience.reporter.settled().await;
        self.audience.board.view().ok_or(JudgeError::ShuttingDown)
    }

    /// From now on the session will have a record. A tape that cannot be written is no reason not to judge.
    async fn begin(&self, open: &OpenSession, is_taped: bool) -> Result<Option<Recorder>, JudgeError> {
        let (store, open, limit_bytes) = (self.store.clone(), open.clone(), self.options.tape_bytes);
        blocking(move || {
            store.begin(&open)?;
            Ok(is_taped.then(|| store.recorder(&open, limit_bytes)).transpose().unwrap_or_else(|err| {
                warn!(%err, "the session goes without a recording");
                None
            }))
        })
        .await
    }

    fn launch(
        &mut self,
        request: StartRequest,
        evaluation: Evaluation,
        world: Arc<WorldDefinition>,
        chronicle: Chronicle,
    ) {
        let plan = Plan {
            time_limit_s: time_limit_s(&request, &evaluation),
            world,
            evaluation,
            command: request.command,
            seed: request.seed.unwrap_or(self.options.seed),
            tidy: request.seed.is_some(),
            lockstep: self.options.lockstep,
        };
        let (sender, requests) = mpsc::channel(SESSION_REQUESTS);
        let (session, heard) = Session::new(self.around.clone(), plan, chronicle);
        let (store, tally, room) = (self.store.clone(), self.tally.clone(), self.options.all_tapes_bytes);
        let task = tokio::spawn(async move {
            let (chronicle, ending) = session.run(heard, requests).await;
            close(chronicle, ending, &store, &tally, room).await;
        });
        self.running = Some(Running { requests: sender, task });
    }

    async fn stop(&mut self, reply: oneshot::Sender<()>) {
        match &self.running {
            Some(session) => {
                // A session that is ending already does not hear it.
                let _ = session.requests.send(Request::Stop { reason: None }).await;
                self.waiting.push(reply);
            }
            None => {
                let _ = reply.send(());
            }
        }
    }

    /// Who asks for something of a session that is over is told so by the end of the reply.
    async fn pass_on(&mut self, request: Request) {
        if let Some(session) = &self.running {
            let _ = session.requests.send(request).await;
        }
    }

    /// The session is over.
    async fn released(&mut self) {
        self.running = None;
        self.audience.reporter.settled().await;
        for waiting in self.waiting.drain(..) {
            let _ = waiting.send(());
        }
    }

    fn open(
        &self,
        request: &StartRequest,
        evaluation: &Evaluation,
        world: &WorldDefinition,
        digest: Option<String>,
    ) -> OpenSession {
        let now = Utc::of(SystemTime::now());
        let publication = world.publication.as_ref();
        OpenSession {
            session_id: now.name(),
            world: world.name.to_string(),
            world_id: publication.map(|(id, _)| id.as_str().to_owned()),
            rev: publication.map(|(_, rev)| rev.as_str().to_owned()),
            robot: self.around.vehicle.generation.clone(),
            command: request.command.clone(),
            better: evaluation.config.better.unwrap_or_default().as_str().to_owned(),
            time_limit_s: time_limit_s(request, evaluation),
            started_at: now.text(),
            seed: request.seed.unwrap_or(self.options.seed),
            lockstep: self.options.lockstep,
            digests: Digests {
                world: digest,
                script: Some(sha256(evaluation.script.as_bytes())),
                command: request.command.as_ref().map(|command| sha256(command.as_bytes())),
                trajectory: None,
            },
        }
    }

    fn why_unsupported(&self, evaluation: &Evaluation) -> Option<String> {
        if !evaluation.is_supported_version() {
            return Some(format!("the evaluation has version {}; this program judges version 1", evaluation.version));
        }
        let ours = &self.around.vehicle.generation;
        let wanted = evaluation.config.robot.as_ref().filter(|robot| *robot != ours)?;
        Some(format!("the evaluation is for the robot {wanted}; this one is {ours}"))
    }
}

/// Keeps the record, then tells everybody. `room_bytes` is what all tapes together may take.
async fn close(chronicle: Chronicle, ending: Ending, store: &Arc<Store>, tally: &Tally, room_bytes: Option<u64>) {
    tally.count(ending.outcome);
    info!(outcome = ending.outcome.as_str(), reason = ending.reason.as_deref().unwrap_or_default(), "evaluation ended");
    let (mut document, mut closing) = chronicle.close(&ending);
    let (store, recorder) = (store.clone(), closing.take_recorder());
    let keep = move || {
        document.head.mcap = recorder.is_some_and(|recorder| keep_tape(&store, &document.head.session_id, recorder));
        store.keep(&document)?;
        if let Some(limit_bytes) = room_bytes {
            make_room(&store, limit_bytes);
        }
        Ok(())
    };
    if let Err(err) = blocking(keep).await {
        error!(%err, "a record is lost");
    }
    closing.tell();
}

/// Whether there is one now.
fn keep_tape(store: &Store, session_id: &str, recorder: Recorder) -> bool {
    match store.keep_tape(session_id, recorder) {
        Ok(0) => true,
        Ok(lost) => {
            warn!(lost, "the disk was too slow for the recording: messages are missing on it");
            true
        }
        Err(err) => {
            warn!(%err, "the session has no recording");
            false
        }
    }
}

fn make_room(store: &Store, limit_bytes: u64) {
    match store.make_room(limit_bytes) {
        Ok(removed) => removed.iter().for_each(|session_id| {
            info!(
                "the recording of {session_id} was removed, because all of them together took more than \
                   evaluation_recordings_mb; its record stays"
            );
        }),
        Err(err) => warn!(%err, "old recordings cannot be removed"),
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, crate::record::RecordError> + Send + 'static,
) -> Result<T, JudgeError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|err| JudgeError::Impossible(err.to_string()))??)
}

fn time_limit_s(request: &StartRequest, evaluation: &Evaluation) -> f64 {
    request.time_limit_s.or(evaluation.config.time_limit_s).unwrap_or(DEFAULT_TIME_LIMIT_S)
}

fn view_of(open: &OpenSession) -> SessionView {
    SessionView {
        session_id: open.session_id.clone(),
        world: open.world.clone(),
        phase: Phase::Starting,
        command: open.command.clone(),
        time_limit_s: open.time_limit_s,
        elapsed_s: 0.0,
        record: Value::Null,
        better: open.better.clone(),
        student: StudentRun::default(),
        log: Default::default(),
        outcome: None,
        reason: None,
        started_at: open.started_at.clone(),
        lockstep: open.lockstep,
    }
}
