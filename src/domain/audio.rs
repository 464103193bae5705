//! The robot's speaker: what it was told, and what it is playing.

use bytes::Bytes;

use crate::domain::SimTime;

/// Something that somebody told the speaker, with the bytes that came with it.
#[derive(Debug, Clone, PartialEq)]
pub struct AudioEvent {
    /// When it was heard.
    pub stamp: SimTime,
    /// Names the sound; chosen by the sender. Empty in a stop means every sound.
    pub id: String,
    pub action: AudioAction,
}

#[derive(Debug, Clone, PartialEq)]
pub enum AudioAction {
    /// A whole file, either as its bytes or as the place where it is.
    Play {
        data: Bytes,
        url: Option<String>,
    },
    /// More samples of a stream: little-endian, signed, 16 bits each, interleaved if there are several channels.
    Chunk {
        data: Bytes,
        sample_rate_hz: u32,
        channels: u8,
    },
    Stop,
    /// 0 is silent, 1 is full.
    Volume(f32),
}

impl AudioAction {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Play { .. } => "play",
            Self::Chunk { .. } => "chunk",
            Self::Stop => "stop",
            Self::Volume(_) => "volume",
        }
    }

    /// The bytes that came with it.
    pub fn data(&self) -> &[u8] {
        match self {
            Self::Play { data, .. } | Self::Chunk { data, .. } => data,
            Self::Stop | Self::Volume(_) => &[],
        }
    }
}

/// Something that can be heard now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    pub id: String,
    pub kind: SoundKind,
    /// Of a file that was named by its place.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoundKind {
    File,
    Stream,
}

impl SoundKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Stream => "stream",
        }
    }
}
