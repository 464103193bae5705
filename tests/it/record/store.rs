//! The records of a data folder: written as a whole, listed, ranked.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use sim_api::domain::{Command, DriveTarget, ModelName, Outcome, PoseChange, WorldName};
use sim_api::record::clock::Utc;
use sim_api::record::{CommandEntry, Document, Event, LogLine, RecordedCommand, Store};

use super::{files, open};
use crate::support::folder::TempFolder;

fn ended(session_id: &str, world: &str, outcome: Outcome, record: Value) -> Document {
    let mut document = open(session_id, world).ended(outcome, "because");
    document.head.record = record;
    document
}

#[test]
fn a_document_reads_as_it_was_written() {
    let data = TempFolder::new();
    let store = Store::open(data.path());
    let mut document = ended("a", "oval", Outcome::Finished, json!({"laps": [1.5, null]}));
    let about = json!({"phase": "running"}).as_object().cloned().unwrap_or_default();
    document.head.events.push(Event { t: 0.5, kind: "phase".into(), about });
    document.log.push(LogLine { t: 1.0, stream: "script".into(), line: "ä\u{0}".into() });
    document.trajectory.rows.push([0.0, 1.0, 2.0, 3.0, 4.0]);
    let entity = ModelName::parse("box1").expect("a name");
    let change = PoseChange { x: Some(1.0), ..PoseChange::default() };
    let commands = [
        Command::SetPose { entity: entity.clone(), change },
        Command::MoveOver { entity: entity.clone(), change, duration_s: 2.0 },
        Command::FollowPath { entity, path: vec![[0.0, 1.0]], speed_m_s: 0.5, looped: true },
        Command::Reset,
        Command::LoadWorld { world: WorldName::parse("oval").expect("a name"), seed: 3 },
        Command::Drive(DriveTarget { speed_m_s: 1.0, ..DriveTarget::default() }),
        Command::SetPaused(true),
        Command::SetRealTimeFactor(0.0),
    ];
    for (step, command) in commands.iter().enumerate() {
        let recorded = RecordedCommand::of(command).expect("it can be recorded");
        assert_eq!(recorded.to_command().as_ref(), Some(command));
        document.commands.push(CommandEntry { step: step as u64, revision: 7, epoch: 1, command: recorded });
    }
    store.keep(&document).expect("a writable folder");
    assert_eq!(store.document("a").expect("readable"), Some(document.clone()));
    assert_eq!(store.head("a").expect("readable"), Some(document.head.clone()));
    let again = Store::open(data.path());
    assert_eq!(again.document("a").expect("readable"), Some(document));
}

#[test]
fn a_session_that_was_interrupted_is_stopped() {
    let data = TempFolder::new();
    Store::open(data.path()).begin(&open("b", "oval")).expect("a writable folder");
    let store = Store::open(data.path());
    let head = store.head("b").expect("readable").expect("there is a record");
    assert_eq!((head.outcome.as_str(), head.reason.as_deref()), ("stopped", Some("the simulator was restarted")));
    assert_eq!((head.seed, head.command.as_deref()), (7, Some("python3 drive.py")));
    assert_eq!(files(data.path()), ["b.json"]);
    assert_eq!(Store::open(data.path()).list(None).len(), 1, "it is closed once");
}

#[test]
fn a_session_that_was_interrupted_after_its_record_keeps_it() {
    let data = TempFolder::new();
    let store = Store::open(data.path());
    store.keep(&ended("c", "oval", Outcome::Finished, json!(12.5))).expect("a writable folder");
    store.begin(&open("c", "oval")).expect("a writable folder");
    let store = Store::open(data.path());
    assert_eq!(store.head("c").expect("readable").expect("there is a record").outcome, "finished");
    assert_eq!(files(data.path()), ["c.json"]);
}

#[test]
fn what_is_no_record_is_passed_over() {
    let data = TempFolder::new();
    fs::create_dir(data.path().join("records")).expect("a fresh folder");
    for (name, text) in
        [("x.json", "{"), ("open_session", "garbage"), ("y.txt", ""), ("z.json", "{\"session_id\": \"q\"}")]
    {
        fs::write(data.path().join("records").join(name), text).expect("a writable folder");
    }
    let store = Store::open(data.path());
    assert!(store.list(None).is_empty());
    assert_eq!(store.newest(), None);
    assert_eq!(store.bytes("../records/x").expect("readable"), None, "only sessions have names");
}

