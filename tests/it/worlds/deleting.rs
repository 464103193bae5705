//! `DELETE /worlds/<name>` over the real HTTP edge.

use std::sync::Arc;

use serde_json::json;
use sim_api::api::{ApiOptions, WorldStock};
use sim_api::domain::{Snapshot, Transition, WorldName};
use sim_api::worlds::{Catalogue, Library};

use super::fixture;
use crate::support::folder::TempFolder;
use crate::support::http::{delete, get};
use crate::support::node::{Node, running, stock};

/// A data folder with the world `oval`, beside an official `arena`.
fn stocked() -> (TempFolder, WorldStock) {
    let data = TempFolder::new();
    fixture::write(&data.path().join("worlds/oval"), &fixture::files());
    fixture::write(&data.path().join("official/arena"), &fixture::files());
    let mut stock = stock(data.path(), "http://127.0.0.1:9");
    let catalogue = Catalogue::new(vec![data.path().join("official")], data.path().join("worlds"));
    stock.library = Arc::new(Library::new(catalogue));
    (data, stock)
}

fn running_in(world: &str) -> Snapshot {
    Snapshot { world: Some(WorldName::parse(world).unwrap()), ..running() }
}

#[tokio::test]
async fn a_custom_world_disappears_and_the_others_stay() {
    let (data, stock) = stocked();
    let node = Node::showing_worlds(running_in("arena"), ApiOptions::default(), stock).await;
    let answer = delete(node.address, "/sim/api/worlds/oval").await;
    assert_eq!((answer.status, answer.json()), (200, json!({"ok": true, "deleted": "oval"})));
    assert_eq!(fixture::names(&data.path().join("worlds")), [""; 0]);
    let listed = get(node.address, "/sim/api/worlds").await.json();
    assert_eq!((&listed["worlds"][0]["name"], &listed["worlds"][1]), (&json!("arena"), &json!(null)));
    assert_eq!(delete(node.address, "/sim/api/worlds/oval").await.status, 404, "it is gone");
    node.stop().await;
}

#[tokio::test]
async fn official_and_unknown_worlds_are_refused() {
    let (data, stock) = stocked();
    let node = Node::showing_worlds(running_in("arena"), ApiOptions::default(), stock).await;
    for (name, status, code) in [
        ("arena", 403, "official_world"),
        ("nowhere", 404, "world_not_found"),
        ("..", 404, "world_not_found"),
        ("..%2fofficial", 404, "world_not_found"),
        (".hidden", 404, "world_not_found"),
    ] {
        let answer = delete(node.address, &format!("/sim/api/worlds/{name}")).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{name}");
    }
    assert!(data.path().join("official/arena").is_dir() && data.path().join("worlds/oval").is_dir());
    node.stop().await;
}

#[tokio::test]
async fn before_the_present_world_is_deleted_the_default_one_is_loaded() {
    let (data, stock) = stocked();
    let node = Node::showing_worlds(running_in("oval"), ApiOptions::default(), stock).await;
    assert_eq!(delete(node.address, "/sim/api/worlds/oval").await.status, 200);
    assert_eq!(get(node.address, "/sim/api/status").await.json()["current"], "vehicle_base");
    assert!(!data.path().join("worlds/oval").exists());
    node.stop().await;
}

#[tokio::test]
async fn a_world_that_cannot_be_left_or_may_be_on_its_way_is_not_deleted() {
    for (snapshot, status) in [
        (Snapshot { simulator_alive: false, ..running_in("oval") }, 503),
        (Snapshot { transition: Some(Transition::Switching), ..running_in("arena") }, 409),
    ] {
        let (data, stock) = stocked();
        let node = {
            let (bridge, owner) = sim_api::bridge::channel(snapshot);
            // Nobody carries anything out.
            std::mem::forget(owner);
            Node::serve_worlds(ApiOptions::default(), bridge, stock).await
        };
        assert_eq!(delete(node.address, "/sim/api/worlds/oval").await.status, status);
        assert!(data.path().join("worlds/oval").is_dir());
        node.stop().await;
    }
}
