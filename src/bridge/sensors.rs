//! What the vehicle's sensors gave last, for whoever asks.
//!
//! The lidar is always listened to. The camera costs the simulator and the robot much, so it is listened to only while
//! somebody wants to see, and a little longer for those who ask again and again.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::bridge::wire;
use crate::domain::{Picture, Scan};
use crate::ros::{Node, RosError, topics};

/// How long the camera stays on after the last one has looked.
const LINGER: Duration = Duration::from_secs(5);
/// How often somebody is looked for who still looks.
const LOOK_AROUND: Duration = Duration::from_millis(500);

type Newest<T> = Option<Arc<T>>;

/// Refers to the sensors; cheap to clone.
#[derive(Debug, Clone)]
pub struct Sensors {
    scan: watch::Receiver<Newest<Scan>>,
    camera: Arc<CameraSwitch>,
}

/// The end that is fed.
#[derive(Debug)]
pub struct SensorsEnd {
    scan: watch::Sender<Newest<Scan>>,
    camera: Arc<CameraSwitch>,
}

#[derive(Debug)]
struct CameraSwitch {
    pictures: watch::Sender<Newest<Picture>>,
    asked: Notify,
}

/// Keeps the camera on while it is held.
#[derive(Debug)]
pub struct Camera {
    pictures: watch::Receiver<Newest<Picture>>,
}

impl Sensors {
    pub(super) fn channel() -> (Self, SensorsEnd) {
        let (sender, scan) = watch::channel(None);
        let camera = Arc::new(CameraSwitch { pictures: watch::Sender::new(None), asked: Notify::new() });
        (Self { scan, camera: camera.clone() }, SensorsEnd { scan: sender, camera })
    }

    pub(super) fn scan(&self) -> Newest<Scan> {
        self.scan.borrow().clone()
    }

    pub(super) fn camera(&self) -> Camera {
        let pictures = self.camera.pictures.subscribe();
        self.camera.asked.notify_one();
        Camera { pictures }
    }
}

impl Camera {
    /// The picture that is newest now, or else the first that comes; None when there will be none.
    pub async fn newest(&mut self) -> Newest<Picture> {
        self.pictures.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// The next one that was not seen through this camera yet; None when there will be none.
    pub async fn next(&mut self) -> Newest<Picture> {
        loop {
            self.pictures.changed().await.ok()?;
            let newest = self.pictures.borrow_and_update().clone();
            if newest.is_some() {
                return newest;
            }
        }
    }
}

impl SensorsEnd {
    pub fn show_scan(&self, scan: Scan) {
        self.scan.send_replace(Some(Arc::new(scan)));
    }

    pub fn show_picture(&self, picture: Picture) {
        self.camera.pictures.send_replace(Some(Arc::new(picture)));
    }

    /// Follows the topics until the token is cancelled.
    pub(super) async fn run(self, node: &Node, shutdown: CancellationToken) -> Result<(), RosError> {
        let mut scans = node.subscriber(&topics::SCAN)?;
        let scanning = async {
            while let Some(scan) = scans.next().await {
                self.show_scan(wire::scan(scan));
            }
            std::future::pending().await
        };
        tokio::select! {
            () = shutdown.cancelled() => Ok(()),
            ended = scanning => ended,
            failed = self.follow_camera(node) => failed,
        }
    }

    async fn follow_camera(&self, node: &Node) -> Result<(), RosError> {
        loop {
            while self.camera.pictures.receiver_count() == 0 {
                self.camera.asked.notified().await;
            }
            let mut pictures = node.subscriber(&topics::CAMERA_COMPRESSED)?;
            let mut look_around = interval(LOOK_AROUND);
            look_around.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut wanted = Instant::now();
            while wanted.elapsed() < LINGER {
                tokio::select! {
                    Some(picture) = pictures.next() => self.show_picture(wire::picture(picture)),
                    _ = look_around.tick() => {}
                }
                if self.camera.pictures.receiver_count() > 0 {
                    wanted = Instant::now();
                }
            }
            // What is seen after the pause must not pass for the present.
            self.camera.pictures.send_replace(None);
        }
    }
}
