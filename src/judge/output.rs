//! What a program prints, as lines that are short enough and not too many.

use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt};

/// In Unicode scalar values.
pub const MAX_LINE_CHARS: usize = 4096;
/// No character of UTF-8 has more bytes than four.
const MAX_LINE_BYTES: usize = 4 * MAX_LINE_CHARS;
const MAX_LINES_PER_WINDOW: u32 = 1000;
const WINDOW: Duration = Duration::from_secs(1);

/// One line, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// It was longer.
    pub truncated: bool,
}

impl Line {
    /// Cut to what is allowed; what is not UTF-8 is replaced.
    pub fn of(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        match text.char_indices().nth(MAX_LINE_CHARS) {
            Some((end, _)) => Self { text: text[..end].to_owned(), truncated: true },
            None => Self { text: text.into_owned(), truncated: false },
        }
    }
}

/// Lets a thousand lines through in a second and counts the others.
#[derive(Debug)]
pub struct Gate {
    window_began: Instant,
    passed: u32,
    dropped: u64,
}

impl Gate {
    pub fn new(now: Instant) -> Self {
        Self { window_began: now, passed: 0, dropped: 0 }
    }

    /// What is to be shown now that this line has come: nothing, the line, or a word about lost ones and the line.
    pub fn pass(&mut self, line: Line, now: Instant) -> impl Iterator<Item = Line> + use<> {
        let lost = if now.saturating_duration_since(self.window_began) >= WINDOW {
            self.window_began = now;
            self.passed = 0;
            self.lost()
        } else {
            None
        };
        self.passed += 1;
        let shown = self.passed <= MAX_LINES_PER_WINDOW;
        self.dropped += u64::from(!shown);
        lost.into_iter().chain(shown.then_some(line))
    }

    /// The word about lines that were lost since the last one, if there are any.
    pub fn lost(&mut self) -> Option<Line> {
        let lost = std::mem::take(&mut self.dropped);
        (lost > 0).then(|| Line { text: format!("... ({lost} lines dropped)"), truncated: false })
    }
}

/// Cuts a stream of bytes into lines without ever holding more than one of them.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    chunk: Vec<u8>,
    used: usize,
    line: Vec<u8>,
    limit: usize,
}

/// A line as it came, up to the limit.
#[derive(Debug, PartialEq, Eq)]
pub struct RawLine {
    pub bytes: Vec<u8>,
    /// It was longer, and the rest was passed over.
    pub cut: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub fn new(source: R) -> Self {
        Self::with_limit(source, MAX_LINE_BYTES + 1)
    }

    /// With lines of up to so many bytes.
    pub fn with_limit(source: R, limit: usize) -> Self {
        Self { source, chunk: Vec::with_capacity(16 * 1024), used: 0, line: Vec::new(), limit }
    }

    /// None at the end of the stream, however it ends. Safe to be given up and asked again.
    pub async fn next(&mut self) -> Option<RawLine> {
        loop {
            let rest = &self.chunk[self.used..];
            let end = rest.iter().position(|byte| *byte == b'\n');
            let part = &rest[..end.unwrap_or(rest.len())];
            // One byte more than allowed is kept, as the sign that there were more.
            let room = (self.limit + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.used += part.len() + usize::from(end.is_some());
            if end.is_some() {
                return Some(self.take());
            }
            self.chunk.clear();
            self.used = 0;
            match self.source.read_buf(&mut self.chunk).await {
                Ok(count) if count > 0 => {}
                _ => return (!self.line.is_empty()).then(|| self.take()),
            }
        }
    }

    fn take(&mut self) -> RawLine {
        let mut bytes = std::mem::take(&mut self.line);
        let cut = bytes.len() > self.limit;
        bytes.truncate(self.limit);
        RawLine { bytes, cut }
    }
}
