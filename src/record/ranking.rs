//! The list of records, and which of them is the best of its world.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::Head;
use crate::domain::Outcome;

/// One record in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub session_id: String,
    pub world: String,
    pub world_id: Option<String>,
    pub command: Option<String>,
    pub outcome: String,
    pub record: Value,
    pub better: String,
    pub reason: Option<String>,
    pub sim_time_s: f64,
    pub started_at: String,
    pub ended_at: String,
    #[serde(default)]
    pub mcap: bool,
}

/// An entry as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub entry: Entry,
    /// The best of its world.
    pub best: bool,
}

impl Entry {
    pub fn of(head: &Head) -> Self {
        Self {
            session_id: head.session_id.clone(),
            world: head.world.clone(),
            world_id: head.world_id.clone(),
            command: head.command.clone(),
            outcome: head.outcome.clone(),
            record: head.record.clone(),
            better: head.better.clone(),
            reason: head.reason.clone(),
            sim_time_s: head.sim_time_s,
            started_at: head.started_at.clone(),
            ended_at: head.ended_at.clone(),
            mcap: head.mcap,
        }
    }

    /// The number by which it is ranked: only that of a run that was finished.
    pub fn ranked(&self) -> Option<f64> {
        let finished = self.outcome == Outcome::Finished.as_str();
        self.record.as_f64().filter(|number| finished && number.is_finite())
    }
}

/// Newest first; of equally good ones the oldest is the best, because it was there first.
pub fn listed<'a>(oldest_first: impl DoubleEndedIterator<Item = &'a Entry> + Clone) -> Vec<Listed> {
    let mut best = BTreeMap::<&str, (&Entry, f64)>::new();
    for entry in oldest_first.clone() {
        let Some(number) = entry.ranked() else { continue };
        let is_better = best.get(entry.world.as_str()).is_none_or(|(_, known)| {
            // A world says once and for all which way is better; the newest word counts.
            if entry.better == "higher" { number > *known } else { number < *known }
        });
        if is_better {
            best.insert(&entry.world, (entry, number));
        }
    }
    let is_best = |entry: &Entry| best.get(entry.world.as_str()).is_some_and(|(found, _)| std::ptr::eq(*found, entry));
    oldest_first.rev().map(|entry| Listed { entry: entry.clone(), best: is_best(entry) }).collect()
}