#[test]
fn the_list_is_newest_first_and_the_best_of_each_world_is_marked() {
    let data = TempFolder::new();
    let store = Store::open(data.path());
    let runs = [
        ("1", "oval", Outcome::Finished, json!(20.0)),
        ("2", "oval", Outcome::Timeout, json!(1.0)),
        ("3", "oval", Outcome::Finished, json!(15.5)),
        ("4", "city", Outcome::Finished, json!(99)),
        ("5", "oval", Outcome::Finished, json!(15.5)),
        ("6", "oval", Outcome::Finished, json!("fast")),
        ("7", "oval", Outcome::ScriptError, json!(0.5)),
    ];
    for (id, world, outcome, record) in runs {
        store.keep(&ended(id, world, outcome, record)).expect("a writable folder");
    }
    let ids =
        |world| store.list(world).into_iter().map(|listed| (listed.entry.session_id, listed.best)).collect::<Vec<_>>();
    let marked = |id: &str, best| (id.to_owned(), best);
    assert_eq!(
        ids(Some("oval")),
        [("7", false), ("6", false), ("5", false), ("3", true), ("2", false), ("1", false)]
            .map(|(id, best)| marked(id, best))
    );
    assert_eq!(ids(Some("city")), [marked("4", true)]);
    assert_eq!(ids(None).len(), 7);
    assert_eq!(ids(Some("nowhere")), []);
    assert_eq!(store.newest().as_deref(), Some("7"));
}

#[test]
fn higher_is_better_where_the_world_says_so() {
    let data = TempFolder::new();
    let store = Store::open(data.path());
    for (id, record) in [("1", 5.0), ("2", 9.0), ("3", 7.0)] {
        let mut document = ended(id, "points", Outcome::Finished, json!(record));
        document.head.better = "higher".into();
        store.keep(&document).expect("a writable folder");
    }
    let best: Vec<_> =
        store.list(None).into_iter().filter(|listed| listed.best).map(|listed| listed.entry.session_id).collect();
    assert_eq!(best, ["2"]);
}

#[test]
fn the_oldest_tapes_make_room_and_every_record_stays() {
    let data = TempFolder::new();
    let store = Store::open(data.path());
    for id in ["1", "2", "3", "4"] {
        let mut document = ended(id, "oval", Outcome::Finished, json!(1.0));
        document.head.mcap = true;
        store.keep(&document).expect("a writable folder");
        fs::write(sim_api::record::tape_path(data.path(), id), [0; 100]).expect("own folder");
    }
    fs::write(data.path().join("records/teacher.mcap"), [0; 1000]).expect("own folder");
    assert_eq!(store.make_room(400).expect("a writable folder"), Vec::<String>::new(), "it is just enough");
    assert_eq!(store.make_room(250).expect("a writable folder"), ["1", "2"]);
    assert_eq!(files(data.path()), ["1.json", "2.json", "3.json", "3.mcap", "4.json", "4.mcap", "teacher.mcap"]);
    let taped = |store: &Store| -> Vec<bool> { store.list(None).iter().map(|listed| listed.entry.mcap).collect() };
    assert_eq!(taped(&store), [true, true, false, false], "newest first");
    assert_eq!(taped(&Store::open(data.path())), [true, true, false, false], "after a restart too");
    assert!(store.tape("1").expect("a folder").is_none() && store.tape("3").expect("a folder").is_some());
    assert_eq!(store.make_room(0).expect("a writable folder"), ["3"], "the newest stays in any case");
}

#[test]
fn dates_are_those_of_the_calendar() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199, "2024-02-29T23:59:59.000Z"),
        (4_102_444_800, "2100-01-01T00:00:00.000Z"),
    ] {
        assert_eq!(Utc::of(UNIX_EPOCH + Duration::from_secs(seconds)).text(), text);
    }
    assert_eq!(Utc::of(UNIX_EPOCH + Duration::from_millis(1_794_721_547_123)).name(), "20261115-054547-123");
}
