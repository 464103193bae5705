//! The camera: pictures drawn beside the physics, by a thread of their own, and only while somebody listens.
//!
//! The newest moment is drawn; one that comes while a picture is being drawn replaces the one that waits, so a slow machine
//! shows fewer pictures and never old ones. The colours of traffic lights and the brightness come from the node's topics.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tracing::error;

use crate::backend::sensing::camera_info;
use crate::backend::simulation::{Newest, Shot, Stamped};
use crate::domain::{LightState, ModelName, SimTime};
use crate::engine::load::Look;
use crate::engine::sensors::camera::CAMERA;
use crate::engine::{Painter, View};
use crate::ros::msg::sensor_msgs::Image;
use crate::ros::msg::sim_api_msgs::TrafficLights;
use crate::ros::{Node, RosError, topics};

/// How often it is asked whether somebody listens.
const LOOK_AROUND: Duration = Duration::from_millis(100);
/// Threads that draw one picture; the physics has a core of its own that way on a small machine.
const THREADS: usize = 1;

/// What the node says about how the world is shown.
#[derive(Debug, Clone)]
struct Display {
    lights: Vec<(ModelName, LightState)>,
    brightness: f32,
}

/// A finished picture.
type Picture = Stamped<Vec<u8>>;

/// Opens the topics; the future publishes until the simulation ends.
pub(super) fn publish(
    node: &Node,
    shots: Newest<Shot>,
    wanted: Arc<AtomicBool>,
) -> Result<impl Future<Output = ()> + Send + use<>, RosError> {
    let images = node.publisher(&topics::CAMERA_IMAGE)?;
    let infos = node.publisher(&topics::CAMERA_INFO)?;
    let mut lights = node.subscriber(&topics::TRAFFIC_LIGHTS)?;
    let mut brightness = node.subscriber(&topics::BRIGHTNESS)?;
    let display = Arc::new(Mutex::new(Display { lights: Vec::new(), brightness: 1.0 }));
    let (finished, mut pictures) = watch::channel(None::<Arc<Picture>>);
    let drawing = tokio::task::spawn(draw(shots, display.clone(), finished));
    Ok(async move {
        let mut look_around = interval(LOOK_AROUND);
        look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut drawing = drawing;
        loop {
            tokio::select! {
                Ok(()) = pictures.changed() => {
                    let picture = pictures.borrow_and_update().clone();
                    if let Some(picture) = picture {
                        infos.publish(camera_info(picture.stamp));
                        images.publish(image(&picture));
                    }
                }
                Some(message) = lights.next() => lock(&display).lights = light_states(&message),
                Some(message) = brightness.next() => lock(&display).brightness = message.data,
                _ = look_around.tick() => {
                    wanted.store(images.subscriber_count() > 0 || infos.subscriber_count() > 0, Relaxed);
                }
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

/// Draws each newest moment; ends with the simulation.
async fn draw(mut shots: Newest<Shot>, display: Arc<Mutex<Display>>, finished: watch::Sender<Option<Arc<Picture>>>) {
    let mut painter: Option<(Arc<Look>, Painter)> = None;
    while shots.changed().await.is_ok() {
        let Some(shot) = shots.borrow_and_update().clone() else { continue };
        let display = lock(&display).clone();
        let kept = painter.take();
        let drawn = tokio::task::spawn_blocking(move || {
            let (look, mut painter) = match kept {
                Some((look, painter)) if Arc::ptr_eq(&look, &shot.value.look) => (look, painter),
                _ => (shot.value.look.clone(), Painter::new((*shot.value.look).clone(), THREADS)),
            };
            let view = View {
                world_from_optical: shot.value.world_from_optical,
                entities: shot.value.entities.clone(),
                lights: display.lights.iter().map(|(name, state)| (name.clone(), at(*state, shot.stamp))).collect(),
                brightness: display.brightness,
            };
            let picture = Stamped { stamp: shot.stamp, value: painter.paint(&view).to_vec() };
            (look, painter, picture)
        });
        let Ok((look, used, picture)) = drawn.await else { return };
        painter = Some((look, used));
        finished.send_replace(Some(Arc::new(picture)));
    }
}

/// A yellow light is red from the step on at which the node will say so.
fn at(state: LightState, stamp: SimTime) -> LightState {
    match state {
        LightState::Yellow { red_at } if stamp >= red_at => LightState::Red,
        other => other,
    }
}

fn light_states(message: &TrafficLights) -> Vec<(ModelName, LightState)> {
    let state = |state: &str, red_at: SimTime| match state {
        "red" => LightState::Red,
        "yellow" => LightState::Yellow { red_at },
        _ => LightState::Green,
    };
    let lights = message.lights.iter().filter_map(|light| {
        let red_at = SimTime::from_sec_nanosec(light.red_at.sec, light.red_at.nanosec);
        Some((ModelName::parse(&light.name).ok()?, state(&light.state, red_at)))
    });
    lights.collect()
}

fn image(picture: &Picture) -> Image {
    Image {
        header: camera_info(picture.stamp).header,
        height: CAMERA.height,
        width: CAMERA.width,
        encoding: "rgb8".to_owned(),
        is_bigendian: 0,
        step: CAMERA.width * 3,
        data: picture.value.clone(),
    }
}

fn lock(display: &Mutex<Display>) -> std::sync::MutexGuard<'_, Display> {
    display.lock().unwrap_or_else(PoisonError::into_inner)
}
