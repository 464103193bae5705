//! A hundred evaluations in a row: none leaves a process, an open file, a temporary folder or memory behind, or misses its record.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::judging::Rig;
use crate::support::switching::Usage;
use crate::support::wait::wait_for;

const SESSIONS: usize = 100;
/// The first ones fill caches and pools; what grows later grows for ever.
const WARM_UP: usize = 50;
/// What an allocator may keep more at one time than at another.
const SLACK_KB: u64 = 16 * 1024;

/// Ends soon, in the way that its turn says, and stores something.
const SCRIPT: &str = "seen = 0\n\ndef evaluate(sim):\n    global seen\n    seen += 1\n    \
    open(f'note{seen}', 'w').write('x' * 10000)\n    print('seen', seen)\n    \
    if seen == 5:\n        sim.record(seen)\n        sim.finish()\n";

/// Leaves what it can: a background process, and one that hides from its parent.
const STUDENT: &str = "echo hello; sleep 1000 & (setsid sleep 1000 &) ; exec sleep 1000";

/// Everything that could be left of a session.
#[derive(Debug, Clone, PartialEq)]
struct Traces {
    /// Processes that work in the simulator's folder, as every student does, and the node's children.
    processes: BTreeSet<u32>,
    temporary: BTreeSet<String>,
    data: BTreeSet<String>,
}

pub async fn run() {
    let rig = Rig::start(&[]).await;
    rig.write_script(SCRIPT);
    let node = rig.sim.child_named("sim_api_node");
    // One session first: folders that stay are made once.
    let mut took = vec![one(&rig, 0).await];
    let before = Traces::of(&rig, node);
    let mut half_way = Usage::of(node);
    for turn in 1..SESSIONS {
        took.push(one(&rig, turn).await);
        if turn == WARM_UP {
            half_way = Usage::of(node);
        }
    }
    let after = wait_for("the end of everything that sessions have started", async || {
        let traces = Traces::of(&rig, node);
        (traces.processes == before.processes).then_some(traces)
    })
    .await;
    assert_eq!(after, before, "sessions leave something behind");
    let usage = Usage::of(node);
    let (files, kb) = (half_way.files, half_way.resident_kb);
    println!("  sim_api_node: {files} -> {} files, {} -> {} MB", usage.files, kb / 1024, usage.resident_kb / 1024);
    assert!(usage.files <= files + 2, "the node keeps files open");
    assert!(usage.resident_kb <= kb + kb / 20 + SLACK_KB, "the node keeps memory");
    let records = rig.get("evaluation/records").await["records"].as_array().map(Vec::len);
    assert_eq!(records, Some(SESSIONS), "every session has a record");
    took.sort_unstable();
    println!("  {SESSIONS} sessions: median {:.0?}, slowest {:.0?}", took[SESSIONS / 2], took[SESSIONS - 1]);
}

/// One session; every third is stopped from outside.
async fn one(rig: &Rig, turn: usize) -> Duration {
    let began = Instant::now();
    let session = rig.begin(json!({"command": STUDENT})).await;
    let expected = if turn % 3 == 2 {
        rig.post("evaluation/stop", json!({})).await;
        "stopped"
    } else {
        "finished"
    };
    let record = rig.record_of(&session).await;
    assert_eq!((&record["outcome"], &record["mcap"]), (&json!(expected), &json!(true)), "session {turn}: {record}");
    began.elapsed()
}

impl Traces {
    fn of(rig: &Rig, node: u32) -> Self {
        let folder = rig.sim.folder.path();
        let not_of_sessions = |name: &String| !name.ends_with(".json") && !name.ends_with(".mcap");
        Self {
            processes: processes(folder, node),
            temporary: names(&std::env::temp_dir()).into_iter().filter(|name| name.contains("sim")).collect(),
            data: ["data", "data/records"]
                .iter()
                .flat_map(|name| names(&folder.join(name)))
                .filter(not_of_sessions)
                .collect(),
        }
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn processes(folder: &Path, node: u32) -> BTreeSet<u32> {
    let all = names(Path::new("/proc")).into_iter().filter_map(|name| name.parse::<u32>().ok());
    let works_there = |pid: &u32| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == folder);
    let is_child = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse::<u32>().ok());
        parent == Some(node)
    };
    all.filter(|pid| works_there(pid) || is_child(pid)).collect()
}
