//! The camera: pictures drawn beside the physics, by a thread of their own, and only while somebody listens.
//!
//! The newest moment is drawn; one that comes while a picture is being drawn replaces the one that waits, so a slow machine
//! shows fewer pictures and never old ones. In lockstep the stepping thread waits for each of them instead (`Frames`).

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::error;

use crate::backend::sensing::camera_info;
use crate::backend::simulation::{Frames, Newest, Observations, Shot, Stamped};
use crate::engine::load::Look;
use crate::engine::sensors::camera::CAMERA;
use crate::engine::{Painter, View};
use crate::ros::msg::sensor_msgs::{CameraInfo, Image};
use crate::ros::{Node, Publisher, RosError, topics};

/// How often it is asked whether somebody listens.
const LOOK_AROUND: Duration = Duration::from_millis(100);
/// Threads that draw one picture; the physics has a core of its own that way on a small machine.
const THREADS: usize = 1;

/// Opens the topics; the future publishes until the simulation ends.
pub(super) fn publish(node: &Node, seen: &Observations) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let topics =
        Topics { images: node.publisher(&topics::CAMERA_IMAGE)?, infos: node.publisher(&topics::CAMERA_INFO)? };
    let wanted = seen.shots_wanted.clone();
    let (shots, frames) = (seen.shots.clone(), seen.frames.clone());
    let mut drawing = tokio::spawn(draw(shots, frames, topics.clone()));
    Ok(async move {
        let mut look_around = interval(LOOK_AROUND);
        look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = look_around.tick() => wanted.store(topics.have_listeners(), Relaxed),
                ended = &mut drawing => {
                    if let Err(err) = ended {
                        error!(%err, "the camera failed");
                    }
                    return;
                }
            }
        }
    })
}

#[derive(Clone)]
struct Topics {
    images: Publisher<Image>,
    infos: Publisher<CameraInfo>,
}

impl Topics {
    fn have_listeners(&self) -> bool {
        self.images.subscriber_count() > 0 || self.infos.subscriber_count() > 0
    }
}

/// Draws and publishes each newest moment; ends with the simulation.
async fn draw(mut shots: Newest<Shot>, frames: Frames, topics: Topics) {
    let mut painter: Option<(Arc<Look>, Painter)> = None;
    while shots.changed().await.is_ok() {
        let Some(shot) = shots.borrow_and_update().clone() else { continue };
        let (number, is_awaited) = (shot.value.number, shot.value.is_awaited);
        let kept = painter.take();
        let drawn = tokio::task::spawn_blocking(move || paint(kept, &shot));
        let Ok((look, used, picture)) = drawn.await else { return };
        painter = Some((look, used));
        if is_awaited {
            // Held back by the topic's cap, it would be replaced by the next one.
            sleep(topics.images.held_back_for()).await;
        }
        topics.infos.publish(camera_info(picture.stamp));
        topics.images.publish(image(picture));
        frames.finish(number);
    }
}

fn paint(kept: Option<(Arc<Look>, Painter)>, shot: &Stamped<Shot>) -> (Arc<Look>, Painter, Stamped<Vec<u8>>) {
    let Shot { look, world_from_optical, entities, lights, brightness, .. } = &shot.value;
    let (look, mut painter) = match kept {
        Some((known, painter)) if Arc::ptr_eq(&known, look) => (known, painter),
        _ => (look.clone(), Painter::new((**look).clone(), THREADS)),
    };
    let view = View {
        world_from_optical: *world_from_optical,
        entities: entities.clone(),
        lights: lights.clone(),
        brightness: brightness.factor() as f32,
    };
    let picture = Stamped { stamp: shot.stamp, value: painter.paint(&view).to_vec() };
    (look, painter, picture)
}

fn image(picture: Stamped<Vec<u8>>) -> Image {
    Image {
        header: camera_info(picture.stamp).header,
        height: CAMERA.height,
        width: CAMERA.width,
        encoding: "rgb8".to_owned(),
        is_bigendian: 0,
        step: CAMERA.width * 3,
        data: picture.value,
    }
}
