//! `GET /metrics`: counters and gauges in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use warp::http::StatusCode;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::routes::Route;
use crate::domain::Snapshot;
use crate::judge::handle::Tally;

/// Upper ends of the latency buckets in seconds: from a read of the snapshot to a world that is loaded.
const BUCKETS: [f64; 10] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0];

pub async fn read(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let text = api.metrics.text(&api.bridge.snapshot(), api.events.clients(), api.judge.tally());
    Ok(reply::of_type(text, "text/plain; version=0.0.4; charset=utf-8"))
}

/// Counts every answer. The number of series is bounded by the routes and the statuses they give.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: Mutex<BTreeMap<Series, Histogram>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    route: &'static str,
    method: &'static str,
    status: u16,
}

#[derive(Debug, Default)]
struct Histogram {
    /// The last one is for what is slower than all buckets.
    counts: [u64; BUCKETS.len() + 1],
    sum_s: f64,
}

impl Metrics {
    /// An answer was given; a stream counts when it begins. Without a route it was refused before one was found.
    pub fn count(&self, route: Option<&'static Route>, status: StatusCode, took: Duration) {
        let (method, route) = route.map_or(("", ""), |route| (route.method.as_str(), route.pattern));
        let series = Series { route, method, status: status.as_u16() };
        let took_s = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|end| took_s <= *end).unwrap_or(BUCKETS.len());
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let histogram = requests.entry(series).or_default();
        histogram.counts[bucket] += 1;
        histogram.sum_s += took_s;
    }

    /// All of it, with the gauges that the snapshot gives.
    pub fn text(&self, snapshot: &Snapshot, event_clients: usize, tally: &Tally) -> String {
        let mut text = String::new();
        let clock = snapshot.clock;
        let gauges = [
            ("simulator_alive", "Whether the simulator answers.", f64::from(u8::from(snapshot.simulator_alive))),
            ("event_clients", "Open event streams.", event_clients as f64),
            ("rtf", "Simulated seconds per wall second, lately.", clock.map_or(0.0, |clock| clock.rtf)),
            ("paused", "Whether the simulation is paused.", f64::from(u8::from(snapshot.paused()))),
            ("sim_time_seconds", "Simulation time.", clock.map_or(0.0, |clock| clock.sim_time.as_secs())),
            ("epoch", "Grows whenever the world is set anew.", snapshot.epoch.0 as f64),
        ];
        // Writing to a string cannot fail.
        for (name, help, value) in gauges {
            let _ = write!(text, "# HELP sim_api_{name} {help}\n# TYPE sim_api_{name} gauge\nsim_api_{name} {value}\n");
        }
        text.push_str("# HELP sim_api_evaluations_total Sessions that ended, by outcome.\n");
        text.push_str("# TYPE sim_api_evaluations_total counter\n");
        for (outcome, count) in tally.all() {
            let _ = writeln!(text, "sim_api_evaluations_total{{outcome=\"{}\"}} {count}", outcome.as_str());
        }
        text.push_str("# HELP sim_api_http_request_duration_seconds Time from a request's head to its answer's.\n");
        text.push_str("# TYPE sim_api_http_request_duration_seconds histogram\n");
        for (series, histogram) in &*self.requests.lock().unwrap_or_else(PoisonError::into_inner) {
            histogram.write(&mut text, series);
        }
        text
    }
}

impl Histogram {
    fn write(&self, text: &mut String, Series { route, method, status }: &Series) {
        let name = "sim_api_http_request_duration_seconds";
        let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
        let mut total = 0;
        for (count, end) in self.counts.iter().zip(BUCKETS) {
            total += count;
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {total}");
        }
        total += self.counts[BUCKETS.len()];
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {total}");
        let _ = writeln!(text, "{name}_sum{{{labels}}} {}\n{name}_count{{{labels}}} {total}", self.sum_s);
    }
}
