//! A simulator and a node without anybody who would restart them.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::http::{Answer, get, post};
use crate::support::process::{Lone, free_address};
use crate::support::wait::wait_for;

pub struct Duo {
    pub folder: TempFolder,
    pub domain: TestDomain,
    pub address: std::net::SocketAddr,
    backend: Lone,
    _node: Lone,
}

impl Duo {
    pub async fn start() -> Self {
        let folder = TempFolder::new();
        let domain = TestDomain::claim();
        let address = free_address();
        let id = domain.id.to_string();
        let node_args = ["--config=/dev/null", "--domain", &id, "--bind", &address.to_string(), "--data", "data"];
        let node = Lone::start("sim_api_node", folder.path(), &node_args);
        let backend = start_backend(&folder, &domain);
        let duo = Self { folder, domain, address, backend, _node: node };
        duo.wait_running(true).await;
        duo
    }

    pub fn signal_backend(&self, signal: Signal) {
        self.backend.send(signal);
    }

    pub fn kill_backend(&mut self) {
        self.backend.kill();
    }

    pub fn restart_backend(&mut self) {
        self.backend = start_backend(&self.folder, &self.domain);
    }

    pub async fn status(&self) -> Value {
        get(self.address, "/sim/api/status").await.json()
    }

    /// How long it took until `/status` said so.
    pub async fn wait_running(&self, running: bool) -> Duration {
        let started = Instant::now();
        wait_for("a node that says whether it runs", async || {
            // The node may not listen yet.
            tokio::net::TcpStream::connect(self.address).await.ok()?;
            (self.status().await["running"] == running).then_some(())
        })
        .await;
        started.elapsed()
    }

    pub async fn teleport(&self, x: f64) -> (Answer, Duration) {
        let started = Instant::now();
        let answer = post(self.address, "/sim/api/pose", &format!("{{\"x\": {x}}}")).await;
        (answer, started.elapsed())
    }
}

fn start_backend(folder: &TempFolder, domain: &TestDomain) -> Lone {
    let id = domain.id.to_string();
    Lone::start("sim_backend", folder.path(), &["--config=/dev/null", "--domain", &id, "--data", "data"])
}
