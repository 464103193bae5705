//! `GET /worlds`, `/worldpub`, `POST /switch`, `DELETE /worlds/<name>` and the files that a world offers for download.

use std::sync::Arc;

use bytes::Bytes;
use warp::http::StatusCode;
use warp::http::header::HOST;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::{self, Response};
use crate::api::request::Call;
use crate::api::wire::{DeletedResponse, SwitchResponse, WorldEntryBody, WorldpubResponse, WorldsResponse};
use crate::api::{blocking, cdn, world};
use crate::bridge::BridgeError;
use crate::domain::WorldName;
use crate::worlds::{Bundle, CatalogueError, DEFAULT_WORLD, LibraryError, StoreError, WorldId};

pub async fn list(api: Arc<Api>, _call: Call) -> Result<Response, ApiError> {
    let library = api.worlds.clone();
    let entries = blocking(move || library.catalogue().list()).await?;
    let current = api.bridge.snapshot().world.as_ref().map(ToString::to_string);
    Ok(reply::json(&WorldsResponse { worlds: entries.iter().map(WorldEntryBody::of).collect(), current }))
}

pub async fn publication(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (_, world) = world::present(&api)?;
    // Our own worlds server is reached under the name by which the client reached us.
    let own = || format!("http://{}{}", call.head.header(HOST).unwrap_or_default(), cdn::PREFIX.trim_end_matches('/'));
    let set = api.stock.worlds_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
    let cdn = set.unwrap_or_else(own);
    Ok(reply::json(&WorldpubResponse::of(&world, &api.options.version, cdn)))
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

/// When it is the one that runs, the default one is loaded first.
pub async fn delete(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let bundle = bundle(&api, &call)?;
    if bundle.is_official() {
        let message = "official worlds belong to the program and cannot be deleted";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "official_world", message));
    }
    let name = bundle.name().clone();
    let snapshot = api.bridge.snapshot();
    if snapshot.transition.is_some() {
        // It may be the one that is being loaded.
        return Err(BridgeError::NotReady.into());
    }
    if snapshot.world.as_ref() == Some(&name) {
        let default = WorldName::parse(DEFAULT_WORLD).expect("the default world has a valid name");
        api.bridge.switch(default).await?;
    }
    let (store, deleted) = (api.stock.store.clone(), name.clone());
    blocking(move || store.delete(&deleted)).await??;
    api.worlds.forget(&name);
    Ok(reply::json(&DeletedResponse { ok: true, deleted: name.to_string() }))
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
    let picture = blocking(move || std::fs::read(bundle.picture_file().ok().flatten()?).ok()).await?;
    let picture = picture.ok_or_else(|| ApiError::not_found("no_picture", "picture not available"))?;
    Ok(reply::of_type(Bytes::from(picture), "image/png"))
}

pub(super) fn bundle(api: &Api, call: &Call) -> Result<Bundle, ApiError> {
    let name = call.names.first().expect("the route has a name");
    let name = WorldName::parse(name).map_err(|_| LibraryError::from(CatalogueError::NotFound))?;
    Ok(api.worlds.catalogue().find(&name).map_err(LibraryError::from)?)
}

/// Changes when the files do that this world consists of: its own, or the shared ones, which come with the program.
pub(super) fn files_rev(api: &Api, bundle: &Bundle) -> Result<String, LibraryError> {
    Ok(format!("{}-{}", bundle.fingerprint()?, api.options.version))
}

impl From<StoreError> for ApiError {
    fn from(err: StoreError) -> Self {
        let (status, code) = match &err {
            StoreError::NotFound => (StatusCode::NOT_FOUND, "world_not_found"),
            StoreError::Io { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "world_not_stored"),
        };
        Self::new(status, code, err.to_string())
    }
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
