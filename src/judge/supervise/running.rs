//! A command that runs, seen from the process that asked for it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::folder::WorkFolder;
use super::leftovers::Leftovers;
use super::message::{OrderHead, Report, STOP, encode, parse_report, send_descriptors};
use super::{ENGINE_PATIENCE, Engine, LaunchError, Level, Limits, SUBCOMMAND};

/// A supervising process that takes longer than this to end, beside the grace, is killed, and with it what it supervises.
const STOP_LIMIT: Duration = Duration::from_secs(5);
const LIBRARIES: &str = "LD_LIBRARY_PATH";
const LOST: &str = "its supervising process was killed";

/// How supervising processes are started.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    pub program: PathBuf,
    pub level: Level,
    /// What the inner process gets to end by itself when this one is gone.
    pub patience: Duration,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exit {
    /// Exit code, or the negative number of the signal that ended it.
    pub code: i32,
    /// Why it was ended, if it exceeded a limit or lost its supervisor; continues a sentence about the command.
    pub reason: Option<String>,
}

/// A running command. Dropping it ends the command and all it started soon; [`stop`](Self::stop) also waits for that.
#[derive(Debug)]
pub struct Running {
    pub stdin: pipe::Sender,
    pub stdout: pipe::Receiver,
    pub stderr: pipe::Receiver,
    /// The folder it started in, as it sees it.
    pub folder: PathBuf,
    pub held: Held,
}

/// A running command without its pipes, for whoever reads them elsewhere.
#[derive(Debug)]
pub struct Held {
    control: Control,
    outer: Child,
    #[expect(dead_code, reason = "it lives as long as this")]
    work: Option<WorkFolder>,
    leftovers: Leftovers,
    grace: Duration,
    exit: Option<Exit>,
    /// The engine and limits of the container that the command runs in, if it does.
    pub(super) inside: Option<(Engine, Limits)>,
}

#[derive(Debug)]
struct Control {
    reports: BufReader<OwnedReadHalf>,
    orders: OwnedWriteHalf,
}

impl Control {
    async fn report(&mut self) -> Option<Report> {
        let mut line = Vec::new();
        self.reports.read_until(b'\n', &mut line).await.ok()?;
        parse_report(&line)
    }
}

impl Launch {
    /// Returns when the command has been started.
    pub async fn start(
        &self,
        head: &OrderHead,
        files: Vec<(String, Vec<u8>)>,
        work: Option<WorkFolder>,
    ) -> Result<Running, LaunchError> {
        let (mut control, outer, ends) = self.connect().map_err(LaunchError::Supervisor)?;
        let Ends { stdin, stdout, stderr, theirs } = ends;
        send_descriptors(control.orders.as_ref(), [theirs[0].as_fd(), theirs[1].as_fd(), theirs[2].as_fd()])
            .map_err(LaunchError::Supervisor)?;
        drop(theirs);
        let send = async {
            control.orders.write_all(&encode(head)?).await?;
            for (_, content) in &files {
                control.orders.write_all(content).await?;
            }
            Ok::<_, io::Error>(())
        };
        // If it gives up in the middle of the order, its report says why.
        let sent = send.await;
        match control.report().await {
            Some(Report::Started) => {
                let folder = head.folder.clone();
                let leftovers = Leftovers::new(self.level, outer.id(), head);
                let held = Held { control, outer, work, leftovers, grace: head.grace, exit: None, inside: None };
                Ok(Running { stdin, stdout, stderr, folder, held })
            }
            Some(Report::Failed(message)) => Err(LaunchError::Refused(message)),
            Some(Report::Ended { .. }) | None => {
                let lost = sent.err().unwrap_or_else(|| io::Error::other("it ended before the command started"));
                Err(LaunchError::Supervisor(lost))
            }
        }
    }

    fn connect(&self) -> io::Result<(Control, Child, Ends)> {
        let (ours, theirs) = UnixStream::pair()?;
        let theirs = theirs.into_std()?;
        theirs.set_nonblocking(false)?;
        let mut command = Command::new(&self.program);
        command.args([SUBCOMMAND, self.level.word(), &self.patience.as_millis().to_string()]);
        command.env_clear().current_dir("/");
        // On an installed ROS 2 this program finds its libraries there.
        command.envs(std::env::var_os(LIBRARIES).map(|folders| (LIBRARIES, folders)));
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null());
        let outer = command.spawn()?;
        let (reports, orders) = ours.into_split();
        Ok((Control { reports: BufReader::new(reports), orders }, outer, Ends::new()?))
    }
}

/// The pipes of a command.
struct Ends {
    stdin: pipe::Sender,
    stdout: pipe::Receiver,
    stderr: pipe::Receiver,
    theirs: [OwnedFd; 3],
}

impl Ends {
    fn new() -> io::Result<Self> {
        let (stdin_theirs, stdin) = io::pipe()?;
        let (stdout, stdout_theirs) = io::pipe()?;
        let (stderr, stderr_theirs) = io::pipe()?;
        Ok(Self {
            stdin: pipe::Sender::from_owned_fd(stdin.into())?,
            stdout: pipe::Receiver::from_owned_fd(stdout.into())?,
            stderr: pipe::Receiver::from_owned_fd(stderr.into())?,
            theirs: [stdin_theirs.into(), stdout_theirs.into(), stderr_theirs.into()],
        })
    }
}

impl Running {
    /// As [`Held::exited`].
    pub async fn exited(&mut self) -> Exit {
        self.held.exited().await
    }

    /// As [`Held::supervising_process`].
    pub fn supervising_process(&self) -> Option<u32> {
        self.held.supervising_process()
    }

    /// As [`Held::stop`].
    pub async fn stop(self) -> Exit {
        self.held.stop().await
    }
}

impl Held {
    /// Returns when the command itself has ended; what it started may go on. May be asked again and may be cancelled.
    pub async fn exited(&mut self) -> Exit {
        if let Some(exit) = &self.exit {
            return exit.clone();
        }
        let exit = match self.control.report().await {
            Some(Report::Ended { code, reason }) => match &self.inside {
                Some((engine, limits)) => {
                    let (code, why) = engine.read_exit(code, limits);
                    Exit { code, reason: reason.or(why) }
                }
                None => Exit { code, reason },
            },
            _ => Exit { code: -9, reason: Some(LOST.to_owned()) },
        };
        self.exit.insert(exit).clone()
    }

    /// Number of the outer supervising process, as long as nobody has waited for its end.
    pub fn supervising_process(&self) -> Option<u32> {
        self.outer.id()
    }

    /// Ends the command and everything it has started; returns when all of it is dead. A student's programs get SIGTERM and a
    /// moment to follow it first.
    pub async fn stop(mut self) -> Exit {
        // It fails only if everything has ended already.
        let _ = self.control.orders.write_all(&[STOP]).await;
        // An engine takes its time to remove a container.
        let limit = self.inside.map_or(self.grace + STOP_LIMIT, |_| ENGINE_PATIENCE);
        let ended = timeout(limit, async {
            let exit = self.exited().await;
            (exit, self.outer.wait().await)
        });
        let exit = match ended.await {
            Ok((exit, _)) => exit,
            Err(_) => {
                // Its inner process, and with it all the rest, goes with it.
                let _ = self.outer.kill().await;
                self.exited().await
            }
        };
        let leftovers = self.leftovers.clone();
        // It waits for processes to die, which is not for this thread. It fails only by a panic, which has been reported.
        let _ = tokio::task::spawn_blocking(move || leftovers.end()).await;
        exit
    }
}
