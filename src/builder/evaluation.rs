//! The two evaluation files of a bundle: the configuration and the judging script.

use serde::Serialize;

use super::track::Evaluation;

/// A complete lap-time evaluation, for worlds that bring no script of their own.
pub const LAP_TIME: &str = include_str!("lap_time.py");

const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    config: Config<'a>,
}

#[derive(Serialize)]
struct Config<'a> {
    description: &'a str,
    better: &'a str,
    time_limit_s: f64,
    robot: &'a str,
    laps: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_light: Option<&'a str>,
}

pub fn config(evaluation: &Evaluation) -> Vec<u8> {
    let config = Config {
        description: &evaluation.description,
        better: evaluation.better.as_str(),
        time_limit_s: evaluation.time_limit_s,
        robot: &evaluation.robot,
        laps: evaluation.laps,
        start_light: evaluation.start_light.as_deref(),
    };
    let mut bytes = serde_json::to_vec_pretty(&Document { version: VERSION, config })
        .expect("texts and finite numbers are always JSON");
    bytes.push(b'\n');
    bytes
}
