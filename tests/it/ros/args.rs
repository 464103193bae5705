//! What `--ros-args` means.

use std::ffi::OsString;

use sim_api::ros::args::{RosArgs, RosArgsError, split};
use sim_api::ros::name::{NameScope, Remap};

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn ros_arguments_are_separated_from_the_programs_own() {
    let line = "--rtf 2 --ros-args -r __node:=car -r __ns:=/lab -r scan:=/front/scan -p seed:=7 \
                --params-file a.yaml --log-level debug --disable-rosout-logs -- --seed 3";
    let (own, ros) = split(words(line)).unwrap();
    assert_eq!(own, words("--rtf 2 --seed 3"));
    assert_eq!(ros.raw.len(), 13);
    let expected = RosArgs {
        node: Some("car".into()),
        namespace: Some("/lab".into()),
        remaps: vec![Remap { from: "scan".into(), to: "/front/scan".into() }],
        params: vec![("seed".into(), "7".into())],
        params_files: vec!["a.yaml".into()],
        log_level: Some("debug".into()),
        raw: ros.raw.clone(),
    };
    assert_eq!(ros, expected);
}

#[test]
fn broken_ros_arguments_are_named() {
    let broken = |line: &str| split(words(line)).unwrap_err();
    assert_eq!(broken("--ros-args -r"), RosArgsError::MissingValue { flag: "-r".into() });
    assert_eq!(broken("--ros-args -p x"), RosArgsError::NotARule { flag: "-p".into(), rule: "x".into() });
    assert_eq!(broken("--ros-args --bogus"), RosArgsError::Unknown("--bogus".into()));
}

#[test]
fn names_resolve_as_in_ros() {
    let scope = NameScope {
        namespace: "/lab".into(),
        node: "car".into(),
        remaps: vec![Remap { from: "/scan".into(), to: "front/scan".into() }],
    };
    assert_eq!(scope.resolve("speed").unwrap(), "/lab/speed");
    assert_eq!(scope.resolve("/speed").unwrap(), "/speed");
    assert_eq!(scope.resolve("~/state").unwrap(), "/lab/car/state");
    assert_eq!(scope.resolve("/scan").unwrap(), "/lab/front/scan");
    for bad in ["", "a//b", "1a", "a b", "a/", "ü"] {
        assert!(scope.resolve(bad).is_err(), "{bad:?} is no name");
    }
}
