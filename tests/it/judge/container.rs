//! What a container engine is told, and what is said where there is none or it does not work. `engine` has a real one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::json;
use sim_api::judge::supervise::{Container, Engine, Limits};

use super::rig::Rig;
use crate::support::folder::TempFolder;

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
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        "--read-only",
        "--read-only-tmpfs=false",
        "--log-driver=none",
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
    assert_eq!(after("--volume"), "/data folder/judge/12-3:/judge:ro,Z");
    assert_eq!(after("--env"), "NAME=some value");
    assert_eq!(line[line.len() - 3..], ["judge", "harness", "an argument"], "behind the shell's script and its name");
    assert!(line[line.len() - 4].ends_with("exec python -u \"$@\""), "{line:?}");
}

#[test]
fn what_still_runs_at_the_end_is_removed_by_name() {
    let line = Engine { program: "docker" }.remove_for("12-3");
    assert_eq!(line, ["docker", "rm", "--force", "--volumes", "sim_api-12-3"]);
}

#[test]
fn the_end_of_a_client_is_read_as_that_of_the_script() {
    let (engine, limits) = (Engine { program: "podman" }, Limits { memory_bytes: 128 << 20, ..Limits::JUDGE });
    assert_eq!(engine.read_exit(0, &limits), (0, None));
    assert_eq!(engine.read_exit(3, &limits), (3, None));
    assert_eq!(engine.read_exit(143, &limits), (-15, None));
    let (code, reason) = engine.read_exit(137, &limits);
    assert!(code == -9 && reason.is_some_and(|reason| reason.contains("128 MiB")));
    let (code, reason) = engine.read_exit(125, &limits);
    assert!(code == 125 && reason.is_some_and(|reason| reason.starts_with("podman could not run it")));
}

/// An engine that answers, but has nothing and cannot fetch anything.
fn poor_engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/poor_engine")
}

#[tokio::test]
async fn a_wish_for_containers_is_refused_with_what_to_do_where_there_are_none() {
    for (programs, expected) in [
        (vec![], "neither docker nor podman answers, and evaluation_runtime is `container`"),
        (vec![poor_engine()], "cannot be fetched (Error: no such host); with a network: podman pull docker.io/"),
    ] {
        let rig = Rig::start_beside(TempFolder::new(), &["--evaluation-runtime=container"], &programs).await;
        let answer = rig.post("evaluation/start", json!({})).await;
        let text = answer.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(answer.status >= 400 && text.contains(expected), "{} {text}", answer.status);
        assert!(rig.sim.log().contains(expected), "the log says it too: {}", rig.sim.log());
    }
}

#[tokio::test]
async fn an_engine_that_does_not_work_is_done_without_unless_it_is_asked_for() {
    let rig = Rig::start_beside(TempFolder::new(), &[], &[poor_engine()]).await;
    let record = rig.judge("def evaluate(sim):\n    sim.finish()\n", json!({})).await;
    assert_eq!(record["outcome"], "finished", "{record}");
    assert_ne!(record["runtime"], "container", "{record}");
}
