//! Commands that take too much, and the ends that every command can come to.

use sim_api::judge::supervise::{Level, Limits, Runtime, Supervisor, SupervisorOptions};
use tokio::io::AsyncReadExt;

use super::commands::{Bench, options};
use crate::support::folder::TempFolder;
use crate::support::wait::{LIMIT, in_time, wait_until};

const MIB: u64 = 1 << 20;

async fn benches() -> Vec<Bench> {
    vec![
        Bench::with(Level::PidNamespace, Runtime::Process).await,
        Bench::with(Level::Subreaper, Runtime::Process).await,
    ]
}

#[tokio::test]
async fn ten_gigabytes_are_refused() {
    for bench in benches().await {
        let mut student = bench.student("python3 -c 'x = bytearray(10 << 30)'").await;
        let complaints = student.complaints().await;
        assert!(complaints.contains("MemoryError"), "{complaints}");
        assert_eq!(student.exited().await.code, 1);
        student.stop().await;
    }
}

/// Each of them takes less than is allowed.
const FAMILY: &str = r#"python3 -c '
import os, time
for _ in range(8):
    if os.fork() == 0:
        x = bytearray(os.urandom(1024)) * (64 << 10)
        time.sleep(1000)
time.sleep(1000)'"#;

#[tokio::test]
async fn the_memory_of_a_family_is_limited_as_a_whole() {
    for bench in benches().await {
        let limits = Limits { memory_bytes: 256 * MIB, ..Limits::STUDENT };
        let mut student = bench.limited_student(FAMILY, limits).await;
        let exit = student.exited().await;
        assert_eq!((exit.code, exit.reason.as_deref()), (-9, Some("it used more than 256 MiB of memory")));
        student.vanishes().await;
        student.stop().await;
    }
}

/// Doubles with each generation. It ends after nine of them, so that a fault does not take the machine with it.
const BOMB: &str = "bomb() { if (($1)); then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 1000; }; bomb 8";

#[tokio::test]
async fn a_fork_bomb_is_stopped() {
    for bench in benches().await {
        let limits = Limits { processes: 60, ..Limits::STUDENT };
        let mut student = bench.limited_student(BOMB, limits).await;
        let exit = student.exited().await;
        assert_eq!(
            (exit.code, exit.reason.as_deref()),
            (-9, Some("it ran more than 60 processes and threads at once"))
        );
        student.vanishes().await;
        student.stop().await;
    }
}

#[tokio::test]
async fn a_file_grows_only_to_its_limit() {
    for bench in benches().await {
        let limits = Limits { file_bytes: MIB, ..Limits::STUDENT };
        let mut student =
            bench.limited_student("trap '' XFSZ; head -c 10M /dev/zero > big; stat -c %s big", limits).await;
        assert_eq!(student.line().await, MIB.to_string());
        student.stop().await;
    }
}

#[tokio::test]
async fn a_judge_fills_its_folder_and_nothing_else() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Auto).await;
    if bench.supervisor.runtime().runtime != "sandbox" {
        return;
    }
    let script = r#"
import os
total = 0
try:
    for number in range(100):
        with open(f"/tmp/{number}", "wb") as file:
            total += file.write(bytes(1 << 20))
except OSError as error:
    print(error.errno, total >> 20)
"#;
    let limits = Limits { folder_bytes: 8 * MIB, ..Limits::JUDGE };
    let mut judge = bench.limited_judge(script, limits).await;
    // 28: no space left on device.
    let line = judge.line().await;
    assert!(["28 7", "28 8"].contains(&line.as_str()), "{line}");
    judge.stop().await;
}

#[tokio::test]
async fn a_million_lines_come_through() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let mut student = bench.student("seq 1000000").await;
    let text = student.rest().await;
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 1_000_000);
    assert_eq!(student.exited().await.code, 0);
    student.stop().await;
}

#[tokio::test]
async fn one_who_reads_nothing_holds_nobody_up() {
    for bench in benches().await {
        let student = bench.student("yes").await;
        wait_until("its start", || !student.alive().is_empty()).await;
        student.stop().await;
    }
}

#[tokio::test]
async fn each_exit_code_is_told() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    for code in [0, 1, 2, 126, 127, 137, 255] {
        let mut student = bench.student(&format!("exit {code}")).await;
        assert_eq!(student.exited().await.code, code);
        assert_eq!(student.stop().await.code, code, "also when asked again");
    }
}

#[tokio::test]
async fn death_by_signal_is_a_negative_code() {
    for bench in benches().await {
        for signal in [6, 9, 11, 15] {
            let mut student =
                bench.student(&format!("exec python3 -c 'import os; os.kill(os.getpid(), {signal})'; :")).await;
            let exit = student.exited().await;
            // Process 2 has the default reaction to signals, other than process 1.
            assert_eq!((exit.code, exit.reason), (-signal, None));
            student.stop().await;
        }
    }
}

#[tokio::test]
async fn a_polite_student_is_ended_by_sigterm() {
    for level in [Level::PidNamespace, Level::Subreaper] {
        let folder = TempFolder::new();
        let options = options(folder.path(), level, Runtime::Process);
        // A loaded machine may need longer than students get otherwise.
        let supervisor = Supervisor::probe(SupervisorOptions { grace: LIMIT, ..options }).await.expect("a supervisor");
        let bench = Bench { folder, supervisor };
        let mut student = bench.student("trap 'exit 7' TERM; echo ready; while true; do sleep 0.01; done").await;
        assert_eq!(student.line().await, "ready");
        assert_eq!(student.stop().await.code, 7);
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_pass_unchanged() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let mut student = bench.student("printf '\\377\\000\\200ok\\n'; printf '\\376' >&2").await;
    assert_eq!(student.rest().await, b"\xff\0\x80ok\n");
    let mut complaint = Vec::new();
    in_time(student.running.stderr.read_to_end(&mut complaint)).await.expect("a pipe");
    assert_eq!(complaint, b"\xfe");
    student.stop().await;
}

#[tokio::test]
async fn many_commands_leave_no_descriptor_behind() {
    let bench = Bench::with(Level::PidNamespace, Runtime::Process).await;
    let open = || std::fs::read_dir("/proc/self/fd").expect("/proc").count();
    bench.student("true").await.stop().await;
    let before = open();
    for _ in 0..30 {
        bench.student("sleep 1000 &").await.stop().await;
    }
    // Other tests of this process open and close some meanwhile.
    wait_until("no more descriptors than before", || open() <= before + 8).await;
}
