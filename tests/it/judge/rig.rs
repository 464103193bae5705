//! A real simulator with a world whose judging script a test can write.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::folder::TempFolder;
use crate::support::http::{Answer, get, post};
use crate::support::process::SimUp;
use crate::support::wait::wait_for;

/// The world of the rig: a copy of an official one.
pub const WORLD: &str = "judged";
pub const ORIGINAL: &str = "vehicle_oval";

pub struct Rig {
    pub sim: SimUp,
}

impl Rig {
    /// With these further arguments of `sim up`.
    pub async fn start(args: &[&str]) -> Self {
        Self::start_beside(TempFolder::new(), args, &[]).await
    }

    /// In this folder, with engines or other programs found in these folders first.
    pub async fn start_beside(folder: TempFolder, args: &[&str], programs: &[PathBuf]) -> Self {
        let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds");
        copy(&worlds.join(ORIGINAL), &folder.path().join("data/worlds").join(WORLD));
        let args: Vec<_> = ["--world", WORLD].iter().chain(args).copied().collect();
        let rig = Self { sim: SimUp::start_beside(folder, &args, programs) };
        rig.wait_until_running().await;
        rig
    }

    pub async fn wait_until_running(&self) {
        wait_for("a running simulator", async || {
            // The port is not open at once.
            let stream = tokio::net::TcpStream::connect(self.sim.address).await;
            stream.ok()?;
            (self.get("status").await["running"] == true).then_some(())
        })
        .await;
        // The robot's own software answers a little later than the simulator.
        wait_for("a robot", async || (!self.get("state").await["odom"].is_null()).then_some(())).await;
    }

    fn evaluation_file(&self, extension: &str) -> PathBuf {
        self.sim.folder.path().join(format!("data/worlds/{WORLD}/evaluations/{ORIGINAL}.{extension}"))
    }

    /// From now on this script judges.
    pub fn write_script(&self, script: &str) {
        fs::write(self.evaluation_file("py"), script).expect("own folder");
    }

    pub fn write_config(&self, document: &Value) {
        fs::write(self.evaluation_file("json"), document.to_string()).expect("own folder");
    }

    pub async fn get(&self, path: &str) -> Value {
        get(self.sim.address, &format!("/sim/api/{path}")).await.json()
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        post(self.sim.address, &format!("/sim/api/{path}"), body.to_string()).await
    }

    /// The identity of the new session.
    pub async fn begin(&self, body: Value) -> String {
        let answer = self.post("evaluation/start", body).await;
        assert_eq!(answer.status, 200, "{} {}", answer.json(), self.sim.log());
        answer.json()["session_id"].as_str().expect("an identity").to_owned()
    }

    /// The whole record of the session, as soon as it is over. Waits as long as simulation time or the log goes on.
    pub async fn record_of(&self, session: &str) -> Value {
        let mut before = Value::Null;
        loop {
            let view = wait_for("progress of the session", async || {
                let view = self.get("evaluation/session").await;
                let session = &view["session"];
                let now = json!([view["active"], session["phase"], session["elapsed_s"], session["log"]]);
                (now != before).then_some(now)
            })
            .await;
            if view[0] == false {
                return self.get(&format!("evaluation/record?session={session}&full=true")).await;
            }
            before = view;
        }
    }

    /// One whole session with this script.
    pub async fn judge(&self, script: &str, body: Value) -> Value {
        self.write_script(script);
        let session = self.begin(body).await;
        self.record_of(&session).await
    }

    /// Waits until the session has come so far.
    pub async fn wait_for_phase(&self, phase: &str) {
        wait_for(phase, async || {
            let view = self.get("evaluation/session").await;
            assert!(view["active"] == true, "{view}");
            (view["session"]["phase"] == phase).then_some(())
        })
        .await;
    }
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("own folder");
    for entry in fs::read_dir(from).expect("an official world").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("own folder");
        }
    }
}
