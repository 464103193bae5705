//! `/camera/image_raw` to `/camera/image_raw/compressed`.
//!
//! The raw images are subscribed only while somebody wants the compressed ones: a simulator renders only for listeners.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::join;
use super::times::Times;
use crate::robot::camera::{self, CameraError, Frame};
use crate::ros::msg::sensor_msgs::{CompressedImage, Image};
use crate::ros::{Node, Publisher, RosError, Subscriber, topics};

/// How often it is checked whether somebody listens.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Opens the topic; the future compresses.
pub fn open(
    node: Arc<Node>,
    times: Times,
    shutdown: CancellationToken,
) -> Result<impl Future<Output = Result<(), RosError>> + Send, RosError> {
    let publisher = node.publisher(&topics::CAMERA_COMPRESSED)?;
    let task = Task { times, publisher, compressing: None, waiting: None, complained: false };
    Ok(task.run(node, shutdown))
}

type Compressing = JoinHandle<Result<CompressedImage, CameraError>>;

struct Task {
    times: Times,
    publisher: Publisher<CompressedImage>,
    compressing: Option<Compressing>,
    /// The newest image that came while another one was being compressed.
    waiting: Option<Image>,
    complained: bool,
}

impl Task {
    async fn run(mut self, node: Arc<Node>, shutdown: CancellationToken) -> Result<(), RosError> {
        let mut look = tokio::time::interval(LOOK_AGAIN);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut images = None;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = look.tick() => match (self.publisher.subscriber_count() > 0, &images) {
                    (true, None) => images = Some(node.subscriber(&topics::CAMERA_IMAGE)?),
                    (false, Some(_)) => (images, self.waiting) = (None, None),
                    _ => {}
                },
                image = next(&mut images) => self.take(image),
                done = finished(&mut self.compressing) => self.pass_on(done),
            }
        }
        if let Some(compressing) = self.compressing.take() {
            // A few milliseconds of work whose outcome nobody needs any more.
            let _ = compressing.await;
        }
        Ok(())
    }

    fn take(&mut self, image: Image) {
        if !self.times.is_current(image.header.stamp.into()) {
            return;
        }
        if self.compressing.is_some() {
            self.waiting = Some(image);
        } else {
            self.compressing = Some(tokio::task::spawn_blocking(move || compress(image)));
        }
    }

    fn pass_on(&mut self, done: Result<CompressedImage, CameraError>) {
        self.compressing = None;
        match done {
            Ok(image) => {
                self.complained = false;
                if self.times.is_current(image.header.stamp.into()) {
                    self.publisher.publish(image);
                }
            }
            // Once, not with every frame.
            Err(err) if !self.complained => {
                self.complained = true;
                warn!(%err, "no compressed camera image");
            }
            Err(_) => {}
        }
        if let Some(image) = self.waiting.take() {
            self.take(image);
        }
    }
}

fn compress(image: Image) -> Result<CompressedImage, CameraError> {
    let frame = Frame {
        width: image.width,
        height: image.height,
        step: image.step,
        encoding: &image.encoding,
        data: &image.data,
    };
    let data = camera::to_jpeg(frame)?;
    Ok(CompressedImage { header: image.header, format: "jpeg".into(), data })
}

async fn next(images: &mut Option<Subscriber<Image>>) -> Image {
    if let Some(images) = images
        && let Some(image) = images.next().await
    {
        return image;
    }
    std::future::pending().await
}

/// Waits for the image; for ever when there is none.
async fn finished(compressing: &mut Option<Compressing>) -> Result<CompressedImage, CameraError> {
    match compressing {
        Some(compressing) => join(compressing).await,
        None => std::future::pending().await,
    }
}
