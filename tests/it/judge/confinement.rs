//! What the judging script and the student can see and touch.

use std::collections::BTreeSet;
use std::path::Path;

use sim_api::judge::supervise::{LaunchError, Level, Runtime, Supervisor};

use super::commands::{Bench, options, python_root};
use crate::support::folder::TempFolder;
use crate::support::wait::in_time;

/// None where this machine allows no sandbox.
async fn sandbox() -> Option<Bench> {
    let bench = Bench::with(Level::PidNamespace, Runtime::Auto).await;
    (bench.supervisor.runtime().runtime == "sandbox").then_some(bench)
}

#[tokio::test]
async fn the_judge_runs_on_python_3_14_where_make_has_fetched_it() {
    let Some(bench) = sandbox().await else { return };
    let info = bench.supervisor.runtime();
    let has_root = python_root().is_some_and(|root| root.join("usr/bin/python3.14").is_file());
    assert_eq!(info.python.starts_with("3.14."), has_root, "{info:?}");
    assert_eq!(info.warnings.iter().any(|text| text.contains("not by 3.14")), !has_root, "{info:?}");
    let mut judge = bench.judge("import platform; print(platform.python_version())").await;
    assert_eq!(judge.line().await, info.python);
    judge.stop().await;
}

#[tokio::test]
async fn the_standard_library_of_the_judge_is_complete() {
    let Some(bench) = sandbox().await else { return };
    let script = "import asyncio, bz2, ctypes, decimal, hashlib, json, lzma, multiprocessing, sqlite3, ssl, zlib, zoneinfo\n\
                  import subprocess\n\
                  hashlib.sha256(b''); ssl.create_default_context(); multiprocessing.Lock(); zoneinfo.ZoneInfo('Europe/Berlin')\n\
                  print(sqlite3.connect(':memory:').execute('select 6 * 7').fetchone()[0])\n\
                  print(subprocess.run('echo from the shell', shell=True, capture_output=True, text=True).stdout, end='')";
    let mut judge = bench.judge(script).await;
    let text = String::from_utf8(judge.rest().await).expect("text");
    assert_eq!(text, "42\nfrom the shell\n", "{}", judge.complaints().await);
    judge.stop().await;
}

/// Tries to write where the host could be harmed, and says what worked.
const VANDAL: &str = r#"
import os, sys
for path in sys.stdin.readline().split():
    try:
        os.makedirs(path, exist_ok=True)
        with open(path + "/vandal", "w") as file:
            file.write("was here")
        print(path)
    except OSError:
        pass
print("done")
"#;

#[tokio::test]
async fn the_judge_cannot_write_to_the_host() {
    let Some(bench) = sandbox().await else { return };
    let shared = tempfile_outside();
    let places = ["/", "/etc", "/usr", "/usr/bin", "/var/tmp", "/opt", "/sys/fs/cgroup", "/proc/sys/kernel"];
    let mut places: Vec<String> = places.map(String::from).to_vec();
    places.push(shared.path().display().to_string());
    places.push(env!("CARGO_MANIFEST_DIR").to_owned());
    let mut judge = bench.judge(VANDAL).await;
    in_time(tokio::io::AsyncWriteExt::write_all(
        &mut judge.running.stdin,
        format!("{}\n", places.join(" ")).as_bytes(),
    ))
    .await
    .expect("it reads");
    let worked = String::from_utf8(judge.rest().await).expect("text");
    judge.stop().await;
    assert!(worked.ends_with("done\n"));
    // Folders in memory take the place of some; what counts is the host.
    for place in places {
        assert!(!Path::new(&place).join("vandal").exists(), "{place}; written to: {worked}");
    }
}

