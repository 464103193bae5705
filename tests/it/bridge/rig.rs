//! A whole node in the process of the test.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use sim_api::api::{ApiOptions, ApiServeError};
use sim_api::bridge::{self, BridgeOptions, WayIn};
use sim_api::domain::Snapshot;
use sim_api::ros::{Node, RosError};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::http::{Answer, get, post};
use crate::support::node::{OneWorld, contents, no_judge, no_worlds};
use crate::support::wait::wait_for;
use crate::support::{in_time, vehicle};

/// The bridge and the API in this process, in a world with lights.
pub struct RealNode {
    pub address: std::net::SocketAddr,
    shutdown: CancellationToken,
    bridging: JoinHandle<Result<(), RosError>>,
    serving: JoinHandle<Result<(), ApiServeError>>,
}

impl RealNode {
    /// Keeps its data in a folder under this one.
    pub async fn start(ros: Node, folder: &Path, way_in: WayIn) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (handle, end) = bridge::channel(Snapshot::default());
        let catalogue = Arc::new(OneWorld(Arc::new(contents())));
        let options = BridgeOptions { data: folder.join("data"), seed: 0, catalogue, way_in };
        let shutdown = CancellationToken::new();
        let stop = shutdown.clone();
        let bridging = tokio::spawn(async move { bridge::run(&ros, end, options, stop).await });
        let serving = tokio::spawn(sim_api::api::serve(
            listener,
            ApiOptions::default(),
            vehicle(),
            no_worlds(),
            handle,
            no_judge(),
            shutdown.clone(),
        ));
        Self { address, shutdown, bridging, serving }
    }

    pub async fn wait_running(&self) {
        wait_for("a simulator", async || (self.get("status").await["running"] == true).then_some(())).await;
    }

    pub async fn get(&self, path: &str) -> Value {
        get(self.address, &format!("/sim/api/{path}")).await.json()
    }

    pub async fn try_post(&self, path: &str, body: Value) -> Answer {
        post(self.address, &format!("/sim/api/{path}"), body.to_string()).await
    }

    /// A write that succeeds.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.try_post(path, body).await;
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    pub async fn stop(self) {
        self.shutdown.cancel();
        in_time(self.bridging).await.unwrap().unwrap();
        in_time(self.serving).await.unwrap().unwrap();
    }
}
