//! What is seen where nothing is.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    Sky(Sky),
    Plain([u8; 3]),
}

/// A gradient over the elevation of the line of sight: `zenith` straight up, `horizon` level, and below it within a few
/// degrees `ground`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sky {
    pub zenith: [u8; 3],
    pub horizon: [u8; 3],
    pub ground: [u8; 3],
}

impl Sky {
    /// One over the sine of the angle below the horizon at which the ground colour is reached.
    pub const HAZE: f32 = 16.0;
}

impl Default for Sky {
    fn default() -> Self {
        Self { zenith: [86, 142, 214], horizon: [205, 222, 236], ground: [128, 134, 120] }
    }
}

impl Default for Background {
    fn default() -> Self {
        Self::Sky(Sky::default())
    }
}

/// Half the number of table entries; entry `HALF` is the horizon.
pub(super) const HALF: usize = 1024;

/// More entries than there are sines, so that a masked index is always inside.
pub(super) const ENTRIES: usize = 4 * HALF;

/// Packed colours by the sine of the elevation, made once per change.
#[derive(Debug)]
pub(super) struct SkyTable {
    background: Option<Background>,
    pub entries: Box<[u32; ENTRIES]>,
}

impl SkyTable {
    pub fn new() -> Self {
        Self { background: None, entries: Box::new([0; ENTRIES]) }
    }

    pub fn update(&mut self, background: Background) {
        if self.background == Some(background) {
            return;
        }
        self.background = Some(background);
        for (i, entry) in self.entries.iter_mut().enumerate() {
            let sine = (i as f32 - HALF as f32) / HALF as f32;
            *entry = pack(match background {
                Background::Plain(colour) => colour,
                Background::Sky(sky) if sine >= 0.0 => mix(sky.horizon, sky.zenith, 1.0 - (1.0 - sine) * (1.0 - sine)),
                Background::Sky(sky) => mix(sky.horizon, sky.ground, (-sine * Sky::HAZE).min(1.0)),
            });
        }
    }

    /// The colour of a picture with parallel rays, where there is no horizon to see.
    pub fn plain(&self) -> u32 {
        match self.background {
            Some(Background::Plain(colour)) => pack(colour),
            Some(Background::Sky(sky)) => pack(sky.ground),
            None => 0,
        }
    }
}

/// Red in the lowest byte.
pub(super) fn pack(c: [u8; 3]) -> u32 {
    u32::from_le_bytes([c[0], c[1], c[2], 0])
}

fn mix(a: [u8; 3], b: [u8; 3], t: f32) -> [u8; 3] {
    std::array::from_fn(|i| (f32::from(a[i]) + (f32::from(b[i]) - f32::from(a[i])) * t + 0.5) as u8)
}
