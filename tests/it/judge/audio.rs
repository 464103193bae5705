//! What the robot's speaker is told reaches the judging script, each event once.

use serde_json::json;
use sim_api::ros::msg::sim_api_msgs::AudioEvent;
use sim_api::ros::{Node, NodeOptions, topics};

use super::rig::Rig;
use crate::support::wait::{wait_for, wait_until};

/// Keeps everything that it hears, bytes as a list of numbers, until the horn stops.
const LISTENER: &str = r#"
heard = []
playing = []

def evaluate(sim):
    for event in sim.state.audio.events:
        heard.append([event.type, event.id, list(event.get("data", b""))])
    for sound in sim.state.audio.playing:
        if [sound.id, sound.kind] not in playing:
            playing.append([sound.id, sound.kind])
    sim.record({"heard": heard, "playing": playing})
    if heard and heard[-1][:2] == ["stop", "horn"]:
        sim.finish()
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_script_hears_what_the_robot_plays() {
    let rig = Rig::start(&[]).await;
    rig.write_script(LISTENER);
    let student = Node::open(NodeOptions::new("student", rig.sim.domain.id)).expect("a node opens");
    let audio = student.publisher(&topics::AUDIO).expect("a publisher opens");
    wait_until("the node", || audio.subscriber_count() >= 1).await;
    let session = rig.begin(json!({})).await;
    rig.wait_for_phase("running").await;
    let event =
        |kind, id: &str, data: &[u8]| AudioEvent { kind, id: id.into(), data: data.to_vec(), ..AudioEvent::default() };
    audio.publish(event(AudioEvent::PLAY, "horn", &[82, 73, 70, 70]));
    let chunk = AudioEvent { sample_rate: 16_000, channels: 1, ..event(AudioEvent::CHUNK, "voice", &[0, 255, 1, 2]) };
    audio.publish(chunk);
    wait_for("a script that has heard both", async || {
        let view = rig.get("evaluation/session").await;
        (view["session"]["record"]["heard"].as_array().is_some_and(|heard| heard.len() == 2)).then_some(())
    })
    .await;
    audio.publish(event(AudioEvent::STOP, "horn", &[]));
    let record = rig.record_of(&session).await;
    assert_eq!(record["outcome"], "finished", "{record}");
    assert_eq!(
        record["record"]["heard"],
        json!([["play", "horn", [82, 73, 70, 70]], ["chunk", "voice", [0, 255, 1, 2]], ["stop", "horn", []]])
    );
    // A stream is over as soon as its few samples are; a file of unknown length plays until it is stopped.
    assert_eq!(record["record"]["playing"][0], json!(["horn", "file"]));
}
