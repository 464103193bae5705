//! The HTTP edge: everything that clients see under `/sim/api`.
//!
//! This is the only module that knows warp and the only one that knows the JSON on the wire. Reads answer from the
//! newest snapshot and never wait for the simulator; writes go through the bridge and answer when they are in effect.
//! A request passes the guard, then the table of routes, then one handler; a failure on the way is an answer with a
//! status, a permanent code and a sentence. Nothing here decides what the simulator does.

mod blocking;
pub mod body;
mod brightness;
mod cached;
mod camera;
mod cdn;
mod clock;
mod context;
mod dispatch;
mod docs;
mod drive;
mod error;
mod evaluation;
pub mod events;
pub mod frames;
pub mod guard;
mod install;
pub mod metrics;
mod models;
pub mod openapi;
mod overlay;
mod pause;
mod pose;
mod reply;
pub mod request;
mod reset;
mod respawn;
pub mod routes;
mod scan;
mod scene;
mod server;
mod stall;
mod state;
mod status;
mod step;
mod traffic_lights;
mod vehicle;
mod viewer;
mod welcome;
pub mod wire;
mod world;
mod world_files;
mod worlds;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use blocking::blocking;
pub use cdn::PREFIX as CDN_PREFIX;
pub use context::{ApiOptions, WorldStock};
pub use error::ApiError;
pub use server::{ApiServeError, ConnectionLimits};

use crate::bridge::BridgeHandle;
use crate::domain::VehicleSpec;
use crate::judge::JudgeHandle;

/// Serves the API on `listener` until `shutdown` is cancelled.
///
/// After that no connection is accepted, event streams end, requests under way get a few seconds to finish, and the
/// rest is cut off; when this returns, none of its tasks is left.
pub async fn serve(
    listener: TcpListener,
    options: ApiOptions,
    vehicle: VehicleSpec,
    worlds: WorldStock,
    bridge: BridgeHandle,
    judge: JudgeHandle,
    shutdown: CancellationToken,
) -> Result<(), ApiServeError> {
    let limits = options.limits.clone();
    let api = context::Api::new(options, vehicle, worlds, bridge, judge.clone(), shutdown.clone());
    // When accepting fails for good, the pacing of frames and the installs must end as well, so that the caller learns of it.
    let pacing_ends = shutdown.child_token();
    let pacing = api.events.pace(pacing_ends.clone());
    let announcing = evaluation::announce(judge, &api.events, pacing_ends.clone());
    let installing = install::report(&api, pacing_ends.clone());
    let serving = async {
        let _ends_pacing = pacing_ends.drop_guard();
        server::run(listener, dispatch::filter(api.clone()), limits, shutdown).await
    };
    tokio::join!(pacing, announcing, installing, serving).3
}
