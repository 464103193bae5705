//! A node that is killed in the middle of installs: whatever the moment, the next start finds all or nothing.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::cdn::{Answer, Cdn};
use super::fixture::{self, Files, ID};
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::http::{Connection, delete, get, post, request};
use crate::support::process::{Lone, free_address};
use crate::support::wait::{wait_for, wait_until};

const ROUNDS: u64 = 20;
const SEED: u64 = 7;
const INSTALL: &str = "/sim/api/worlds/install";

/// A node alone: installing needs no simulator.
struct Lonely {
    node: Lone,
    address: SocketAddr,
}

impl Lonely {
    async fn start(folder: &TempFolder, domain: &TestDomain, cdn: &Cdn) -> Self {
        let address = free_address();
        let (bind, id) = (address.to_string(), domain.id.to_string());
        let args = ["--config=/dev/null", "--data=data", "--bind", &bind, "--domain", &id, "--worlds-url", &cdn.url()];
        let node = Lone::start("sim_api_node", folder.path(), &args);
        wait_for("a node that listens", async || tokio::net::TcpStream::connect(address).await.ok()).await;
        Self { node, address }
    }

    async fn worlds(&self) -> Vec<Value> {
        let listed = get(self.address, "/sim/api/worlds").await.json();
        listed["worlds"].as_array().unwrap().iter().filter(|entry| entry["official"] == false).cloned().collect()
    }
}

/// The usual world with enough in it to be caught in the middle.
fn files() -> Files {
    let mut files = fixture::files();
    files.extend((0..6).map(|number| (format!("textures/large_{number}.png"), vec![number; 200_000])));
    files
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[tokio::test]
async fn a_node_killed_at_twenty_moments_of_an_install_leaves_the_world_whole_or_absent() {
    let (folder, domain, mut dice) = (TempFolder::new(), TestDomain::claim(), Dice(SEED));
    let cdn = Cdn::start().await;
    cdn.put(&fixture::meta_path(), Answer::ok(fixture::meta(&files()).to_string()));
    for (path, content) in files() {
        cdn.put(&fixture::file_path(&path), Answer::Slow(content));
    }
    let all_parts = files().iter().map(|(_, content)| Answer::parts(content.len())).sum::<u64>();
    let ask = request("POST", INSTALL, "", json!({"world_id": ID}).to_string().as_bytes());
    let mut absent = 0;
    let mut lonely = Lonely::start(&folder, &domain, &cdn).await;
    for round in 0..ROUNDS {
        let mut client = Connection::open(lonely.address).await;
        let moment = cdn.sent_parts() + dice.below(all_parts + 1);
        client.send(&ask).await;
        wait_until("the moment", || cdn.sent_parts() >= moment).await;
        // Some of the moments lie after the last byte, where things are checked and renamed.
        tokio::time::sleep(std::time::Duration::from_micros(dice.below(20_000))).await;
        lonely.node.kill();

        lonely = Lonely::start(&folder, &domain, &cdn).await;
        let worlds = lonely.worlds().await;
        match &worlds[..] {
            [] => absent += 1,
            [world] => {
                assert_eq!((&world["world_id"], world.get("error")), (&json!(ID), None), "round {round}");
                let again = post(lonely.address, INSTALL, json!({"world_id": ID}).to_string()).await.json();
                assert_eq!(again["cached"], json!(true), "round {round}");
                assert_eq!(delete(lonely.address, &format!("/sim/api/worlds/custom_{ID}")).await.status, 200);
            }
            more => panic!("round {round}: {more:?}"),
        }
        assert_eq!(fixture::names(&folder.path().join("data/worlds")), [""; 0], "round {round}");
    }
    assert!(absent > 0, "no install was caught in the middle");

    let answer = post(lonely.address, INSTALL, json!({"world_id": ID}).to_string()).await;
    assert_eq!((answer.status, &answer.json()["cached"]), (200, &json!(false)));
    assert_eq!(lonely.worlds().await.len(), 1);
    for (path, content) in files() {
        let path = path.replace("/oval.", &format!("/custom_{ID}."));
        let stored = std::fs::read(folder.path().join(format!("data/worlds/custom_{ID}")).join(&path)).unwrap();
        assert!(stored == content, "{path}");
    }
}
