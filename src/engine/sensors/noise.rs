//! Noise by number: the same (seed, sensor, sample, index) always gives the same value, in any order and on any machine.
//!
//! A counter is scrambled instead of a state being advanced, so that a sample can be skipped without changing the next one.

use std::f64::consts::TAU;

/// The fraction of the golden ratio, which spreads consecutive counters over all bits.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// 2^-53: one unit of a double between 0 and 1.
const ULP: f64 = 1.0 / (1u64 << 53) as f64;

/// Which sensor the noise is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    Lidar = 1,
    Imu = 2,
}

/// The noise of one sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noise {
    key: u64,
}

impl Noise {
    pub(super) fn new(seed: u64, source: Source, sample: u64) -> Self {
        let key = [source as u64, sample].into_iter().fold(scramble(seed), |key, part| scramble(key ^ part));
        Self { key }
    }

    /// Two independent values of mean 0 and deviation 1 (Box and Muller).
    pub(super) fn pair(&self, index: u64) -> [f64; 2] {
        // From above 0 to 1 inclusive, because of the logarithm.
        let first = (self.bits(2 * index) + 1) as f64 * ULP;
        let second = self.bits(2 * index + 1) as f64 * ULP;
        let radius = (-2.0 * libm::log(first)).sqrt();
        let (sin, cos) = libm::sincos(TAU * second);
        [radius * cos, radius * sin]
    }

    /// 53 random bits.
    fn bits(&self, counter: u64) -> u64 {
        scramble(self.key.wrapping_add(counter.wrapping_mul(GOLDEN))) >> 11
    }
}

/// Every bit of the result depends on every bit of the input; one to one.
fn scramble(value: u64) -> u64 {
    let mut x = value.wrapping_add(GOLDEN);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
