//! What this process and a supervising process tell each other over their socket.
//!
//! Towards the inner process: three file descriptors with one byte, the length of an [`OrderHead`], the head as JSON, the bytes of all
//! files, and later perhaps [`STOP`]. Back: one [`Report`] per line.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use super::Limits;

/// End everything, politely where there is a grace. Closing the socket ends everything at once.
pub const STOP: u8 = b'S';

const DESCRIPTORS: usize = 3;
/// No order comes near; a larger number is a mistake of ours.
const MAX_HEAD_BYTES: u32 = 64 << 20;

/// Everything about a command but its descriptors and the content of its files.
#[derive(Debug, Serialize, Deserialize)]
pub struct OrderHead {
    pub argv: Vec<OsString>,
    /// Complete.
    pub env: Vec<(OsString, OsString)>,
    pub folder: PathBuf,
    /// Path below the folder, and length.
    pub files: Vec<(String, usize)>,
    pub limits: Limits,
    pub confinement: Confinement,
    /// Between SIGTERM and SIGKILL after [`STOP`].
    pub grace: Duration,
    /// Run at the very end, if there is one.
    pub afterwards: Vec<OsString>,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Confinement {
    /// The host as it is.
    Open,
    /// The host read-only, with a private working folder.
    Sandbox {
        /// Its `usr` takes the place of the host's.
        python_root: Option<PathBuf>,
        /// Not to be seen inside.
        hidden: Vec<PathBuf>,
        /// To be seen inside although it lies in something hidden.
        kept: Vec<PathBuf>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    Started,
    Failed(String),
    /// The command itself ended; what it started may still live. A negative code is a signal.
    Ended {
        code: i32,
        reason: Option<String>,
    },
}

/// Sends stdin, stdout and stderr of the command.
pub fn send_descriptors(socket: impl AsFd, descriptors: [BorrowedFd<'_>; DESCRIPTORS]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(socket, &[IoSlice::new(b"F")], &mut ancillary, SendFlags::NOSIGNAL)?;
    Ok(())
}

pub fn receive_descriptors(socket: impl AsFd) -> io::Result<[OwnedFd; DESCRIPTORS]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let mut received = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            received.extend(descriptors);
        }
    }
    received.try_into().map_err(|_| io::Error::other("no descriptors came with the order"))
}

/// The head as it travels.
pub fn encode(head: &OrderHead) -> io::Result<Vec<u8>> {
    let json = serde_json::to_vec(head)?;
    let length = u32::try_from(json.len()).map_err(|_| io::Error::other("the order is too large"))?;
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(json);
    Ok(bytes)
}

pub fn receive_head(mut socket: impl Read) -> io::Result<OrderHead> {
    let mut length = [0; 4];
    socket.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_HEAD_BYTES {
        return Err(io::Error::other("the order is too large"));
    }
    let mut json = vec![0; length as usize];
    socket.read_exact(&mut json)?;
    Ok(serde_json::from_slice(&json)?)
}

pub fn send_report(mut socket: impl Write, report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    socket.write_all(&line)
}

/// None for anything that is not a whole report, such as the end of the stream.
pub fn parse_report(line: &[u8]) -> Option<Report> {
    serde_json::from_slice(line.trim_ascii_end()).ok()
}
