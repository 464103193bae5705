//! `sim up` as people see it: real processes, real signals.

use std::fs;
use std::io::{PipeWriter, Write};
use std::net::TcpListener;
use std::path::Path;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Signal;

use crate::support::folder::TempFolder;
use crate::support::process::{SimUp, is_alive, send, sim_command};
use crate::support::wait::poll_until;

const PROGRAMS: [&str; 3] = ["sim_backend", "robot_stack", "sim_api_node"];

#[test]
fn sigterm_and_ctrl_c_end_everything_in_reverse_order() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut sim = SimUp::start();
        let children = PROGRAMS.map(|name| sim.child_named(name));
        sim.send(signal);
        assert_eq!(sim.wait().code(), Some(0), "{}", sim.log());
        assert!(children.iter().all(|pid| !is_alive(*pid)));
        let log = sim.log();
        let position = |text: &str| log.find(text).unwrap_or_else(|| panic!("{text} in {log}"));
        assert!(position("sim_api_node stopped") < position("robot_stack stopped"), "{log}");
        assert!(position("robot_stack stopped") < position("sim_backend stopped"), "{log}");
    }
}

#[test]
fn killed_child_is_replaced_while_the_others_stay() {
    let sim = SimUp::start();
    let old = PROGRAMS.map(|name| sim.child_named(name));
    for (i, name) in PROGRAMS.iter().enumerate() {
        send(old[i], Signal::KILL);
        poll_until("the old child's end", || (!is_alive(old[i])).then_some(()));
        assert_ne!(sim.child_named(name), old[i]);
        assert!(old[i + 1..].iter().all(|later| is_alive(*later)), "{}", sim.log());
    }
}

#[test]
fn somebody_elses_simulator_is_not_started() {
    let mut sim = SimUp::start_with_scripts(
        [("sim_backend", "exec sleep 1000"), ("robot_stack", "exec sleep 1000"), ("sim_api_node", "exec sleep 1000")],
        &[("SIM_API_BACKEND", "external"), ("SIM_API_BACKEND_PREFIX", "/gz_server")],
    );
    sim.wait_for_log("sim_api_node started");
    sim.wait_for_log("robot_stack started");
    assert_eq!(sim.children().len(), 2, "{}", sim.log());
    sim.send(Signal::TERM);
    assert_eq!(sim.wait().code(), Some(0));
    assert!(!sim.log().contains("sim_backend"), "{}", sim.log());
}

#[test]
fn terminal_that_stands_still_stops_nobody() {
    let (reader, writer) = std::io::pipe().unwrap();
    fill(&writer);
    let mut sim = SimUp::start_writing_to(writer.into());
    let old = sim.child_named("robot_stack");
    send(old, Signal::KILL);
    poll_until("a new child", || Some(sim.child_named("robot_stack")).filter(|new| *new != old));
    sim.send(Signal::TERM);
    assert_eq!(sim.wait().code(), Some(0));
    drop(reader);
}

/// Until another byte would have to wait for a reader.
fn fill(mut pipe: &PipeWriter) {
    let flags = fcntl_getfl(pipe).unwrap();
    fcntl_setfl(pipe, flags | OFlags::NONBLOCK).unwrap();
    while pipe.write(&[b'.'; 4096]).is_ok() {}
    while pipe.write(b".").is_ok() {}
    fcntl_setfl(pipe, flags).unwrap();
}

#[test]
fn sigkill_of_sim_up_leaves_no_child() {
    let mut sim = SimUp::start();
    let children = PROGRAMS.map(|name| sim.child_named(name));
    sim.send(Signal::KILL);
    sim.wait();
    poll_until("the end of all children", || children.iter().all(|pid| !is_alive(*pid)).then_some(()));
}

#[test]
fn program_whose_parent_is_gone_ends_at_once() {
    for name in PROGRAMS {
        let executable = Path::new(env!("CARGO_BIN_EXE_sim")).with_file_name(name);
        let output = sim_command(&executable, Path::new("/")).arg("--parent-pid=1").output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("process 1 that started this program is gone"), "{message}");
    }
}

