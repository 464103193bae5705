//! A real simulator and a real node on a data folder of their own, which can be stopped and started again.

use std::net::SocketAddr;

use serde_json::Value;

use super::domain::TestDomain;
use super::folder::TempFolder;
use super::http::{Answer, get, post};
use super::process::{Lone, free_address};
use super::wait::wait_for;

pub struct Rig {
    pub folder: TempFolder,
    pub domain: TestDomain,
    pub address: SocketAddr,
    pub backend: Lone,
    pub node: Lone,
}

impl Rig {
    /// In the world that the flags name, else as the data folder `data` says.
    pub async fn start(folder: TempFolder, flags: &[&str]) -> Self {
        let (domain, address) = (TestDomain::claim(), free_address());
        let (domain_id, bind) = (domain.id.to_string(), address.to_string());
        let common = ["--config=/dev/null", "--data=data", "--domain", &domain_id, "--bind", &bind];
        let args = [&common[..], flags].concat();
        let backend = Lone::start("sim_backend", folder.path(), &args);
        let node = Lone::start("sim_api_node", folder.path(), &args);
        let rig = Self { folder, domain, address, backend, node };
        wait_for("a running world", async || {
            // The node may not listen yet.
            tokio::net::TcpStream::connect(address).await.ok()?;
            (rig.get("status").await["running"] == true).then_some(())
        })
        .await;
        rig
    }

    /// Ends both as `sim up` would and starts them again on the same data folder.
    pub async fn restart(mut self, flags: &[&str]) -> Self {
        self.node.stop();
        self.backend.stop();
        Self::start(self.folder, flags).await
    }

    pub async fn get(&self, path: &str) -> Value {
        get(self.address, &format!("/sim/api/{path}")).await.json()
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        post(self.address, &format!("/sim/api/{path}"), body.to_string()).await
    }

    /// The world that runs.
    pub async fn current(&self) -> String {
        self.get("status").await["current"].as_str().unwrap_or_default().to_owned()
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}
