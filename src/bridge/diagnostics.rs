//! How the node and its simulator are doing, in the words of ROS tools.

use crate::domain::Snapshot;
use crate::ros::msg::diagnostic_msgs::{DiagnosticArray, DiagnosticStatus, KeyValue};
use crate::ros::msg::std_msgs::Header;

/// One entry for the simulator and one for the API.
pub fn report(snapshot: &Snapshot, event_clients: usize) -> DiagnosticArray {
    let (level, message) = if !snapshot.simulator_alive {
        (DiagnosticStatus::ERROR, "the simulator does not answer")
    } else if let Some(transition) = snapshot.transition {
        (DiagnosticStatus::WARN, transition.as_str())
    } else if !snapshot.running() {
        (DiagnosticStatus::WARN, "no world running")
    } else {
        (DiagnosticStatus::OK, "running")
    };
    let clock = snapshot.clock;
    let simulator = DiagnosticStatus {
        level,
        name: "sim_api: simulator".into(),
        message: message.into(),
        hardware_id: "sim_api".into(),
        values: vec![
            value("alive", snapshot.simulator_alive),
            value("world", snapshot.world.as_ref().map_or("", |world| world.as_str())),
            value("epoch", snapshot.epoch.0),
            value("rtf", format!("{:.3}", clock.map_or(0.0, |clock| clock.rtf))),
            value("paused", snapshot.paused()),
        ],
    };
    let api = DiagnosticStatus {
        level: DiagnosticStatus::OK,
        name: "sim_api: HTTP API".into(),
        message: "serving".into(),
        hardware_id: "sim_api".into(),
        values: vec![value("event_clients", event_clients)],
    };
    let stamp = clock.map(|clock| clock.sim_time.into()).unwrap_or_default();
    DiagnosticArray { header: Header { stamp, frame_id: String::new() }, status: vec![simulator, api] }
}

fn value(key: &str, value: impl ToString) -> KeyValue {
    KeyValue { key: key.to_owned(), value: value.to_string() }
}
