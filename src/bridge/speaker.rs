//! What the robot's speaker is playing: plain values in, plain values out.
//!
//! A stream ends when its samples have been played, in simulation time. So does a WAV file that came as bytes; of other files the
//! length is not known, and they play until they are stopped. Whenever the world is set anew, the speaker falls silent.

use std::time::Duration;

use crate::domain::{AudioAction, AudioEvent, SimTime, Sound, SoundKind};

/// More sounds at a time than this are noise; the oldest one makes room.
const MOST: usize = 64;
/// 16-bit samples.
const SAMPLE_BYTES: u64 = 2;

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Speaker {
    /// In the order of their beginning.
    playing: Vec<Playing>,
}

#[derive(Debug, Clone, PartialEq)]
struct Playing {
    sound: Sound,
    /// None plays until it is stopped.
    ends: Option<SimTime>,
}

impl Speaker {
    pub(super) fn note(&mut self, event: &AudioEvent) {
        self.advance(event.stamp);
        let id = event.id.clone();
        match &event.action {
            AudioAction::Play { data, url } => {
                let ends = wav_length(data).map(|length| event.stamp.plus(length));
                self.begin(Sound { id, kind: SoundKind::File, url: url.clone() }, ends);
            }
            AudioAction::Chunk { data, sample_rate_hz, channels } => {
                let bytes_per_second = u64::from(*sample_rate_hz) * u64::from(*channels) * SAMPLE_BYTES;
                let length = length(data.len() as u64, bytes_per_second).unwrap_or_default();
                let known = self.playing.iter_mut().find(|playing| playing.sound.id == id);
                match known {
                    Some(Playing { sound: Sound { kind: SoundKind::Stream, .. }, ends: Some(ends) }) => {
                        *ends = ends.plus(length);
                    }
                    _ => {
                        let ends = event.stamp.plus(length);
                        self.begin(Sound { id, kind: SoundKind::Stream, url: None }, Some(ends));
                    }
                }
            }
            AudioAction::Stop if id.is_empty() => self.silence(),
            AudioAction::Stop => self.playing.retain(|playing| playing.sound.id != id),
            AudioAction::Volume(_) => {}
        }
    }

    /// What has been played to its end is over.
    pub(super) fn advance(&mut self, now: SimTime) {
        self.playing.retain(|playing| playing.ends.is_none_or(|ends| ends > now));
    }

    pub(super) fn silence(&mut self) {
        self.playing.clear();
    }

    pub(super) fn sounds(&self) -> Vec<Sound> {
        self.playing.iter().map(|playing| playing.sound.clone()).collect()
    }

    fn begin(&mut self, sound: Sound, ends: Option<SimTime>) {
        self.playing.retain(|playing| playing.sound.id != sound.id);
        if self.playing.len() == MOST {
            self.playing.remove(0);
        }
        self.playing.push(Playing { sound, ends });
    }
}

fn length(bytes: u64, bytes_per_second: u64) -> Option<Duration> {
    (bytes_per_second > 0).then(|| Duration::from_secs_f64(bytes as f64 / bytes_per_second as f64))
}

/// How long a WAV file plays, from the two chunks that say so; None for everything else.
fn wav_length(file: &[u8]) -> Option<Duration> {
    if file.get(..4)? != b"RIFF" || file.get(8..12)? != b"WAVE" {
        return None;
    }
    let word = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let (mut at, mut bytes_per_second) = (12, 0);
    loop {
        let (name, size) = (file.get(at..at + 4)?, word(at + 4)? as usize);
        match name {
            b"fmt " => bytes_per_second = u64::from(word(at + 16)?),
            // A file that is cut off plays as far as it goes.
            b"data" => return length(size.min(file.len() - (at + 8)) as u64, bytes_per_second),
            _ => {}
        }
        // Chunks begin at even places.
        at = at.checked_add(8)?.checked_add(size)?.checked_add(size % 2)?;
    }
}
