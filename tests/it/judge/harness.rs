//! The Python around a judging script, with a simulator of a few lines.

use std::path::Path;
use std::process::Command;

use sim_api::judge::harness::FILES;

#[test]
fn the_harness_says_and_does_what_its_contract_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let check = root.join("tests/fixtures/judge/check_harness.py");
    let harness = root.join("src/judge/harness");
    let outcome = Command::new("python3").arg("-B").arg(check).arg(harness).output().expect("python3 is installed");
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
}

#[test]
fn every_file_of_the_harness_is_part_of_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/judge/harness");
    let files = std::fs::read_dir(folder).expect("the harness").flatten();
    let mut files: Vec<_> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    files.retain(|name| name.ends_with(".py"));
    files.sort_unstable();
    assert_eq!(files, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
