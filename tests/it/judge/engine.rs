//! Judging scripts in containers of a real engine, the one that `.ci/engine` makes: `make test` runs these wherever a container can
//! run, and says so where none can.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use super::commands::python_root;
use super::rig::Rig;
use crate::support::folder::TempFolder;
use crate::support::process::{is_alive, send};
use crate::support::wait::{poll_until, wait_for};

/// What every one of these is started with.
const CONTAINER: &[&str] = &["--evaluation-runtime=container", "--evaluation-judge-memory-mb=128"];

/// The folder of the engine's program.
fn programs() -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_sim")).ancestors().nth(2).expect("a target folder");
    let folder = target.join("engine/bin");
    let hint =
        "`make python && .ci/engine` makes it; where no container can run, leave these tests out, as `make test` does";
    assert!(folder.join("podman").is_file(), "there is no engine in {}: {hint}", folder.display());
    folder
}

fn podman(args: &[&str]) -> String {
    let output =
        Command::new(programs().join("podman")).args(args).stdin(Stdio::null()).output().expect("podman starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "podman {args:?}: {out}{err}");
    out.into_owned()
}

/// Containers of this simulator, whatever their state.
fn containers(data: &Path) -> Vec<String> {
    let filter = format!("--filter=label=sim_api.data={}", data.display());
    podman(&["ps", "--all", "--format={{.Names}}", &filter]).lines().map(str::to_owned).collect()
}

async fn start() -> (Rig, PathBuf) {
    let rig = Rig::start_beside(TempFolder::new(), CONTAINER, &[programs()]).await;
    let data = rig.sim.folder.path().join("data");
    (rig, data)
}

/// Looks around, and says what it has seen.
const TOURIST: &str = r#"
import os, pathlib, platform, socket

def tries(action):
    try:
        action()
        return True
    except OSError:
        return False

def initialize(sim):
    print("hello from inside")

def evaluate(sim):
    if sim.state.run.exit_code is None:
        return
    port = sim.config.port
    sim.record({
        "python": platform.python_version(),
        "folder": os.getcwd(),
        "files": sorted(os.listdir(".")) != [],
        "own": tries(lambda: pathlib.Path("note").write_text("x")),
        "system": tries(lambda: pathlib.Path("/usr/note").write_text("x")),
        "host": os.path.exists(sim.config.host),
        "network": tries(lambda: socket.create_connection(("127.0.0.1", port), 5).close()),
        "student": sim.state.run.exit_code,
    })
    sim.finish()
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_script_judges_in_a_fresh_container_that_is_gone_afterwards() {
    let (rig, data) = start().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let config =
        json!({"version": 1, "config": {"time_limit_s": 60, "port": port, "host": env!("CARGO_MANIFEST_DIR")}});
    rig.write_config(&config);
    for _ in 0..2 {
        let record = rig.judge(TOURIST, json!({"command": "exit 7"})).await;
        assert_eq!(record["outcome"], "finished", "{record} {}", rig.sim.log());
        let seen = &record["record"];
        let python = python_root().expect("a home").join("usr/bin/python3.14");
        assert!(
            python.is_file() && seen["python"].as_str().is_some_and(|version| version.starts_with("3.14.")),
            "{seen}"
        );
        assert_eq!(
            (&record["runtime"], &record["python"]),
            (&json!("container"), &seen["python"]),
            "the record says who judged"
        );
        assert_eq!((&seen["own"], &seen["network"]), (&json!(true), &json!(true)), "what it is promised: {seen}");
        assert_eq!((&seen["system"], &seen["host"]), (&json!(false), &json!(false)), "what it must not have: {seen}");
        assert_eq!((&seen["student"], &seen["folder"]), (&json!(7), &json!("/tmp/judge")), "{seen}");
        assert!(record["log"].to_string().contains("hello from inside"), "{}", record["log"]);
        assert_eq!(containers(&data), Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_scripts_end_as_anywhere_and_leave_no_container() {
    let (rig, data) = start().await;
    let cases = [
        ("def evaluate(sim):\n    while True:\n        pass\n", "evaluate did not return within 2 s"),
        ("def evaluate(sim):\n    hoard = [bytes([1]) * (1 << 20) for _ in range(10000)]\n", "MemoryError"),
        ("import subprocess\ndef evaluate(sim):\n    [subprocess.Popen(['sleep', '1000']) for _ in range(200)]\n", ""),
        (
            "def evaluate(sim):\n    [open('/tmp/big', 'ab').write(bytes(1 << 20)) for _ in range(100)]\n",
            "No space left",
        ),
        ("import os\ndef evaluate(sim):\n    os._exit(3)\n", "ended with code 3"),
        ("import os\ndef evaluate(sim):\n    os.kill(os.getppid() or os.getpid(), 9); os.abort()\n", "signal"),
    ];
    for (script, reason) in cases {
        let record = rig.judge(script, json!({})).await;
        assert_eq!(record["outcome"], "script_error", "{script}: {record}");
        assert!(record["reason"].as_str().is_some_and(|text| text.contains(reason)), "{reason}: {}", record["reason"]);
        assert_eq!(containers(&data), Vec::<String>::new(), "{script}");
    }
    let record = rig.judge("def evaluate(sim):\n    sim.finish()\n", json!({})).await;
    assert_eq!(record["outcome"], "finished", "the next one starts cleanly: {record}");
}

const FOREVER: &str = "import time\ndef evaluate(sim):\n    time.sleep(0.01)\n";

/// A session that has come as far as `evaluate`, in its container.
async fn begin_forever(rig: &Rig, data: &Path) {
    rig.write_script(FOREVER);
    rig.begin(json!({"command": "sleep 1000", "time_limit_s": 600})).await;
    rig.wait_for_phase("running").await;
    assert_eq!(containers(data).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_goes_with_its_session_its_node_and_its_simulator() {
    let folder = TempFolder::new();
    let data = folder.path().join("data");
    // Left by a program that was killed together with everything that could have removed it.
    let label = format!("--label=sim_api.data={}", data.display());
    podman(&["create", "--name=sim_api-4194303-0", &label, "docker.io/library/python:3.14-slim", "sleep", "1000"]);
    let rig = Rig::start_beside(folder, CONTAINER, &[programs()]).await;
    begin_forever(&rig, &data).await;
    assert_ne!(containers(&data), ["sim_api-4194303-0"], "what was left is removed at the start");
    assert_eq!(rig.post("evaluation/stop", json!({})).await.status, 200);
    assert_eq!(containers(&data), Vec::<String>::new(), "it is gone when the stop is answered");
    assert_eq!(rig.get("evaluation/record").await["outcome"], "stopped");

    begin_forever(&rig, &data).await;
    let node = rig.sim.child_named("sim_api_node");
    send(node, Signal::KILL);
    poll_until("the node's end", || (!is_alive(node)).then_some(()));
    poll_until("the end of its container", || containers(&data).is_empty().then_some(()));
    rig.wait_until_running().await;
    let record = wait_for("the record", async || {
        let record = rig.get("evaluation/record").await;
        (record["outcome"] != Value::Null).then_some(record)
    })
    .await;
    assert_eq!(record["reason"], "the simulator was restarted");

    begin_forever(&rig, &data).await;
    rig.sim.send(Signal::KILL);
    poll_until("the end of its container", || containers(&data).is_empty().then_some(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_works_is_what_auto_takes() {
    let rig = Rig::start_beside(TempFolder::new(), &[], &[programs()]).await;
    let record = rig.judge("def evaluate(sim):\n    sim.finish()\n", json!({})).await;
    assert_eq!((&record["outcome"], &record["runtime"]), (&json!("finished"), &json!("container")), "{record}");
}
