//! The configuration and the script of an evaluation.

use serde_json::json;
use sim_api::domain::WorldName;
use sim_api::worlds::{Better, Bundle, Evaluation};

use super::fixture;
use crate::support::folder::TempFolder;

fn parse(json: serde_json::Value) -> Result<Evaluation, sim_api::worlds::EvaluationError> {
    Evaluation::parse(json.to_string().as_bytes(), "def evaluate(sim): pass".into())
}

#[test]
fn known_keys_are_typed_and_unknown_ones_are_kept() {
    let config =
        json!({"description": "Lap", "better": "higher", "time_limit_s": 90, "robot": "vehicle", "laps": [1, 2]});
    let evaluation = parse(json!({"version": 1, "config": config, "author": "me"})).unwrap();
    assert_eq!(evaluation.version, 1);
    assert_eq!(evaluation.config.description.as_deref(), Some("Lap"));
    assert_eq!(evaluation.config.better, Some(Better::Higher));
    assert_eq!(evaluation.config.time_limit_s, Some(90.0));
    assert_eq!(evaluation.config.robot.as_deref(), Some("vehicle"));
    assert_eq!(serde_json::Value::Object(evaluation.raw_config), config);
}

#[test]
fn everything_may_be_missing() {
    let evaluation = parse(json!({})).unwrap();
    assert!(evaluation.is_supported_version());
    assert_eq!(evaluation.config, Default::default());
    assert!(parse(json!({"version": null, "config": {"better": null, "time_limit_s": null}})).is_ok());
}

#[test]
fn wrong_values_are_refused_except_in_versions_we_do_not_know() {
    for config in [json!({"better": "best"}), json!({"time_limit_s": "90"}), json!({"time_limit_s": 0}), json!([])] {
        assert!(parse(json!({"version": 1, "config": config})).is_err(), "{config}");
    }
    assert!(parse(json!([])).is_err());
    assert!(parse(json!({"version": "1"})).is_err());
    let future = parse(json!({"version": 2, "config": {"better": {"by": "laps"}}})).unwrap();
    assert!(!future.is_supported_version());
}

#[test]
fn a_world_has_an_evaluation_when_both_files_exist_and_the_script_is_not_blank() {
    let data = TempFolder::new();
    let bundle = Bundle::new(WorldName::parse("oval").unwrap(), data.path().to_owned(), false);
    fixture::write(data.path(), &fixture::files());
    assert!(bundle.has_evaluation());
    assert_eq!(bundle.evaluation().unwrap().unwrap().config.description.as_deref(), Some("One lap"));
    let script = data.path().join("evaluations/oval.py");
    std::fs::write(&script, " \n\t\n").unwrap();
    assert!(!bundle.has_evaluation());
    assert_eq!(bundle.evaluation().unwrap(), None);
    std::fs::remove_file(&script).unwrap();
    assert!(!bundle.has_evaluation());
}
