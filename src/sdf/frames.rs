//! The frames of one scope (a world or a model): who is placed relative to whom, and where everything is in the end.
//!
//! Walks chains with a loop, not by recursion, and remembers every answer, so that a chain of a hundred thousand frames is
//! only slow to write.

use std::collections::BTreeMap;

use nalgebra::Isometry3;

use super::element::Result;
use super::error::{Place, Problem, SdfError, excerpt};
use super::pose::{RawPose, compose};

pub struct Frames {
    /// How files call the frame of the scope itself.
    scope_name: &'static str,
    entries: BTreeMap<String, Entry>,
}

struct Entry {
    raw: RawPose,
    place: Place,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Open,
    /// In the scope's frame.
    Known(Isometry3<f64>),
    /// Leads to an unknown frame or into a circle. Remembered, so that a second question costs nothing.
    Broken,
}

impl Frames {
    pub fn of_world() -> Self {
        Self { scope_name: "world", entries: BTreeMap::new() }
    }

    pub fn of_model() -> Self {
        Self { scope_name: "__model__", entries: BTreeMap::new() }
    }

    /// Enters a frame. A name that is used twice is an error here, because `relative_to` could mean both.
    pub fn add(&mut self, kind: &'static str, name: &str, raw: RawPose, place: Place) -> Result<()> {
        if let Some(earlier) = self.entries.get(name) {
            let first = earlier.place.clone();
            return Err(SdfError { place, problem: Problem::Duplicate { kind, name: excerpt(name), first } });
        }
        self.entries.insert(name.to_owned(), Entry { raw, place, state: State::Open });
        Ok(())
    }

    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Where a named frame is in the scope's frame. `asker` is where the name is written.
    pub fn resolve(&mut self, name: &str, asker: &Place) -> Result<Isometry3<f64>> {
        let mut chain: Vec<String> = Vec::new();
        let outcome = self.climb(name, asker, &mut chain);
        let mut known = outcome.as_ref().ok().copied();
        for name in chain.iter().rev() {
            let entry = self.entries.get_mut(name).expect("every name of the chain was found while climbing");
            known = known.map(|base| compose(&base, &entry.raw.pose));
            entry.state = known.map_or(State::Broken, State::Known);
        }
        outcome.map(|base| known.unwrap_or(base))
    }

    /// Follows `relative_to` up to the scope or to something known; that is the answer. Passed frames go to the chain.
    fn climb(&self, name: &str, asker: &Place, chain: &mut Vec<String>) -> Result<Isometry3<f64>> {
        let mut current = name.to_owned();
        let mut asked_at = asker.clone();
        loop {
            let fail = |problem| Err(SdfError { place: asked_at.clone(), problem });
            let Some(entry) = self.entries.get(&current) else {
                if current == self.scope_name {
                    return Ok(Isometry3::identity());
                }
                return fail(Problem::UnknownFrame(excerpt(&current)));
            };
            match entry.state {
                State::Known(known) => return Ok(known),
                State::Broken => return fail(Problem::UnknownFrame(excerpt(&current))),
                // A chain without a circle visits every frame at most once.
                State::Open if chain.len() >= self.entries.len() => {
                    return fail(Problem::FrameLoop(excerpt(&current)));
                }
                State::Open => {}
            }
            let next = entry.raw.relative_to.clone();
            asked_at = entry.place.clone();
            chain.push(current);
            match next {
                Some(next) => current = next,
                None => return Ok(Isometry3::identity()),
            }
        }
    }

    /// Every frame that can be resolved, in the scope's frame.
    pub fn resolved(&mut self) -> Vec<(String, Isometry3<f64>)> {
        let names: Vec<(String, Place)> = self.entries.iter().map(|(n, e)| (n.clone(), e.place.clone())).collect();
        names.into_iter().filter_map(|(name, place)| Some((name.clone(), self.resolve(&name, &place).ok()?))).collect()
    }
}
