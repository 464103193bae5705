//! The judging script that the builder puts into a world, driven by a simulator of a few lines.

use std::process::Command;

use super::{OFFICIAL, worlds_dir};

#[test]
fn the_lap_time_script_judges_as_it_says() {
    let check = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/builder/check_lap_time.py");
    for name in OFFICIAL {
        let bundle = worlds_dir().join(name);
        let outcome = Command::new("python3").args(["-B", check]).arg(&bundle).output().expect("python3 is installed");
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert!(outcome.status.success(), "{name}: {said}");
    }
}
