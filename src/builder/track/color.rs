//! Colours as people write them: `"#rrggbb"`, sRGB.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Color(pub [u8; 3]);

impl Color {
    pub const WHITE: Self = Self([244, 244, 240]);

    /// Each part from 0 to 1.
    pub fn parts(self) -> [f64; 3] {
        self.0.map(|part| f64::from(part) / 255.0)
    }
}

impl Default for Color {
    fn default() -> Self {
        Self::WHITE
    }
}

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bad = || format!("{text:?} is no colour; write \"#rrggbb\", for example \"#f28c28\"");
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii()).ok_or_else(bad)?;
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| bad());
        Ok(Self([part(0)?, part(2)?, part(4)?]))
    }
}
