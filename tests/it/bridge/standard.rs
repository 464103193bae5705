//! The node over a simulator that offers only the services of the ROS standard.

use serde_json::{Value, json};
use sim_api::bridge::{StandardOptions, WayIn};
use sim_api::domain::{ModelName, WorldName};
use sim_api::ros::msg::simulation_interfaces::{SimulationState, SimulatorFeatures as Feature};
use sim_api::ros::{Node, NodeOptions};

use super::rig::RealNode;
use super::stand_in::{EVERYTHING, PREFIX, StandIn};
use crate::support::domain::TestDomain;
use crate::support::folder::TempFolder;
use crate::support::http::{get, post};
use crate::support::process::{Lone, free_address};
use crate::support::wait::{LIMIT, wait_for};

struct Place {
    folder: TempFolder,
    domain: TestDomain,
    sim: Node,
}

impl Place {
    fn new() -> Self {
        let domain = TestDomain::claim();
        let sim = Node::open(NodeOptions::new("other_sim", domain.id)).unwrap();
        Self { folder: TempFolder::new(), domain, sim }
    }

    async fn node(&self) -> RealNode {
        let ros = Node::open(NodeOptions::new("sim_api_node", self.domain.id)).unwrap();
        let options = StandardOptions {
            prefix: PREFIX.into(),
            vehicle: ModelName::parse("vehicle").unwrap(),
            world: WorldName::parse("garden").unwrap(),
        };
        let node = RealNode::start(ros, self.folder.path(), WayIn::Standard(options)).await;
        node.wait_running().await;
        node
    }
}

/// Asks again while the simulator has not told yet what it can do, and expects this status and code then.
async fn refused(node: &RealNode, path: &str, body: Value) -> (u16, String, String) {
    let answer = wait_for("what the simulator can do", async || {
        let answer = node.try_post(path, body.clone()).await;
        (!String::from_utf8_lossy(&answer.body).contains("has not told yet")).then_some(answer)
    })
    .await;
    (answer.status, answer.code(), answer.json()["error"].as_str().unwrap().to_owned())
}

