//! What a session leaves behind.

mod recorder;
mod store;
mod tape;

use std::fs;
use std::path::Path;

use sim_api::record::{Digests, OpenSession};

fn open(session_id: &str, world: &str) -> OpenSession {
    OpenSession {
        session_id: session_id.into(),
        world: world.into(),
        world_id: None,
        rev: None,
        robot: "vehicle".into(),
        command: Some("python3 drive.py".into()),
        better: "lower".into(),
        time_limit_s: 60.0,
        started_at: "2026-01-01T00:00:00.000Z".into(),
        seed: 7,
        lockstep: false,
        digests: Digests::default(),
    }
}

/// Names in the folder of the records.
fn files(data: &Path) -> Vec<String> {
    let files = fs::read_dir(data.join("records")).expect("the folder of the records").flatten();
    let mut names: Vec<_> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}
