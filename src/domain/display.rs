//! What belongs to the display: how bright the scene is shown, and the text over it.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The factor on the colours of camera and page; 1 leaves them as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brightness(f64);

impl Brightness {
    pub const RANGE: RangeInclusive<f64> = 0.2..=2.0;

    /// None outside of the range.
    pub fn new(factor: f64) -> Option<Self> {
        Self::RANGE.contains(&factor).then_some(Self(factor))
    }

    pub fn factor(self) -> f64 {
        self.0
    }
}

impl Default for Brightness {
    fn default() -> Self {
        Self(1.0)
    }
}

/// A text to be shown for a while.
#[derive(Debug, Clone, PartialEq)]
pub struct Caption {
    pub text: String,
    /// Wall time.
    pub ttl: Duration,
    /// Factor on the size of the letters.
    pub size: f64,
}

impl Caption {
    /// In Unicode scalar values.
    pub const MAX_CHARS: usize = 300;
    pub const TTL_RANGE_S: RangeInclusive<f64> = 1.0..=3600.0;
    pub const SIZE_RANGE: RangeInclusive<f64> = 0.5..=4.0;
}

impl Default for Caption {
    fn default() -> Self {
        Self { text: String::new(), ttl: Duration::from_secs(10), size: 1.0 }
    }
}

/// The caption that is shown. An empty text shows nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlay {
    pub caption: Caption,
    /// Raised by every new caption, also by one that says the same.
    pub seq: u64,
    /// When it disappears; None when nothing is shown.
    pub until: Option<Instant>,
}

impl Overlay {
    /// Zero when nothing is shown.
    pub fn left(&self, now: Instant) -> Duration {
        self.until.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}
