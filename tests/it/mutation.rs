//! A small seeded mutator: damages good files in the ways that files get damaged, and in the ways that attackers try.

/// A linear congruential generator; the same seed gives the same damage on every machine.
pub struct Mutator {
    state: u64,
}

/// Words that have broken readers before.
const NASTY: &[&str] = &[
    "NaN",
    "inf",
    "-1",
    "1e999",
    "-1e308",
    "0",
    "4294967295",
    "99999999999999999999",
    "",
    "&amp;",
    "<a>",
    "</a>",
    "<!--",
    "]]>",
    "\"",
    "..",
    "#",
    "/",
    "\u{0}",
    "\u{feff}",
    "1e-40",
    "2147483648",
    "::",
    "__model__",
    "world",
];

impl Mutator {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % limit.max(1)
    }

    /// One to four changes.
    pub fn damage(&mut self, original: &[u8]) -> Vec<u8> {
        let mut bytes = original.to_vec();
        for _ in 0..=self.below(4) {
            self.change(&mut bytes);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        if bytes.is_empty() {
            return;
        }
        match self.below(8) {
            0 => bytes[at] ^= 1 << self.below(8),
            1 => bytes.truncate(at),
            2 => bytes[at] = self.below(256) as u8,
            3 => {
                let (start, end) = word_at(bytes, at);
                let word = NASTY[self.below(NASTY.len())];
                bytes.splice(start..end, word.bytes());
            }
            4 => {
                // Swaps two words.
                let (first, second) = (word_at(bytes, at), word_at(bytes, self.below(bytes.len())));
                let (low, high) = if first.0 <= second.0 { (first, second) } else { (second, first) };
                if low.1 <= high.0 {
                    let (a, b) = (bytes[low.0..low.1].to_vec(), bytes[high.0..high.1].to_vec());
                    bytes.splice(high.0..high.1, a);
                    bytes.splice(low.0..low.1, b);
                }
            }
            5 => {
                // Repeats a stretch.
                let end = (at + self.below(200)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = self.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            6 => {
                let end = (at + self.below(60)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let word = NASTY[self.below(NASTY.len())];
                bytes.splice(at..at, word.bytes());
            }
        }
    }
}

/// What stands between two separators around a place.
fn word_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_separator = |byte: &u8| b" \n\t<>\"=/#".contains(byte);
    let start = bytes[..at].iter().rposition(is_separator).map_or(0, |found| found + 1);
    let end = bytes[at..].iter().position(is_separator).map_or(bytes.len(), |found| at + found);
    (start, end.max(start))
}

/// How many damaged copies of each file a test run reads; more with `MUTATIONS=...` for a long search.
pub fn rounds(otherwise: u64) -> u64 {
    std::env::var("MUTATIONS").ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}
