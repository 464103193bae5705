//! `sim doctor`, and through it the settings of a real process with its environment.

use std::path::Path;

use sim_api::app::doctor::machine::parse_version;
use sim_api::app::doctor::ros::{RosEnvironment, findings};
use sim_api::app::doctor::sandbox::{Offer, finding};
use sim_api::app::doctor::{Finding, Mark};
use sim_api::app::settings::{EvaluationRuntime, Settings, Sources, Surroundings};
use sim_api::judge::supervise::{Engine, Level};

use crate::support::folder::TempFolder;
use crate::support::process::sim_command;

struct Report {
    code: Option<i32>,
    text: String,
}

impl Report {
    fn line(&self, subject: &str) -> &str {
        let is_about = |line: &&str| line.get(9..).is_some_and(|rest| rest.starts_with(subject));
        self.text.lines().find(is_about).unwrap_or_else(|| panic!("no {subject} in {}", self.text))
    }
}

fn doctor(folder: &TempFolder, args: &[&str], variables: &[(&str, &str)]) -> Report {
    let mut command = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder.path());
    command.arg("doctor").args(args).envs(variables.iter().copied()).env("XDG_DATA_HOME", folder.path());
    let output = command.output().unwrap();
    Report { code: output.status.code(), text: String::from_utf8(output.stdout).unwrap() }
}

#[test]
fn flag_wins_over_variable_and_variable_over_file() {
    let folder = TempFolder::new();
    folder.write("s.yaml", "/**:\n  ros__parameters:\n    domain: 11\n");
    let file = ("SIM_API_CONFIG", "s.yaml");
    let domain = |args: &[&str], variables: &[(&str, &str)]| {
        let args = [args, &["--bind", "127.0.0.1:0"]].concat();
        let report = doctor(&folder, &args, variables);
        let line = report.line("discovery").to_owned();
        line.split("domain ").nth(1).and_then(|rest| rest.split(',').next()).unwrap().to_owned()
    };
    assert_eq!(domain(&[], &[]), "0");
    assert_eq!(domain(&[], &[file]), "11");
    assert_eq!(domain(&[], &[file, ("ROS_DOMAIN_ID", "12")]), "12");
    assert_eq!(domain(&[], &[file, ("ROS_DOMAIN_ID", "12"), ("SIM_API_DOMAIN", "13")]), "13");
    assert_eq!(domain(&["--ros-args", "-p", "domain:=14", "--"], &[file, ("SIM_API_DOMAIN", "13")]), "14");
    assert_eq!(domain(&["--domain", "15"], &[file, ("SIM_API_DOMAIN", "13")]), "15");
}

#[test]
fn healthy_machine_is_ready() {
    let folder = TempFolder::new();
    let report = doctor(&folder, &["--bind", "127.0.0.1:0"], &[]);
    assert_eq!(report.code, Some(0), "{}", report.text);
    let data = folder.path().join("sim_api");
    assert!(report.line("data folder").contains(&format!("{}: writable", data.display())), "{}", report.text);
    assert!(!data.exists(), "looking must not create the folder");
    for subject in ["settings", "programs", "port", "ROS 2", "RMW", "sandbox", "Python", "processor", "UDP buffers"] {
        report.line(subject);
    }
}

#[test]
fn broken_settings_and_a_taken_port_fail() {
    let folder = TempFolder::new();
    folder.write("s.yaml", "/**:\n  ros__parameters:\n    sed: 1\n");
    let report = doctor(&folder, &["--config", "s.yaml"], &[]);
    assert_eq!(report.code, Some(1));
    assert_eq!(report.line("settings"), "broken   settings     s.yaml:3: unknown setting `sed`; did you mean `seed`?");
    report.line("Python");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let report = doctor(&folder, &["--bind", &address], &[]);
    assert_eq!(report.code, Some(1));
    assert!(report.line("port").starts_with("broken"), "{}", report.text);
}

fn settings() -> Settings {
    let around = Surroundings { home: Some("/home/me".into()), ..Default::default() };
    Sources { around, ..Default::default() }.resolve("sim_api_node").unwrap()
}

fn marks(findings: &[Finding]) -> Vec<Mark> {
    findings.iter().map(|finding| finding.mark).collect()
}

#[test]
fn ros_is_described_as_it_is() {
    let settings = settings();
    let none = findings(Some(&settings), &RosEnvironment::default());
    assert_eq!(marks(&none), [Mark::Missing, Mark::Ok, Mark::Ok]);

    let unsourced = RosEnvironment { installed: vec!["jazzy".into()], ..Default::default() };
    let found = findings(Some(&settings), &unsourced);
    assert!(found[0].mark == Mark::Warn && found[0].text.contains("source /opt/ros/jazzy/setup.bash"));

    let sourced = RosEnvironment {
        distro: Some("jazzy".into()),
        ament_prefix_path: Some("/opt/ros/jazzy".into()),
        rmw_implementation: Some("rmw_cyclonedds_cpp".into()),
        ..Default::default()
    };
    let found = findings(Some(&settings), &sourced);
    assert_eq!(marks(&found), [Mark::Ok, Mark::Ok, Mark::Warn]);
    assert!(found[1].text.contains("as cyclone"), "{}", found[1].text);
    assert!(found[2].text.contains("export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST"), "{}", found[2].text);

    let local = RosEnvironment { discovery_range: Some("LOCALHOST".into()), ..sourced };
    assert_eq!(marks(&findings(Some(&settings), &local)), [Mark::Ok; 3]);
}

#[test]
fn weaker_sandboxes_are_a_warning_never_a_failure() {
    let podman = Engine { program: "podman" };
    for engine in [Some((podman, true)), Some((podman, false)), None] {
        let at = |level| finding(Offer { engine, level }, EvaluationRuntime::Auto).mark;
        assert_eq!(at(Level::PidNamespace), Mark::Ok);
        assert_eq!(at(Level::Cgroup), Mark::Warn);
        assert_eq!(at(Level::Subreaper), Mark::Warn);
    }
}

#[test]
fn what_judges_is_said_as_the_settings_want_it() {
    let podman = Engine { program: "podman" };
    let text = |engine, wanted| finding(Offer { engine, level: Level::PidNamespace }, wanted);
    let is = |engine, wanted, expected: &str| {
        let found = text(engine, wanted);
        assert!(found.text.contains(expected), "{}", found.text);
    };
    is(Some((podman, true)), EvaluationRuntime::Auto, "in a container (podman answers)");
    is(Some((podman, false)), EvaluationRuntime::Container, "as soon as podman has fetched docker.io/library/python");
    is(Some((podman, true)), EvaluationRuntime::Sandbox, "in a sandbox");
    is(Some((podman, true)), EvaluationRuntime::Process, "as plain processes");
    is(None, EvaluationRuntime::Auto, "in a sandbox");
    let found = text(None, EvaluationRuntime::Container);
    assert_eq!(found.mark, Mark::Warn);
    assert!(found.text.contains("neither docker nor podman answers"), "{}", found.text);
}

#[test]
fn python_versions_are_compared_as_numbers() {
    assert_eq!(parse_version("Python 3.9.2\n"), Some((3, 9)));
    assert!(parse_version("Python 3.9.2") < parse_version("Python 3.11.0rc1"));
    assert_eq!(parse_version("pypy"), None);
}
