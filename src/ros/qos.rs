//! Quality of service, as far as we make a difference.

/// How samples travel. The library's defaults are best effort with depth 1, so every end states its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Qos {
    /// Lost samples are sent again.
    pub reliable: bool,
    /// A late joiner receives the last `depth` samples.
    pub latched: bool,
    /// How many samples are kept.
    pub depth: u16,
}

impl Qos {
    /// For what is replaced many times a second.
    pub const fn best_effort(depth: u16) -> Self {
        Self { reliable: false, latched: false, depth }
    }

    /// For commands and for sensors that students read.
    pub const fn reliable(depth: u16) -> Self {
        Self { reliable: true, latched: false, depth }
    }

    /// For state that a late joiner needs.
    pub const LATCHED: Self = Self { reliable: true, latched: true, depth: 1 };

    /// Both directions of a service. The depth lets a burst of concurrent callers through: a request that is overwritten in
    /// the reader's queue before the server looks at it would be lost without a trace.
    pub const SERVICE: Self = Self::reliable(64);
}
