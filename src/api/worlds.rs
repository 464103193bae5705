//! `GET /worlds`, `/worldpub`, `POST /switch` and the files that a world offers for download.

use std::sync::Arc;

use bytes::Bytes;
use warp::http::StatusCode;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{SwitchResponse, WorldEntryBody, WorldpubResponse, WorldsResponse};
use crate::api::world;
use crate::domain::WorldName;
use crate::worlds::{Bundle, CatalogueError, LibraryError, WorldId};

/// The largest picture that is worth showing in a list.
const MAX_PICTURE_BYTES: u64 = 16 << 20;

pub async fn list(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let library = api.worlds.clone();
    let entries = blocking(move || library.catalogue().list()).await?;
    let current = api.bridge.snapshot().world.as_ref().map(ToString::to_string);
    Ok(reply::json(&WorldsResponse { worlds: entries.iter().map(WorldEntryBody::of).collect(), current }))
}

pub async fn publication(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let (_, world) = world::present(&api)?;
    Ok(reply::json(&WorldpubResponse::of(&world, &api.options.version)))
}

/// Answers when the car stands in the new world.
pub async fn switch(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (file, id) = (call.fields.text("world")?, call.fields.text("world_id")?);
    let library = api.worlds.clone();
    let wanted = move || -> Result<WorldName, LibraryError> {
        let catalogue = library.catalogue();
        let bundle = match (file, id) {
            (Some(file), _) => catalogue.find_file(&file)?,
            (None, Some(id)) => catalogue.find_id(&WorldId::parse(&id).map_err(|_| CatalogueError::BadId)?)?,
            (None, None) => return Err(CatalogueError::NothingNamed.into()),
        };
        // Read here, so that everything about it is at hand when the simulator has loaded it.
        Ok(library.read(bundle.name())?.name.clone())
    };
    let world = blocking(wanted).await??;
    let done = api.bridge.switch(world.clone()).await?;
    Ok(reply::json(&SwitchResponse { ok: true, world: world.file(), epoch: done.state.epoch.0 }))
}

/// Shape (N, 6): centre line, inner and outer edge.
pub async fn waypoints(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let bundle = bundle(&api, &call)?;
    let route = blocking(move || bundle.route()).await?.map_err(LibraryError::from)?;
    let route = route.ok_or_else(|| ApiError::not_found("no_route", "route not available"))?;
    Ok(reply::of_type(Bytes::from(route.to_npy()), "application/octet-stream"))
}

pub async fn picture(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let bundle = bundle(&api, &call)?;
    let read = move || {
        let path = bundle.picture_file().ok().flatten()?;
        let is_small = std::fs::metadata(&path).is_ok_and(|meta| meta.len() <= MAX_PICTURE_BYTES);
        is_small.then(|| std::fs::read(&path).ok()).flatten()
    };
    let picture = blocking(read).await?;
    let picture = picture.ok_or_else(|| ApiError::not_found("no_picture", "picture not available"))?;
    Ok(reply::of_type(Bytes::from(picture), "image/png"))
}

fn bundle(api: &Api, call: &Call) -> Result<Bundle, ApiError> {
    let name = call.names.first().expect("the route has a name");
    let name = WorldName::parse(name).map_err(|_| LibraryError::from(CatalogueError::NotFound))?;
    Ok(api.worlds.catalogue().find(&name).map_err(LibraryError::from)?)
}

/// Disks may take their time; other requests must not.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "reading the world's files failed unexpectedly")
    })
}

impl From<LibraryError> for ApiError {
    fn from(err: LibraryError) -> Self {
        let (status, code) = match &err {
            LibraryError::Catalogue(CatalogueError::BadFileName) => (StatusCode::BAD_REQUEST, "bad_world_name"),
            LibraryError::Catalogue(CatalogueError::BadId) => (StatusCode::BAD_REQUEST, "bad_world_id"),
            LibraryError::Catalogue(CatalogueError::NothingNamed) => (StatusCode::BAD_REQUEST, "no_world_named"),
            LibraryError::Catalogue(CatalogueError::NotFound) => (StatusCode::NOT_FOUND, "world_not_found"),
            LibraryError::Catalogue(CatalogueError::NotInstalled) => (StatusCode::NOT_FOUND, "world_not_installed"),
            LibraryError::Bundle(_) | LibraryError::Definition(_) => (StatusCode::UNPROCESSABLE_ENTITY, "broken_world"),
        };
        Self::new(status, code, err.to_string())
    }
}
