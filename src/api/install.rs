//! `POST /worlds/install`: a published world comes from the worlds server, and the event stream tells how far it is.

use std::sync::Arc;

use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use warp::http::StatusCode;

use crate::api::body::Fields;
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{InstallEvent, InstallResponse};
use crate::worlds::{InstallError, WorldId};

/// Answers when the world is there. Whoever asks for the same one meanwhile shares the download; whoever goes away stops nothing.
pub async fn write(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let id = Fields::required("world_id", call.fields.text("world_id")?)?;
    let id = WorldId::parse(&id).map_err(InstallError::from)?;
    let installed = api.stock.installer.install(&id).await?;
    Ok(reply::json(&InstallResponse::of(&installed)))
}

/// Tells every event client of every install until `ended`; then running ones are broken off, which leaves nothing behind.
pub async fn report(api: &Api, ended: CancellationToken) {
    let mut progress = api.stock.installer.progress();
    let reporting = async {
        loop {
            match progress.recv().await {
                Ok(progress) => api.events.announce("install", &InstallEvent::of(&progress)),
                Err(RecvError::Lagged(lost)) => tracing::debug!(lost, "news of installs came too fast"),
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    };
    tokio::select! {
        () = ended.cancelled() => {}
        () = reporting => {}
    }
    api.stock.installer.shutdown().await;
}

impl From<InstallError> for ApiError {
    fn from(err: InstallError) -> Self {
        let (status, code) = match &err {
            InstallError::BadId(_) => (StatusCode::BAD_REQUEST, "bad_world_id"),
            InstallError::NotFound(_) => (StatusCode::NOT_FOUND, "world_not_published"),
            InstallError::Unreachable(_) => (StatusCode::BAD_GATEWAY, "worlds_server_unreachable"),
            InstallError::Unusable(_) => (StatusCode::BAD_GATEWAY, "unusable_world"),
            InstallError::Disk(_) => (StatusCode::INTERNAL_SERVER_ERROR, "world_not_stored"),
            InstallError::Interrupted => (StatusCode::SERVICE_UNAVAILABLE, "install_interrupted"),
        };
        Self::new(status, code, err.to_string())
    }
}
