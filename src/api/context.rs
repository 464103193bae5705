//! What every handler can reach: the settings, the bridge, the shared frames, the event hub.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::api::events::EventHub;
use crate::api::frames::Frames;
use crate::api::guard::GuardOptions;
use crate::api::metrics::Metrics;
use crate::api::scene::LastScene;
use crate::api::server::ConnectionLimits;
use crate::api::viewer::ViewerFiles;
use crate::bridge::BridgeHandle;
use crate::domain::VehicleSpec;
use crate::judge::JudgeHandle;
use crate::worlds::{Cdn, Installer, Library, Store};

/// How the API presents itself and whom it serves.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiOptions {
    /// When set, every request must carry it.
    pub token: Option<String>,
    /// Names beyond the loopback ones under which clients may reach this server, with or without a port.
    pub allowed_hosts: Vec<String>,
    /// The program's version, shown by `/status`.
    pub version: String,
    /// Which simulator stands behind this, shown by `/status`.
    pub backend: String,
    /// Whether evaluations may run students' commands here.
    pub evaluation_commands: bool,
    /// Changes when the files of the world change, so that pages know to fetch them again.
    pub assets_version: String,
    /// An event stream that has nothing to say for this long sends a comment.
    pub keep_alive: Duration,
    pub limits: ConnectionLimits,
    /// Where the built page lies; without one, `/sim` answers with a few words.
    pub viewer: Option<PathBuf>,
}

impl Default for ApiOptions {
    fn default() -> Self {
        Self {
            token: None,
            allowed_hosts: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            backend: "sim_backend".to_owned(),
            evaluation_commands: true,
            assets_version: env!("CARGO_PKG_VERSION").to_owned(),
            // Clients are promised a sign of life every 15 s; this leaves room for a slow network.
            keep_alive: Duration::from_secs(12),
            limits: ConnectionLimits::default(),
            viewer: None,
        }
    }
}

/// The worlds: what is known of them, and what makes more or fewer of them.
#[derive(Debug, Clone)]
pub struct WorldStock {
    pub library: Arc<Library>,
    pub store: Store,
    pub installer: Installer,
    /// Published on this machine; served at `/cdn/`.
    pub cdn: Cdn,
    /// Where installs come from; none is set when that is our own `/cdn/`.
    pub worlds_url: Option<String>,
}

/// One per server, shared by all its requests.
#[derive(Debug)]
pub struct Api {
    pub options: ApiOptions,
    pub guard: GuardOptions,
    pub bridge: BridgeHandle,
    pub frames: Arc<Frames>,
    pub events: EventHub,
    pub vehicle: VehicleSpec,
    pub worlds: Arc<Library>,
    pub stock: WorldStock,
    pub judge: JudgeHandle,
    pub metrics: Metrics,
    pub last_scene: LastScene,
    pub viewer: ViewerFiles,
    /// Ends streams.
    pub shutdown: CancellationToken,
}

impl Api {
    pub fn new(
        options: ApiOptions,
        vehicle: VehicleSpec,
        stock: WorldStock,
        bridge: BridgeHandle,
        judge: JudgeHandle,
        shutdown: CancellationToken,
    ) -> Arc<Self> {
        let frames = Arc::new(Frames::new(bridge.clone()));
        let events = EventHub::new(frames.clone(), bridge.clone(), options.keep_alive, shutdown.clone());
        let guard = GuardOptions { token: options.token.clone(), allowed_hosts: options.allowed_hosts.clone() };
        let viewer = options.viewer.as_deref().map(ViewerFiles::read).unwrap_or_default();
        Arc::new(Self {
            options,
            guard,
            bridge,
            frames,
            events,
            vehicle,
            worlds: stock.library.clone(),
            stock,
            judge,
            metrics: Metrics::default(),
            last_scene: LastScene::default(),
            viewer,
            shutdown,
        })
    }
}