#[test]
fn data_folder_serves_one_sim_up_at_a_time() {
    let mut sim = SimUp::start();
    let children = PROGRAMS.map(|name| sim.child_named(name));
    let data = sim.folder.path().join("data");
    let second = || {
        let mut command = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), sim.folder.path());
        command.args(["up", "--bind", "127.0.0.1:0", "--data"]).arg(&data).output().unwrap()
    };
    let output = second();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = format!("the data folder {} is in use by another `sim up` (process ", data.display());
    assert!(message.contains(&expected) && message.contains("use --data DIR"), "{message}");
    assert!(children.iter().all(|pid| is_alive(*pid)), "{}", sim.log());
    sim.send(Signal::TERM);
    assert_eq!(sim.wait().code(), Some(0));
}

#[test]
fn taken_port_is_told_before_anything_starts() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = TempFolder::new();
    let mut command = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder.path());
    let output = command.args(["up", "--data", "data", "--bind", &format!("127.0.0.1:{port}")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = format!("port {port} is in use by another program; stop it or use --bind 127.0.0.1:");
    assert!(message.contains(&expected), "{message}");
    assert!(!message.contains("started"), "{message}");
}

#[test]
fn world_that_does_not_exist_is_told_before_anything_starts() {
    let folder = TempFolder::new();
    let mut command = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder.path());
    let output =
        command.args(["up", "--data", "data", "--bind", "127.0.0.1:0", "--world", "nowhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("there is no world `nowhere`; use --world with one of"), "{message}");
    assert!(message.contains("vehicle_base") && message.contains("plain"), "{message}");
    assert!(!message.contains("started"), "{message}");
}

#[test]
fn child_that_keeps_dying_is_given_up_while_the_others_stay() {
    let sleeper = "exec sleep 1000";
    let mut sim = SimUp::start_with_scripts(
        [("sim_backend", "exit 3"), ("robot_stack", sleeper), ("sim_api_node", sleeper)],
        &[],
    );
    sim.wait_for_log("sim_backend ended by itself (exit status: 3); that was quick death number 5, so it is given up");
    let sleepers = poll_until("both sleepers", || {
        let children = sim.children();
        (children.len() == 2).then_some(children)
    });
    sim.send(Signal::TERM);
    assert_eq!(sim.wait().code(), Some(0), "{}", sim.log());
    assert!(sleepers.iter().all(|pid| !is_alive(*pid)));
}

#[test]
fn nothing_left_to_supervise_is_a_failure() {
    let mut sim = SimUp::start_with_scripts(
        [("sim_backend", "exit 3"), ("robot_stack", "exit 3"), ("sim_api_node", "exit 3")],
        &[],
    );
    assert_eq!(sim.wait().code(), Some(1), "{}", sim.log());
}

#[test]
fn deaf_child_is_killed_after_its_grace_or_at_a_second_signal() {
    let deaf = "trap '' TERM; echo deaf; while :; do sleep 1; done";
    for impatient in [false, true] {
        let sleeper = "exec sleep 1000";
        let mut sim = SimUp::start_with_scripts(
            [("sim_backend", sleeper), ("robot_stack", sleeper), ("sim_api_node", deaf)],
            &[],
        );
        sim.wait_for_log("deaf");
        let children = sim.children();
        sim.send(Signal::TERM);
        if impatient {
            sim.wait_for_log("stopping");
            sim.send(Signal::TERM);
        }
        assert_eq!(sim.wait().code(), Some(0), "{}", sim.log());
        assert!(children.iter().all(|pid| !is_alive(*pid)));
        let reason = if impatient { "killing sim_api_node" } else { "sim_api_node did not stop within 3 s" };
        assert!(sim.log().contains(reason), "{}", sim.log());
    }
}

#[test]
fn token_reaches_the_children_but_not_their_arguments() {
    let show = "printf '%s|' \"$SIM_API_TOKEN\" \"$@\" > seen.$$; mv seen.$$ seen; exec sleep 1000";
    let scripts = PROGRAMS.map(|name| (name, show));
    for (variables, begin) in [(&[("SIM_API_TOKEN", "sesame")][..], "sesame|--bind="), (&[], "|--bind=")] {
        let mut sim = SimUp::start_with_scripts(scripts, variables);
        let seen = poll_until("a child's report", || fs::read_to_string(sim.folder.path().join("seen")).ok());
        assert!(seen.starts_with(begin), "{seen}");
        assert!(!seen.trim_start_matches("sesame").contains("sesame"), "{seen}");
        sim.send(Signal::TERM);
        assert_eq!(sim.wait().code(), Some(0), "{}", sim.log());
        assert!(!sim.log().contains("sesame"), "{}", sim.log());
    }
}
