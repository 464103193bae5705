//! Epochs: counted cuts in the story of a world. Sensor data of an older epoch is to be discarded.

/// Grows on every reset, respawn, switch and simulator restart; 0 means "none yet" and, in a request, "any".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Epoch(pub u64);

/// Why an epoch began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EpochCause {
    Reset,
    Respawn,
    Switch,
    Restart,
}

impl EpochCause {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Respawn => "respawn",
            Self::Switch => "switch",
            Self::Restart => "restart",
        }
    }

    /// The cause of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Reset, Self::Respawn, Self::Switch, Self::Restart].into_iter().find(|cause| cause.as_str() == name)
    }
}
