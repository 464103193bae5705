//! `GET /scene`: what a viewer draws of the present world.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crate::api::cached::{self, Keep};
use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::Response;
use crate::api::request::Call;
use crate::api::wire::SceneResponse;
use crate::api::{blocking, world, worlds};
use crate::domain::WorldName;
use crate::scene::{self, WorldScene};
use crate::worlds::LibraryError;

/// The scene that was asked for last: a room full of pages asks for the same one.
#[derive(Debug, Default)]
pub struct LastScene(Mutex<Option<KeptScene>>);

#[derive(Debug, Clone)]
struct KeptScene {
    world: WorldName,
    rev: String,
    scene: Arc<WorldScene>,
}

pub async fn read(api: Arc<Api>, call: Call) -> Result<Response, ApiError> {
    let (snapshot, definition) = world::present(&api)?;
    let asked = api.clone();
    let name = definition.name.clone();
    let KeptScene { rev, scene, .. } = blocking(move || asked.last_scene.get(&asked, &name)).await??;
    let body = SceneResponse::of(&scene, &definition, &api.vehicle, snapshot.epoch, &rev);
    let bytes = serde_json::to_vec(&body).expect("wire structs have text keys, which is all that could fail");
    let tag = cached::tag(&[&bytes]);
    let answer = cached::answer(&call, &tag, Keep::AskFirst, "application/json", || Ok::<_, Infallible>(bytes.into()));
    Ok(answer.unwrap_or_else(|never| match never {}))
}

impl LastScene {
    fn get(&self, api: &Api, world: &WorldName) -> Result<KeptScene, LibraryError> {
        let catalogue = api.worlds.catalogue();
        let bundle = catalogue.find(world)?;
        let rev = worlds::files_rev(api, &bundle)?;
        // The value is complete, whoever panicked beside it.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = last.as_ref().filter(|kept| kept.world == *world && kept.rev == rev) {
            return Ok(kept.clone());
        }
        let scene = Arc::new(scene::read(catalogue, &bundle)?);
        let kept = KeptScene { world: world.clone(), rev, scene };
        *last = Some(kept.clone());
        Ok(kept)
    }
}
