//! Names that people read, from people nobody checked.

use super::bundle_path::is_direction_mark;

/// Longer names break every table they are shown in.
pub const MAX_CHARS: usize = 120;

/// A name from somebody who can choose another one: refused where [`clean`] would cut it or leave nothing.
pub fn given(raw: &str) -> Option<String> {
    clean(raw).filter(|_| raw.trim().chars().count() <= MAX_CHARS)
}

/// The name without what could disturb a page or a terminal; None when nothing is left of it.
pub fn clean(raw: &str) -> Option<String> {
    let visible = raw.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let kept: String = visible.filter(|c| !c.is_control() && !is_direction_mark(*c)).take(MAX_CHARS).collect();
    let kept = kept.trim();
    (!kept.is_empty()).then(|| kept.to_owned())
}
