//! A tape is whole or absent, never larger than allowed, and nobody waits for it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use sim_api::domain::{EvaluationSummary, Outcome, Phase, SimTime, Snapshot};
use sim_api::record::recorder::Item;
use sim_api::record::{Recorder, Speaker, Store};
use sim_api::ros::msg::rcl_interfaces::Log;
use sim_api::ros::msg::sim_api_msgs::EvaluationStatus;

use super::{files, open};
use crate::support::folder::TempFolder;
use crate::support::mcap::read;

fn line(text: &str) -> Item {
    Item::Line { time: SimTime::ZERO, speaker: Speaker::Student, line: text.into() }
}

fn verdict() -> Item {
    let status = EvaluationSummary { phase: Phase::Ended, outcome: Some(Outcome::Finished), ..Default::default() };
    Item::Status { time: SimTime::ZERO, status }
}

/// A session that has begun, with its tape.
fn begun(data: &Path, limit_bytes: u64) -> (Store, Recorder) {
    let store = Store::open(data);
    store.begin(&open("s", "oval")).expect("a writable folder");
    let recorder = store.recorder(&open("s", "oval"), limit_bytes).expect("a writable folder");
    (store, recorder)
}

#[test]
fn a_finished_tape_lies_beside_its_record() {
    let data = TempFolder::new();
    let (store, mut recorder) = begun(data.path(), 1 << 20);
    recorder.put(Item::State(Arc::new(Snapshot::default())));
    recorder.put(line("hello"));
    assert!(!files(data.path()).contains(&"s.mcap".to_owned()), "it has no name while it is written");
    assert_eq!(store.keep_tape("s", recorder).expect("a writable folder"), 0);
    let mut document = open("s", "oval").ended(Outcome::Finished, "");
    document.head.mcap = true;
    store.keep(&document).expect("a writable folder");
    assert_eq!(files(data.path()), ["s.json", "s.mcap"]);
    assert!(store.list(None)[0].entry.mcap);
    let (_, bytes) = store.tape("s").expect("readable").expect("there is one");
    let content = fs::read(data.path().join("records/s.mcap")).expect("readable");
    assert_eq!(bytes, content.len() as u64);
    assert_eq!(read::<Log>(&content, "/rosout")[0].1.msg, "hello");
    for unknown in ["t", "../records/s", "s.mcap", ""] {
        assert!(store.tape(unknown).expect("readable").is_none(), "{unknown:?} is no session");
    }
}

#[test]
fn an_unfinished_tape_is_removed() {
    let data = TempFolder::new();
    let (_, recorder) = begun(data.path(), 1 << 20);
    assert_eq!(files(data.path()).len(), 2);
    drop(recorder);
    assert_eq!(files(data.path()), ["open_session"]);
}

#[test]
fn what_a_killed_node_leaves_is_removed_by_the_next_start() {
    let data = TempFolder::new();
    let (_, recorder) = begun(data.path(), 1 << 20);
    fs::write(data.path().join("records/.draft-1-2-3"), "half").expect("a writable folder");
    // Nothing of it ends properly when a process is killed.
    std::mem::forget(recorder);
    let store = Store::open(data.path());
    assert_eq!(files(data.path()), ["s.json"]);
    assert!(!store.list(None)[0].entry.mcap);
    assert!(store.tape("s").expect("readable").is_none());
}

#[test]
fn a_full_tape_takes_only_the_verdict() {
    let data = TempFolder::new();
    let limit = 100_000;
    let (store, mut recorder) = begun(data.path(), limit);
    // Ten times as much, but less than the queue takes at once.
    for _ in 0..1000 {
        recorder.put(line(&"x".repeat(1000)));
    }
    recorder.put(verdict());
    assert_eq!(store.keep_tape("s", recorder).expect("a writable folder"), 0);
    let content = fs::read(data.path().join("records/s.mcap")).expect("readable");
    assert!(content.len() as u64 <= limit + 10_000, "{} bytes", content.len());
    let lines = read::<Log>(&content, "/rosout");
    assert!(lines.last().is_some_and(|(_, log)| log.msg.contains("the recording is full")), "{}", lines.len());
    let statuses = read::<EvaluationStatus>(&content, "/sim/evaluation");
    assert_eq!(statuses.last().map(|(_, status)| status.outcome.as_str()), Some("finished"));
}
