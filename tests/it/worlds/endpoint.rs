//! `POST /worlds/install` over the real HTTP edge: answers, refusals and events.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sim_api::api::ApiOptions;
use sim_api::worlds::{InstallLimits, InstallOptions, Installer};
use tokio::sync::Semaphore;

use super::cdn::{Answer, Cdn};
use super::fixture::{self, ID, REV};
use super::zip_bytes::{ZipEntry, zip};
use crate::support::folder::TempFolder;
use crate::support::http::{self, Connection, get, request};
use crate::support::node::{Node, running, stock};
use crate::support::wait::wait_until;

const INSTALL: &str = "/sim/api/worlds/install";

/// A node with a data folder of its own.
struct Site {
    data: TempFolder,
    node: Node,
}

impl Site {
    async fn new(worlds_url: &str) -> Self {
        Self::with(InstallOptions::new(worlds_url)).await
    }

    async fn with(options: InstallOptions) -> Self {
        let data = TempFolder::new();
        let mut stock = stock(data.path(), &options.worlds_url);
        stock.installer = Installer::new(stock.store.clone(), options).unwrap();
        let node = Node::showing_worlds(running(), ApiOptions::default(), stock).await;
        Self { data, node }
    }

    async fn install(&self, id: &str) -> http::Answer {
        http::post(self.node.address, INSTALL, json!({"world_id": id}).to_string()).await
    }

    fn leftovers(&self) -> Vec<String> {
        fixture::names(&self.data.path().join("worlds"))
    }
}

#[tokio::test]
async fn an_installed_world_is_listed_and_the_second_time_it_is_cached() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn.url()).await;
    let mut answer = json!({
        "ok": true, "world": format!("custom_{ID}.world"), "name": format!("custom_{ID}"), "world_id": ID, "rev": REV,
        "cached": false,
    });
    assert_eq!(site.install(&ID.to_uppercase()).await.json(), answer);
    answer["cached"] = json!(true);
    assert_eq!(site.install(ID).await.json(), answer);
    let listed = get(site.node.address, "/sim/api/worlds").await.json();
    assert_eq!(listed["worlds"][0]["world_id"], json!(ID));
    assert_eq!((&listed["worlds"][0]["display"], listed["worlds"][0].get("error")), (&json!("Oval"), None));
    let route = get(site.node.address, &format!("/sim/api/worlds/custom_{ID}/waypoints.npy")).await;
    assert_eq!(route.body, fixture::square().to_npy());
    site.node.stop().await;
}

#[tokio::test]
async fn event_clients_see_an_install_from_its_download_to_its_end() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn.url()).await;
    let mut events = Connection::open(site.node.address).await;
    events.send(&request("GET", "/sim/api/events", "", b"")).await;
    assert!(events.event_stream().await);
    assert_eq!(site.install(ID).await.status, 200);
    let first = next_install(&mut events).await;
    assert_eq!((&first["world_id"], &first["phase"], &first["bytes"]), (&json!(ID), &json!("download"), &json!(0)));
    let mut phases = vec!["download".to_owned()];
    while phases.last().is_some_and(|phase| phase != "done") {
        let event = next_install(&mut events).await;
        assert!(event["bytes"].as_u64() <= event["total"].as_u64().or(Some(u64::MAX)), "{event}");
        phases.push(event["phase"].as_str().unwrap().to_owned());
    }
    assert_eq!(phases[phases.len() - 2..], ["check", "done"]);
    assert_eq!(site.install(&"f".repeat(32)).await.code(), "world_not_published");
    let failed = next_install(&mut events).await;
    assert_eq!((&failed["phase"], &failed["world_id"]), (&json!("failed"), &json!("f".repeat(32))));
    assert!(failed["error"].as_str().is_some_and(|error| error.contains("has no world")), "{failed}");
    site.node.stop().await;
}

/// The data of the next `install` event.
async fn next_install(events: &mut Connection) -> Value {
    loop {
        let event = events.event().await.expect("the stream goes on");
        if let Some(data) = event.strip_prefix("event: install\ndata: ") {
            return serde_json::from_str(data).expect("its data is JSON");
        }
    }
}

