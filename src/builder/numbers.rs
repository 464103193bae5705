//! Numbers as text, the same text on every machine.

/// With at most `decimals` digits after the point and without superfluous zeros; never `-0`.
pub fn fixed(value: f64, decimals: usize) -> String {
    let mut text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// Several, separated by spaces.
pub fn list(values: &[f64], decimals: usize) -> String {
    values.iter().map(|value| fixed(*value, decimals)).collect::<Vec<_>>().join(" ")
}

/// To `decimals` digits; for values that are written as binary.
pub fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    // Adding 0 turns -0 into 0.
    (value * scale).round() / scale + 0.0
}
