//! Switching from world to world for a long time, and what that may cost.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use super::rig::Rig;

/// What a process holds.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    pub files: usize,
    pub resident_kb: u64,
}

impl Usage {
    pub fn of(pid: u32) -> Self {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("a living process").count();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a living process");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let resident_kb = resident.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
        Self { files, resident_kb: resident_kb.expect("a living process has memory") }
    }
}

/// The worlds that can be loaded.
pub async fn loadable_worlds(rig: &Rig) -> Vec<String> {
    let listed = rig.get("worlds").await;
    let listed = listed["worlds"].as_array().expect("a list").iter();
    let sound = listed.filter(|entry| entry.get("error").is_none());
    sound.map(|entry| entry["file"].as_str().expect("a file").to_owned()).collect()
}

/// Switches this many times, around all worlds, and makes sure that each switch is the one that was asked for: the car stands in that
/// world, at its start, in a new epoch. Returns how long each took.
pub async fn switch_around(rig: &Rig, worlds: &[String], count: usize) -> Vec<Duration> {
    let mut epoch = rig.get("status").await["epoch"].as_u64().expect("a number");
    let mut took = Vec::with_capacity(count);
    for world in worlds.iter().cycle().take(count) {
        let started = Instant::now();
        let answer = rig.post("switch", json!({"world": world})).await;
        took.push(started.elapsed());
        assert_eq!(answer.status, 200, "{world}: {}", String::from_utf8_lossy(&answer.body));
        let answer = answer.json();
        assert_eq!(answer["world"], json!(world));
        let new_epoch = answer["epoch"].as_u64().expect("a number");
        assert!(new_epoch > epoch, "{world}: epoch {new_epoch} after {epoch}");
        epoch = new_epoch;
        let state = rig.get("state").await;
        assert_eq!((&state["world"], &state["epoch"]), (&json!(world), &json!(epoch)), "{world}");
        assert_eq!((&state["running"], &state["switching"]), (&json!(true), &json!(false)), "{world}");
        let route = rig.get("route").await;
        let start = route["waypoints"][0].as_array().map_or([0.0; 2], |point| [0, 1].map(|axis| number(&point[axis])));
        let car = ["x", "y"].map(|axis| number(&state["vehicle"][axis]));
        let off = (car[0] - start[0]).hypot(car[1] - start[1]);
        assert!(off < 0.2, "{world}: the car stands {off} m away from the start");
    }
    took
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().expect("a number")
}