#[tokio::test]
async fn every_failure_has_its_status_and_leaves_nothing() {
    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn.url()).await;
    for body in ["{}", "{\"world_id\": null}", "{\"world_id\": 7}"] {
        let answer = http::post(site.node.address, INSTALL, body).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_field"), "{body}");
    }
    for id in ["", "custom_x", "../../etc/passwd", &"g".repeat(32), &"a".repeat(31)] {
        let answer = site.install(id).await;
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_world_id"), "{id}");
    }
    let answer = site.install(&"0".repeat(32)).await;
    assert_eq!((answer.status, answer.code().as_str()), (404, "world_not_published"));
    cdn.put(&fixture::meta_path(), Answer::ok("{\"rev\": \"no\"}"));
    let answer = site.install(ID).await;
    assert_eq!((answer.status, answer.code().as_str()), (502, "unusable_world"));
    assert_eq!(site.leftovers(), [""; 0]);
    site.node.stop().await;

    let site = Site::new("http://127.0.0.1:9").await;
    let answer = site.install(ID).await;
    assert_eq!((answer.status, answer.code().as_str()), (502, "worlds_server_unreachable"));
    site.node.stop().await;

    let cdn = fixture::serve(&fixture::files()).await;
    let site = Site::new(&cdn.url()).await;
    std::fs::write(site.data.path().join("worlds"), "in the way").unwrap();
    let answer = site.install(ID).await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "world_not_stored"));
    site.node.stop().await;
}

#[tokio::test]
async fn reads_and_other_installs_go_on_beside_one_that_hangs_and_the_end_of_the_node_answers_it() {
    let cdn = fixture::serve(&fixture::files()).await;
    cdn.put(&fixture::file_path("worlds/oval.world"), Answer::Silence);
    let site = Site::new(&cdn.url()).await;
    let mut hanging = Connection::open(site.node.address).await;
    hanging.send(&request("POST", INSTALL, "", json!({"world_id": ID}).to_string().as_bytes())).await;
    wait_until("the download", || cdn.requests().contains(&fixture::file_path("worlds/oval.world"))).await;
    for path in ["state", "worlds", "status"] {
        assert_eq!(get(site.node.address, &format!("/sim/api/{path}")).await.status, 200);
    }
    assert_eq!(http::post(site.node.address, "/sim/api/pose", "{\"x\": 1}").await.status, 200);
    assert_eq!(site.install(&"0".repeat(32)).await.status, 404);
    assert_eq!(get(site.node.address, "/sim/api/worlds").await.json()["worlds"], json!([]));
    let Site { data, node } = site;
    let (answer, ()) = tokio::join!(hanging.answer(), node.stop());
    let answer = answer.expect("an answer before the end");
    assert_eq!((answer.status, answer.code().as_str()), (503, "install_interrupted"));
    // What a blocking part was doing at that moment it does to its end.
    wait_until("an empty folder", || fixture::names(&data.path().join("worlds")).is_empty()).await;
}

#[tokio::test]
async fn two_clients_share_one_download_and_one_that_leaves_stops_nothing() {
    let files = fixture::files();
    let cdn = fixture::serve(&files).await;
    let gate = Arc::new(Semaphore::new(0));
    cdn.put(&fixture::file_path("worlds/oval.world"), Answer::Gated(gate.clone(), fixture::WORLD.into()));
    let site = Site::new(&cdn.url()).await;
    let ask = request("POST", INSTALL, "", json!({"world_id": ID}).to_string().as_bytes());
    let mut gone = Connection::open(site.node.address).await;
    gone.send(&ask).await;
    wait_until("the download", || cdn.requests().contains(&fixture::file_path("worlds/oval.world"))).await;
    drop(gone);
    let mut clients = Vec::new();
    for _ in 0..3 {
        let mut client = Connection::open(site.node.address).await;
        client.send(&ask).await;
        clients.push(client);
    }
    // Asked on the same connection before its install has ended, so that all of them have been taken up.
    assert_eq!(get(site.node.address, "/sim/api/status").await.status, 200);
    gate.add_permits(1);
    for mut client in clients {
        let answer = client.answer().await.expect("an answer").json();
        assert_eq!((&answer["ok"], &answer["rev"]), (&json!(true), &json!(REV)));
    }
    let downloads = cdn.requests().iter().filter(|path| path.ends_with("oval.world")).count();
    assert_eq!(downloads, 1);
    site.node.stop().await;
}