/// A folder of this user that is not below `/tmp`.
fn tempfile_outside() -> TempFolder {
    TempFolder::below(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

#[tokio::test]
async fn the_judge_starts_in_an_empty_folder_of_its_own_and_sees_no_home() {
    let Some(bench) = sandbox().await else { return };
    let script = "import os\n\
                  print(sorted(os.listdir('.')), os.listdir('/tmp'), sorted(os.listdir('/home')), os.environ['HOME'] == os.getcwd())\n\
                  print(os.path.exists(os.path.expanduser('~root') + '/.bashrc'))\n\
                  open('note', 'w').write('private')";
    for _ in 0..2 {
        let mut judge = bench.judge(script).await;
        let text = String::from_utf8(judge.rest().await).expect("text");
        assert_eq!(text, "['script.py'] ['judge'] [] True\nFalse\n", "{}", judge.complaints().await);
        judge.stop().await;
    }
}

#[tokio::test]
async fn the_judge_has_no_rights_and_is_not_root() {
    let Some(bench) = sandbox().await else { return };
    let script = "import os, re\n\
                  status = open('/proc/self/status').read()\n\
                  print(re.search('CapEff:\\\\s*0+$', status, re.M) is not None, 'NoNewPrivs:\\t1' in status)\n\
                  print(sorted(name for name in os.listdir('/proc') if name.isdigit()))";
    let mut judge = bench.judge(script).await;
    let text = String::from_utf8(judge.rest().await).expect("text");
    assert_eq!(text, "True True\n['1', '2']\n", "{}", judge.complaints().await);
    judge.stop().await;
}

#[tokio::test]
async fn a_student_cannot_see_or_kill_the_judge() {
    let Some(bench) = sandbox().await else { return };
    let mut judge = bench.judge("import time\nprint('judging', flush=True)\ntime.sleep(1000)").await;
    assert_eq!(judge.line().await, "judging");
    let seen_from_here = judge.alive();
    assert!(!seen_from_here.is_empty());
    let kill = seen_from_here.iter().map(|pid| format!("kill -9 {pid};")).collect::<String>();
    let command = format!("{kill} kill -9 -1; kill -9 1; grep -al {} /proc/[0-9]*/environ; echo done", judge.mark());
    let mut student = bench.student(&command).await;
    let text = String::from_utf8(student.rest().await).expect("text");
    assert_eq!(text, "done\n");
    student.stop().await;
    assert_eq!(judge.alive(), seen_from_here, "the judge is untouched");
    judge.stop().await;
}

#[tokio::test]
async fn a_student_keeps_its_own_surroundings() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let command = "pwd; id -u; echo $PYTHONUNBUFFERED; touch made; shopt -q login_shell && echo login";
    let mut student = bench.student(command).await;
    let own = rustix::process::getuid().as_raw();
    let text = String::from_utf8(student.rest().await).expect("text");
    let expected = [bench.folder.path().to_str().expect("plain"), &own.to_string(), "1", "login"];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    student.stop().await;
    assert!(bench.folder.path().join("made").exists(), "it works on the host's files");

    // It has the variables that a login shell of this very process has.
    let show = "env -0";
    let mut login = std::process::Command::new("bash");
    login.args(["-lc", show]).env("HOME", bench.folder.path());
    let alone = login.output().expect("bash starts").stdout;
    let mut student = bench.student(show).await;
    let supervised = student.rest().await;
    student.stop().await;
    assert_eq!(variables(&supervised), variables(&alone));
}

/// Without those that say where a shell is, and those that come on top.
fn variables(environment: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(environment);
    let others = ["PWD", "OLDPWD", "SHLVL", "_", "PYTHONUNBUFFERED", "SIM_API_RUN", "SIM_API_TEST_MARK"];
    let is_other = |variable: &&str| !others.iter().any(|name| variable.starts_with(&format!("{name}=")));
    text.split('\0').filter(is_other).map(str::to_owned).collect()
}

#[tokio::test]
async fn a_student_reaches_servers_of_this_machine() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let student = bench.student(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}; sleep 1000")).await;
    in_time(listener.accept()).await.expect("a connection");
    student.stop().await;
}

#[tokio::test]
async fn without_namespaces_a_judge_is_a_plain_process_and_the_record_says_so() {
    let bench = Bench::with(Level::Subreaper, Runtime::Auto).await;
    let info = bench.supervisor.runtime();
    assert_eq!((info.runtime, info.level), ("process", "subreaper"));
    assert!(info.warnings.iter().any(|text| text.contains("see and kill the judge")), "{info:?}");
    let mut judge = bench.judge("import os; print(os.listdir('.')); open('note', 'w')").await;
    assert_eq!(judge.line().await, "['script.py']");
    let folder = judge.running.folder.clone();
    assert!(folder.starts_with(bench.folder.path()));
    judge.stop().await;
    assert!(!folder.exists(), "its folder goes with it");
}

#[tokio::test]
async fn asking_for_a_sandbox_or_a_container_refuses_less() {
    let folder = TempFolder::new();
    let refused = Supervisor::probe(options(folder.path(), Level::Subreaper, Runtime::Sandbox)).await;
    assert!(matches!(refused, Err(LaunchError::NoSandbox(_))), "{refused:?}");
    let refused = Supervisor::probe(options(folder.path(), Level::PidNamespace, Runtime::Container)).await;
    assert!(matches!(refused, Err(LaunchError::NoEngine)), "{refused:?}");
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_refused_with_its_name() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let mut order =
        sim_api::judge::supervise::Order::student("", "/".into(), sim_api::judge::supervise::Limits::STUDENT);
    order.argv = vec!["no_such_program".into()];
    let refused = in_time(bench.supervisor.launch(order)).await;
    assert!(matches!(&refused, Err(LaunchError::Refused(text)) if text.contains("no_such_program")), "{refused:?}");
}
