//! The command lines for a container engine; most machines of developers have none to try them on.

use std::ffi::OsString;
use std::path::Path;

use sim_api::judge::supervise::{Container, Engine, Limits};

fn line() -> Vec<String> {
    let env = [(OsString::from("NAME"), OsString::from("some value"))];
    let argv = ["harness", "an argument"].map(OsString::from);
    let container = Container {
        name: "12-3",
        files: Path::new("/data folder/judge/12-3"),
        data: Path::new("/data folder"),
        limits: Limits { memory_bytes: 1000, processes: 20, file_bytes: 300, folder_bytes: 4000 },
        env: &env,
        argv: &argv,
    };
    let line = Engine { program: "podman" }.run(&container);
    line.into_iter().map(|part| part.into_string().expect("plain text")).collect()
}

#[test]
fn a_container_is_fresh_limited_and_removed() {
    let line = line();
    assert_eq!(line[..4], ["podman", "run", "--rm", "--interactive"]);
    for option in [
        "--name=sim_api-12-3",
        "--label=sim_api.data=/data folder",
        "--memory=1000",
        "--memory-swap=1000",
        "--pids-limit=20",
        "--ulimit=fsize=300",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--tmpfs=/tmp:rw,exec,size=4000,mode=1777",
    ] {
        assert!(line.iter().any(|part| part == option), "{option} is not in {line:?}");
    }
    let image = line.iter().position(|part| part.ends_with("/python:3.14-slim")).expect("the image");
    assert!(!line[..image].iter().any(|part| part.starts_with("--network") || part == "--privileged"), "{line:?}");
}

#[test]
fn files_variables_and_arguments_pass_as_they_are() {
    let line = line();
    let after = |option: &str| {
        let at = line.iter().position(|part| part == option).expect("the option");
        line[at + 1].clone()
    };
    assert_eq!(after("--volume"), "/data folder/judge/12-3:/judge:ro");
    assert_eq!(after("--env"), "NAME=some value");
    assert_eq!(line[line.len() - 3..], ["judge", "harness", "an argument"], "behind the shell's script and its name");
    assert!(line[line.len() - 4].ends_with("exec python -u \"$@\""), "{line:?}");
}

#[test]
fn what_still_runs_at_the_end_is_removed_by_name() {
    let line = Engine { program: "docker" }.remove_for("12-3");
    assert_eq!(line, ["docker", "rm", "--force", "--volumes", "sim_api-12-3"]);
}
