//! What the camera shows after the answer to a write, with a real simulator and a real node: at the latest the second picture
//! stamped after the answer has the change.

use futures::StreamExt;
use serde_json::json;
use sim_api::domain::SimTime;
use sim_api::ros::msg::sensor_msgs::Image;
use sim_api::ros::{Node, NodeOptions, Subscriber, topics};

use crate::support::folder::TempFolder;
use crate::support::in_time;
use crate::support::rig::Rig;

/// Long enough for two pictures.
const TWO_PICTURES: u32 = 28;
const YELLOW_STEPS: u32 = 600;
/// More than shading and rounding, less than a lamp that is switched.
const OTHER_COLOUR: u8 = 40;
/// A lamp is larger than this many pixels where the car stands.
const LAMP_PIXELS: usize = 30;

struct Watched {
    rig: Rig,
    images: Subscriber<Image>,
    _node: Node,
}

impl Watched {
    async fn start() -> Self {
        let rig = Rig::start(TempFolder::new(), &["--world", "vehicle_city"]).await;
        let node = Node::open(NodeOptions::new("watcher", rig.domain.id)).expect("a node opens");
        let mut images = node.subscriber(&topics::CAMERA_IMAGE).expect("a subscriber opens");
        in_time(images.next()).await.expect("the camera runs");
        Self { rig, images, _node: node }
    }

    async fn write(&self, path: &str, body: serde_json::Value) -> serde_json::Value {
        let answer = self.rig.post(path, body).await;
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// The time in the simulator at this moment or a little later: that of a write which changes nothing.
    async fn now(&self) -> f64 {
        self.write("pose", json!({})).await["time"].as_f64().expect("a time")
    }

    /// The second picture stamped after this.
    async fn second_after(&mut self, time: f64) -> Image {
        let mut later = 0;
        loop {
            let image = in_time(self.images.next()).await.expect("pictures");
            // Times in answers are rounded.
            later += u32::from(SimTime::from(image.header.stamp).as_secs() > time + 1e-6);
            if later == 2 {
                return image;
            }
        }
    }

    async fn second_after_steps(&mut self, steps: u32) -> Image {
        let time = self.now().await;
        self.write("step", json!({"steps": steps})).await;
        self.second_after(time).await
    }
}

fn mean(image: &Image) -> f64 {
    image.data.iter().map(|&value| f64::from(value)).sum::<f64>() / image.data.len() as f64
}

/// How many pixels look different.
fn difference(a: &Image, b: &Image) -> usize {
    let pixels = a.data.chunks(3).zip(b.data.chunks(3));
    pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > OTHER_COLOUR)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_picture_after_the_answer_has_the_new_brightness_while_time_runs() {
    let mut watched = Watched::start().await;
    let values = [1.0, 0.4, 0.9, 0.4, 1.0];
    let mut means = Vec::new();
    for value in values {
        watched.write("brightness", json!({"value": value})).await;
        let answered = watched.now().await;
        means.push(mean(&watched.second_after(answered).await));
    }
    for (found, value) in means.iter().zip(values) {
        assert!((found / means[0] - value).abs() < 0.05, "{means:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_picture_after_the_answer_has_the_new_light() {
    let mut watched = Watched::start().await;
    watched.write("pause", json!({"paused": true})).await;
    let lights = watched.rig.get("traffic_lights").await;
    let light = &lights["lights"][0];
    let [x, y, yaw] = ["x", "y", "yaw"].map(|field| light[field].as_f64().expect("a number"));
    let (path, away) = (format!("traffic_lights/{}", light["name"].as_str().expect("a name")), 0.6);
    let facing = json!({"x": x + away * yaw.cos(), "y": y + away * yaw.sin(), "yaw": yaw + std::f64::consts::PI});
    watched.write("pose", facing).await;
    let green = watched.second_after_steps(TWO_PICTURES).await;
    let again = watched.second_after_steps(TWO_PICTURES).await;
    assert_eq!(difference(&green, &again), 0, "nothing changes by itself");

    watched.write(&path, json!({"state": "red"})).await;
    let yellow = watched.second_after_steps(TWO_PICTURES).await;
    assert!(difference(&green, &yellow) > LAMP_PIXELS, "{} pixels", difference(&green, &yellow));
    watched.write("step", json!({"steps": YELLOW_STEPS})).await;
    let red = watched.second_after_steps(TWO_PICTURES).await;
    assert!(difference(&yellow, &red) > LAMP_PIXELS, "{} pixels", difference(&yellow, &red));
    assert!(difference(&green, &red) > LAMP_PIXELS, "{} pixels", difference(&green, &red));
    watched.write(&path, json!({"state": "green"})).await;
    let back = watched.second_after_steps(TWO_PICTURES).await;
    assert_eq!(difference(&green, &back), 0, "green again");
}
