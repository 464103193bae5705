//! Worlds that are built beside the one that runs.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use sim_api::backend::catalogue::{BuiltIn, SourceError, SourcedWorld, WorldSource};
use sim_api::domain::WorldName;
use sim_api::engine::WorldDescription;
use sim_api::ros::msg::sim_api_msgs::{ApplyRequest, ApplyResponse, SimStatus};
use sim_api::ros::topics;

use futures::StreamExt;

use super::rig::{Rig, load, pause, place, position};
use crate::support::wait::{LIMIT, within};

/// Has the world `slow`, which is read only when the test says so, and `broken`, which is not readable.
#[derive(Debug)]
struct Slow {
    go: Mutex<Receiver<()>>,
    asked: Mutex<Sender<()>>,
}

impl Slow {
    /// The source, what lets it go on, and what tells that it was asked.
    fn new() -> (Arc<Self>, Sender<()>, Receiver<()>) {
        let (go_sender, go) = channel();
        let (asked, asked_receiver) = channel();
        (Arc::new(Self { go: Mutex::new(go), asked: Mutex::new(asked) }), go_sender, asked_receiver)
    }
}

impl WorldSource for Slow {
    fn names(&self) -> Vec<WorldName> {
        ["broken", "plain", "slow"].map(|name| WorldName::parse(name).unwrap()).to_vec()
    }

    fn load(&self, world: &WorldName) -> Result<SourcedWorld, SourceError> {
        match world.as_str() {
            "slow" => {
                self.asked.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap();
                let _ = self.go.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LIMIT);
                let mut description = WorldDescription { name: world.clone(), ..WorldDescription::plain() };
                description.models[0].pose.position.x = 9.0;
                Ok(SourcedWorld { description, look: None })
            }
            "broken" => Err(SourceError::Broken { world: world.clone(), reason: "line 7 is nonsense".into() }),
            _ => BuiltIn.load(world),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_world_steps_on_and_takes_commands_while_another_is_built() {
    let (source, go, asked) = Slow::new();
    let rig = Rig::start_with(1.0, source);
    let before = rig.expect(vec![pause(true)], 0).await;
    let request = ApplyRequest { commands: vec![load("slow")], ..Default::default() };
    let loading = rig.apply.call(request, LIMIT);
    let meanwhile = async {
        let asked = tokio::task::spawn_blocking(move || asked.recv_timeout(LIMIT));
        within("the loader", asked).await.unwrap().unwrap();
        let stepped = rig.expect(vec![place("box1", 4.0)], 100).await;
        assert_eq!((stepped.epoch, stepped.step), (before.epoch, before.step + 100));
        assert!((position(&stepped, "box1")[0] - 4.0).abs() < 1e-3);
        let second = rig.apply(vec![load("plain")], 0).await;
        assert_eq!(second.result, ApplyResponse::NOT_READY, "{}", second.message);
        let mut statuses = rig.node.subscriber(&topics::STATUS).unwrap();
        let status = within("a status", statuses.next()).await.unwrap();
        assert_eq!((status.state, status.world.as_str()), (SimStatus::STATE_READY, "plain"));
        go.send(()).unwrap();
        stepped
    };
    let (loaded, stepped) = tokio::join!(loading, meanwhile);
    let loaded = loaded.expect("an answer");
    assert_eq!((loaded.result, loaded.epoch), (ApplyResponse::OK, before.epoch + 1), "{}", loaded.message);
    assert_eq!(loaded.step, stepped.step, "the new world begins where the old one ended");
    assert!((position(&loaded, "box1")[0] - 9.0).abs() < 1e-6);
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_world_is_a_message_and_the_old_one_stays() {
    let (source, _go, _asked) = Slow::new();
    let rig = Rig::start_with(1.0, source);
    let before = rig.expect(vec![pause(true), place("box1", 4.0)], 0).await;
    let broken = rig.apply(vec![load("broken")], 0).await;
    assert_eq!((broken.result, broken.epoch), (ApplyResponse::REFUSED, before.epoch));
    assert!(broken.message.contains("line 7"), "{}", broken.message);
    // One that fails behind the load stops the whole request.
    let refused = rig.apply(vec![load("plain"), place("nobody", 1.0)], 0).await;
    assert_eq!(refused.result, ApplyResponse::NOT_FOUND);
    assert_eq!(rig.expect(vec![], 0).await.states, before.states);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_behind_a_load_meet_the_new_world() {
    let rig = Rig::start(1.0);
    rig.expect(vec![pause(true), place("box1", 4.0)], 0).await;
    let loaded = rig.expect(vec![load("plain"), place("vehicle", 1.0)], 10).await;
    assert!((position(&loaded, "box1")[0] - 1.5).abs() < 1e-3);
    assert!((position(&loaded, "vehicle")[0] - 1.0).abs() < 1e-3);
}
