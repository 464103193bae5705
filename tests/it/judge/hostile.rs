//! Scripts that misbehave: each ends as documented, for a reason that its author understands, and the next session is clean.

use serde_json::{Value, json};

use super::rig::Rig;

const GOOD: &str = "def evaluate(sim):\n    sim.record(1)\n    sim.finish()\n";

/// Script, outcome, and what the reason must say.
const CASES: &[(&str, &str, &str)] = &[
    ("import time\ndef evaluate(sim):\n    time.sleep(1000)\n", "script_error", "evaluate did not return within 2 s"),
    ("def evaluate(sim):\n    sum(range(10**13))\n", "script_error", "judged.py, line 2 in evaluate"),
    (
        "import os\ndef evaluate(sim):\n    os.closerange(3, 100)\n    import time; time.sleep(30)\n",
        "script_error",
        "channel",
    ),
    (
        "import os\ndef evaluate(sim):\n    for fd in range(3, 20):\n        try: os.write(fd, b'garbage\\n')\n        except OSError: pass\n",
        "script_error",
        "garbage",
    ),
    (
        "def initialize(sim):\n    raise ValueError('no car')\ndef evaluate(sim): pass\n",
        "script_error",
        "ValueError: no car (judged.py, line 2)",
    ),
    ("def evaluate(sim):\n    sim.record(float('nan'))\n", "script_error", "nan"),
    ("def evaluate(sim):\n    sim.record('x' * 70000)\n", "script_error", "at most 65536"),
    ("import sys\ndef evaluate(sim):\n    sys.exit(7)\n", "script_error", "exit(7)"),
    ("import os\ndef evaluate(sim):\n    os._exit(0)\n", "script_error", "ended before the run was over"),
    ("import os\ndef evaluate(sim):\n    os._exit(9)\n", "script_error", "ended with code 9"),
    (
        "import os, signal\ndef evaluate(sim):\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
        "script_error",
        "killed by signal 11",
    ),
    ("def evaluate(sim:\n", "script_error", "SyntaxError"),
    (
        "import os\ndef evaluate(sim):\n    for name in os.listdir('.'):\n        if name.endswith('.py'): os.remove(name)\n    missing()\n",
        "script_error",
        "NameError: name 'missing' is not defined (judged.py, line 5)",
    ),
    ("def evaluate(sim):\n    raise KeyboardInterrupt\n", "script_error", "KeyboardInterrupt"),
];

#[tokio::test]
async fn hostile_scripts_end_as_documented_and_the_next_session_is_clean() {
    let rig = Rig::start(&[]).await;
    for (script, outcome, reason) in CASES {
        let record = rig.judge(script, json!({})).await;
        assert_eq!(record["outcome"], *outcome, "{script}: {record}");
        let told = record["reason"].as_str().unwrap_or_default();
        assert!(told.contains(reason), "{script}: {told}");
        let next = rig.judge(GOOD, json!({})).await;
        assert_eq!((&next["outcome"], &next["record"]), (&json!("finished"), &json!(1)), "after {script}: {next}");
    }
}

fn lines(record: &Value) -> Vec<&str> {
    record["log"].as_array().expect("a log").iter().filter_map(|line| line["line"].as_str()).collect()
}

#[tokio::test]
async fn scripts_that_print_without_measure_are_cut_short() {
    let rig = Rig::start(&[]).await;
    let script = "import os, sys\ndef initialize(sim):\n    for number in range(200_000): print(number)\n    \
                  sys.stdout.buffer.write(b'\\xff\\xfe\\n')\n    os.write(2, b'\\xff raw\\n')\n    print('y' * 5000)\n\
                  def evaluate(sim):\n    sim.finish()\n";
    let record = rig.judge(script, json!({})).await;
    assert_eq!(record["outcome"], "finished", "{}", record["reason"]);
    let lines = lines(&record);
    assert!(lines.len() < 100_000, "{} lines", lines.len());
    assert!(lines.iter().any(|line| line.starts_with("... (") && line.ends_with(" lines dropped)")));
    assert!(lines.iter().all(|line| line.chars().count() <= 4096));
    assert!(lines.contains(&"\u{fffd} raw"));
}

#[tokio::test]
async fn the_record_keeps_as_much_of_the_log_as_the_settings_allow() {
    let rig = Rig::start(&["--evaluation-log-mb", "1"]).await;
    let script = "def evaluate(sim):\n    for _ in range(400): print('x' * 4000)\n    sim.finish()\n";
    let record = rig.judge(script, json!({})).await;
    assert_eq!(record["outcome"], "finished", "{}", record["reason"]);
    let lines = lines(&record);
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    assert!((1_000_000..=1 << 20).contains(&bytes), "{bytes} bytes");
    assert_eq!(lines.last(), Some(&"... (the log is full; what follows is not kept)"));
}

#[tokio::test]
async fn ten_thousand_actions_are_carried_out_one_after_the_other() {
    let rig = Rig::start(&[]).await;
    let script = "done = 0\ndef evaluate(sim):\n    global done\n    for _ in range(250):\n        \
                  sim.overlay(str(done))\n        done += 1\n    sim.record(done)\n    \
                  if done == 10_000: sim.finish()\n";
    let record = rig.judge(script, json!({"time_limit_s": 3600})).await;
    assert_eq!((&record["outcome"], &record["record"]), (&json!("finished"), &json!(10_000)), "{}", record["reason"]);
    assert_eq!(rig.get("overlay").await["text"], "9999");
}

#[tokio::test]
async fn students_that_print_without_measure_lose_lines_not_the_session() {
    let rig = Rig::start(&[]).await;
    rig.write_script("def evaluate(sim):\n    if sim.state.run.exit_code == 0: sim.finish()\n");
    let command =
        "python3 -c 'import sys\nfor n in range(300000): print(n)\nsys.stdout.buffer.write(bytes([255, 10]))'";
    let session = rig.begin(json!({"command": command, "time_limit_s": 3600})).await;
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "finished", "{}", record["reason"]);
    let lines = lines(&record);
    assert!(
        lines.len() < 200_000 && lines.iter().any(|line| line.ends_with(" lines dropped)")),
        "{} lines",
        lines.len()
    );
}
