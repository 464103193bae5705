//! What the rest of the node holds of the judge.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tokio::sync::{broadcast, mpsc, oneshot};

use crate::bridge::{BridgeError, Done};
use crate::domain::{DriveTarget, Outcome};
use crate::judge::chronicle::Audience;
use crate::judge::error::JudgeError;
use crate::judge::news::{NEWS_QUEUE, News};
use crate::judge::reporter::{Reporting, reporter};
use crate::judge::view::{Board, SessionView};
use crate::record::Store;

/// How many requests may wait. Each is taken up within milliseconds, but for a start, which reads a few files.
const REQUESTS: usize = 16;

/// What a session is to be, as the client asks; the values make sense.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StartRequest {
    /// None only watches.
    pub command: Option<String>,
    /// None takes the world's own.
    pub time_limit_s: Option<f64>,
    /// Of the noise. Given: everything begins where the world file has it; otherwise where it is.
    pub seed: Option<u64>,
}

#[derive(Debug)]
pub enum Ask {
    Start { request: StartRequest, reply: oneshot::Sender<Result<SessionView, JudgeError>> },
    Stop { reply: oneshot::Sender<()> },
    Hold { held: bool, reply: oneshot::Sender<Result<Done, BridgeError>> },
    Step { steps: u32, drive: Option<DriveTarget>, reply: oneshot::Sender<Result<Done, BridgeError>> },
}

/// How many sessions ended in which way since the start of this program.
#[derive(Debug, Default)]
pub struct Tally([AtomicU64; Outcome::ALL.len()]);

impl Tally {
    pub(super) fn count(&self, outcome: Outcome) {
        self.0[outcome as usize].fetch_add(1, Relaxed);
    }

    pub fn all(&self) -> [(Outcome, u64); Outcome::ALL.len()] {
        Outcome::ALL.map(|outcome| (outcome, self.0[outcome as usize].load(Relaxed)))
    }
}

/// Refers to the judge; cheap to clone.
#[derive(Debug, Clone)]
pub struct JudgeHandle {
    asks: mpsc::Sender<Ask>,
    board: Board,
    news: broadcast::Sender<Arc<News>>,
    store: Arc<Store>,
    tally: Arc<Tally>,
}

/// The end of the one task that owns the session.
#[derive(Debug)]
pub struct JudgeEnd {
    pub(super) asks: mpsc::Receiver<Ask>,
    pub(super) audience: Audience,
    pub(super) reporting: Reporting,
    pub(super) store: Arc<Store>,
    pub(super) tally: Arc<Tally>,
}

/// Both ends.
pub fn channel(store: Arc<Store>) -> (JudgeHandle, JudgeEnd) {
    let (sender, asks) = mpsc::channel(REQUESTS);
    let (news, _) = broadcast::channel(NEWS_QUEUE);
    let (reporter, reporting) = reporter();
    let (board, tally) = (Board::default(), Arc::<Tally>::default());
    let audience = Audience { board: board.clone(), reporter, news: news.clone() };
    let handle = JudgeHandle { asks: sender, board, news, store: store.clone(), tally: tally.clone() };
    (handle, JudgeEnd { asks, audience, reporting, store, tally })
}

impl JudgeHandle {
    /// Answers when the session has begun, or why it does not. One that is not supported is over at once.
    pub async fn start(&self, request: StartRequest) -> Result<SessionView, JudgeError> {
        let (reply, answer) = oneshot::channel();
        self.asks.send(Ask::Start { request, reply }).await.map_err(|_| JudgeError::ShuttingDown)?;
        answer.await.unwrap_or(Err(JudgeError::ShuttingDown))
    }

    /// Answers when no session is left, its processes are dead and its record is kept.
    pub async fn stop(&self) {
        let (reply, answer) = oneshot::channel();
        if self.asks.send(Ask::Stop { reply }).await.is_ok() {
            // Dropped without an answer when the node ends, and the session with it.
            let _ = answer.await;
        }
    }

    /// The session that runs, or the last one.
    pub fn view(&self) -> Option<SessionView> {
        self.board.view()
    }

    /// Whether a session runs in which only the judge lets time go on.
    pub fn is_lockstep(&self) -> bool {
        self.board.is_lockstep()
    }

    /// In lockstep: whether time goes on by itself.
    pub async fn hold(&self, held: bool) -> Result<Done, BridgeError> {
        let (reply, answer) = oneshot::channel();
        self.asks.send(Ask::Hold { held, reply }).await.map_err(|_| BridgeError::NotReady)?;
        answer.await.unwrap_or(Err(BridgeError::NotReady))
    }

    /// In lockstep: these steps, with the script watching; answers after the last.
    pub async fn step(&self, steps: u32, drive: Option<DriveTarget>) -> Result<Done, BridgeError> {
        let (reply, answer) = oneshot::channel();
        self.asks.send(Ask::Step { steps, drive, reply }).await.map_err(|_| BridgeError::NotReady)?;
        answer.await.unwrap_or(Err(BridgeError::NotReady))
    }

    /// Everything that happens from now on.
    pub fn news(&self) -> broadcast::Receiver<Arc<News>> {
        self.news.subscribe()
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}