/// Ready when it has told what it can do.
async fn ready(node: &RealNode) {
    wait_for("the first write", async || (node.try_post("pose", json!({})).await.status == 200).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_the_standard_knows_works() {
    let place = Place::new();
    let other = StandIn::start(&place.sim, EVERYTHING);
    let node = place.node().await;
    ready(&node).await;
    let state = wait_for("the name of its world", async || {
        let state = node.get("state").await;
        (state["current"] == "meadow").then_some(state)
    })
    .await;
    assert_eq!(state["objects"].as_object().unwrap().keys().collect::<Vec<_>>(), ["box1"]);
    assert!(state.get("joints").is_none(), "it publishes none");

    let placed = node.post("pose", json!({"x": 4, "yaw": 1})).await;
    assert_eq!((&placed["pose"]["x"], &placed["pose"]["yaw"]), (&json!(4.0), &json!(1.0)));
    assert_eq!(node.get("pose").await["x"], 4.0, "read your writes");
    let moved = node.post("models/box1/pose", json!({"y": -2})).await;
    assert_eq!((&moved["model"]["x"], &moved["model"]["y"]), (&json!(1.5), &json!(-2.0)));

    let before = node.get("state").await;
    let reset = node.post("reset", json!({})).await;
    assert_eq!(reset["reset"], json!(["box1", "vehicle"]));
    let after = node.get("state").await;
    assert_eq!((&after["vehicle"]["x"], &after["objects"]["box1"]["y"]), (&json!(0.0), &json!(0.0)));
    assert_eq!(after["epoch"].as_u64(), before["epoch"].as_u64().map(|epoch| epoch + 1));
    assert!(after["time"].as_f64() >= before["time"].as_f64(), "its clock went back, ours did not");

    node.post("pause", json!({"paused": true})).await;
    assert_eq!(other.inside().state, SimulationState::STATE_PAUSED);
    let paused = node.get("state").await;
    let stepped = node.post("step", json!({"steps": 4})).await;
    assert!((stepped["time"].as_f64().unwrap() - paused["time"].as_f64().unwrap() - 0.02).abs() < 1e-6, "{stepped}");
    assert_eq!(other.inside().steps_asked, [1, 1, 1, 1], "it does not offer several steps at once");
    let (status, code, _) = refused(&node, "step", json!({"steps": 1, "speed": 1})).await;
    assert_eq!((status, code.as_str()), (422, "not_supported"));
    node.post("pause", json!({"paused": false})).await;

    let switched = node.post("respawn", json!({})).await;
    assert_eq!(switched["world"], "meadow.world");
    assert_eq!(other.inside().state, SimulationState::STATE_PLAYING, "the standard stops a loaded world");
    assert!(switched["epoch"].as_u64() > after["epoch"].as_u64());
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_simulator_cannot_do_is_said_and_reads_go_on() {
    let place = Place::new();
    let _other = StandIn::start(&place.sim, &[Feature::ENTITY_STATE_GETTING]);
    let node = place.node().await;
    assert_eq!(node.get("status").await["current"], "garden", "the world is what the settings say");
    for (path, body) in [
        ("pose", json!({"x": 1})),
        ("models/box1/pose", json!({"x": 1})),
        ("reset", json!({})),
        ("respawn", json!({})),
        ("pause", json!({"paused": true})),
    ] {
        let (status, code, error) = refused(&node, path, body).await;
        assert_eq!((status, code.as_str()), (422, "not_supported"), "{path}");
        assert!(error.starts_with("this simulator cannot "), "{error}");
    }
    assert_eq!(node.get("status").await["running"], true);
    let first = node.get("state").await["time"].as_f64();
    wait_for("time that goes on", async || (node.get("state").await["time"].as_f64() > first).then_some(())).await;
    // What belongs to the node needs no simulator.
    node.post("brightness", json!({"value": 0.5})).await;
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_counts_when_a_later_state_shows_it() {
    let place = Place::new();
    let other = StandIn::start(&place.sim, EVERYTHING);
    let node = place.node().await;
    ready(&node).await;
    other.inside().delay = 10;
    let placed = node.post("pose", json!({"x": 4})).await;
    assert_eq!(placed["pose"]["x"], 4.0);
    // A step smaller than a wheel's width is not taken for done either.
    let placed = node.post("pose", json!({"x": 4.05})).await;
    assert_eq!(placed["pose"]["x"], 4.05);
    other.inside().delay = usize::MAX;
    let answer = node.try_post("pose", json!({"x": 9})).await;
    assert_eq!((answer.status, answer.code()), (503, "not_confirmed".into()));
    assert_eq!(node.get("pose").await["x"], 4.05);
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_world_and_a_missing_one_are_answers() {
    let place = Place::new();
    let other = StandIn::start(&place.sim, EVERYTHING);
    let node = place.node().await;
    ready(&node).await;
    wait_for("the world's name", async || (node.get("status").await["current"] == "meadow").then_some(())).await;
    other.inside().world = "broken".into();
    wait_for("another world", async || (node.get("status").await["current"] == "broken").then_some(())).await;
    let (status, code, error) = refused(&node, "respawn", json!({})).await;
    assert_eq!((status, code.as_str(), error.as_str()), (422, "refused", "line 3 makes no sense"));
    assert_eq!(node.get("status").await["transition"], Value::Null);
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn death_return_and_a_clock_set_back_are_new_epochs() {
    let place = Place::new();
    let other = StandIn::start(&place.sim, EVERYTHING);
    let node = place.node().await;
    ready(&node).await;
    let first = node.get("state").await;
    other.inside().ticks = 0;
    let rewound = wait_for("a new epoch", async || {
        let state = node.get("state").await;
        (state["epoch"].as_u64() > first["epoch"].as_u64()).then_some(state)
    })
    .await;
    assert!(rewound["time"].as_f64() >= first["time"].as_f64(), "time never goes back: {first} {rewound}");
    drop(other);
    wait_for("its death", async || (node.get("status").await["running"] == false).then_some(())).await;
    let answer = node.try_post("pose", json!({})).await;
    assert_eq!((answer.status, answer.code()), (503, "simulator_not_running".into()));
    let _other = StandIn::start(&place.sim, EVERYTHING);
    node.wait_running().await;
    ready(&node).await;
    let returned = node.get("state").await;
    assert!(returned["epoch"].as_u64() > rewound["epoch"].as_u64());
    assert!(returned["time"].as_f64() >= rewound["time"].as_f64());
    node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn our_own_simulator_is_also_one_that_offers_the_standard() {
    let (folder, domain, address) = (TempFolder::new(), TestDomain::claim(), free_address());
    let (id, bind) = (domain.id.to_string(), address.to_string());
    let common = ["--config=/dev/null", "--world=plain", "--domain", &id, "--data", "data"];
    let _backend = Lone::start("sim_backend", folder.path(), &common);
    let external = ["--backend=external", "--backend-prefix=/sim_backend", "--bind", &bind];
    let _node = Lone::start("sim_api_node", folder.path(), &[&common[..], &external].concat());
    let placed = wait_for("a write that succeeds", async || {
        tokio::net::TcpStream::connect(address).await.ok()?;
        let answer = post(address, "/sim/api/pose", json!({"x": 2, "yaw": 0.5}).to_string()).await;
        (answer.status == 200).then(|| answer.json())
    })
    .await;
    assert!((placed["pose"]["x"].as_f64().unwrap() - 2.0).abs() < 0.01, "{placed}");
    let status = get(address, "/sim/api/status").await.json();
    assert_eq!((&status["current"], &status["backend"]), (&json!("plain"), &json!("/sim_backend")));
    let reset = post(address, "/sim/api/reset", "{}").await.json();
    assert_eq!(reset["reset"], json!(["box1", "vehicle"]), "what never moves is no object");
    let pose = get(address, "/sim/api/pose").await.json();
    assert!(pose["x"].as_f64().unwrap().abs() < 0.1, "{pose} after {LIMIT:?} at most");
    assert_eq!(post(address, "/sim/api/respawn", "{}").await.json()["world"], "plain.world");
}