/// A server whose one change makes its world hostile or broken.
async fn hostile(change: impl FnOnce(&mut Value, &Cdn)) -> Cdn {
    let cdn = fixture::serve(&fixture::files()).await;
    let mut meta = fixture::meta(&fixture::files());
    change(&mut meta, &cdn);
    cdn.put(&fixture::meta_path(), Answer::ok(meta.to_string()));
    cdn
}

fn lists(path: &'static str) -> impl FnOnce(&mut Value, &Cdn) {
    move |meta, _| meta["files"].as_array_mut().unwrap().push(path.into())
}

fn zipped(extra: ZipEntry<'static>) -> impl FnOnce(&mut Value, &Cdn) {
    move |meta, cdn| {
        let world = ZipEntry::file("worlds/oval.world", fixture::WORLD.as_bytes());
        meta["archive"] = "bundle.zip".into();
        meta["files"] = json!([]);
        cdn.put(&fixture::file_path("bundle.zip"), Answer::ok(zip(&[world, extra])));
    }
}

fn answers(path: &'static str, answer: Answer) -> impl FnOnce(&mut Value, &Cdn) {
    move |_, cdn| cdn.put(&fixture::file_path(path), answer)
}

#[tokio::test]
async fn hostile_worlds_are_a_502_with_a_clear_sentence_and_nothing_is_left() {
    let model = "models/cone/model.sdf";
    let big = vec![0; 3 << 20];
    let cases = [
        (hostile(lists("../evil")).await, "climbs out"),
        (hostile(lists("/etc/passwd")).await, "is absolute"),
        (hostile(lists("C:\\evil.dll")).await, "holds a"),
        (hostile(lists("textures\\evil")).await, "holds a backslash"),
        (hostile(lists("textures/FIELD.png")).await, "upper and lower case"),
        (hostile(lists("textures/a\u{7}.png")).await, "control character"),
        (hostile(lists("textures/\u{202e}gnp.exe")).await, "direction of writing"),
        (hostile(|meta, _| meta["files"] = json!(["models/cone/model.sdf"])).await, "no file worlds/*.world"),
        (hostile(lists("worlds/second.world")).await, "more than one world file"),
        (hostile(|meta, _| meta["rev"] = json!("../../x")).await, "meta.json is not as it should be"),
        (hostile(|meta, _| *meta = json!([1, 2])).await, "meta.json is not as it should be"),
        (hostile(zipped(ZipEntry::file("../evil", b"x"))).await, "climbs out"),
        (
            hostile(zipped(ZipEntry { mode: 0o120_777, ..ZipEntry::file("textures/a.png", b"/etc") })).await,
            "neither a file",
        ),
        (
            hostile(zipped(ZipEntry { claimed_size: Some(3), ..ZipEntry::file("textures/a.png", b"more") })).await,
            "zip file cannot be read",
        ),
        (hostile(answers(model, Answer::ok(big))).await, "is larger than"),
        (hostile(answers(model, Answer::Endless)).await, "is larger than"),
        (hostile(answers(model, Answer::Stall(b"<sdf/>".to_vec()))).await, "no data came for too long"),
        (hostile(answers(model, Answer::Announced(1000, b"<sdf/>".to_vec()))).await, "ended too early"),
        (hostile(answers(model, Answer::redirect("http://169.254.169.254/latest"))).await, "private address"),
        (hostile(answers(model, Answer::Plain(500, String::new(), Vec::new()))).await, "HTTP status 500"),
        (hostile(answers("worlds/oval.world", Answer::ok("hello"))).await, "no <sdf> element"),
    ];
    for (cdn, wanted) in cases {
        let limits = InstallLimits { file_bytes: 1 << 20, all_bytes: 2 << 20, ..InstallLimits::default() };
        let idle_timeout = Duration::from_millis(300);
        let site = Site::with(InstallOptions { limits, idle_timeout, ..InstallOptions::new(cdn.url()) }).await;
        let answer = site.install(ID).await;
        let sentence = answer.json()["error"].as_str().unwrap().to_owned();
        assert_eq!((answer.status, answer.code().as_str()), (502, "unusable_world"), "{sentence}");
        assert!(sentence.contains(wanted), "{wanted}: {sentence}");
        assert_eq!(get(site.node.address, "/sim/api/worlds").await.json()["worlds"], json!([]));
        assert_eq!(site.leftovers(), [""; 0], "{sentence}");
        site.node.stop().await;
    }
}
