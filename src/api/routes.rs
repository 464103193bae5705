//! Every address of the API, as a list.
//!
//! The list is the one source for matching, for 404 against 405, for `Allow`, `HEAD` and `OPTIONS`. An endpoint is one line
//! here and one file beside this one. Parts in braces stand for any single non-empty part of a path, `{path}` at the end for all that is
//! left of it.

use std::sync::Arc;

use futures::future::BoxFuture;
use warp::http::Method;

use crate::api::context::Api;
use crate::api::error::ApiError;
use crate::api::reply::Response;
use crate::api::request::{Call, percent_decoded};
use crate::api::{
    brightness, camera, cdn, clock, docs, drive, evaluation, events, install, metrics, models, openapi, overlay, pause,
    pose, reset, respawn, scan, scene, state, status, step, traffic_lights, vehicle, viewer, welcome, world,
    world_files, worlds,
};

macro_rules! routes {
    ($($method:ident $pattern:literal => $handler:path,)*) => {
        &[$(Route {
            method: Method::$method,
            pattern: $pattern,
            has_names: has_names($pattern),
            handler: |api, call| Box::pin($handler(api, call)),
        },)*]
    };
}

pub static ROUTES: &[Route] = routes![
    GET  "/"                              => welcome::read,
    GET  "/sim"                           => viewer::page,
    GET  "/sim/assets/{file}"             => viewer::asset,
    GET  "/sim/docs"                      => docs::read,
    GET  "/sim/api/status"                => status::read,
    GET  "/sim/api/clock"                 => clock::read,
    GET  "/sim/api/state"                 => state::read,
    GET  "/sim/api/events"                => events::read,
    GET  "/sim/api/pose"                  => pose::read,
    POST "/sim/api/pose"                  => pose::write,
    POST "/sim/api/reset"                 => reset::write,
    POST "/sim/api/respawn"               => respawn::write,
    POST "/sim/api/pause"                 => pause::write,
    POST "/sim/api/step"                  => step::write,
    POST "/sim/api/drive"                 => drive::write,
    POST "/sim/api/models/{name}/pose"    => models::place,
    GET  "/sim/api/traffic_lights"        => traffic_lights::read,
    POST "/sim/api/traffic_lights/{name}" => traffic_lights::command,
    GET  "/sim/api/brightness"            => brightness::read,
    POST "/sim/api/brightness"            => brightness::write,
    GET  "/sim/api/overlay"               => overlay::read,
    POST "/sim/api/overlay"               => overlay::write,
    GET  "/sim/api/vehicle"               => vehicle::read,
    GET  "/sim/api/world"                 => world::read,
    GET  "/sim/api/route"                 => world::route,
    GET  "/sim/api/bounds"                => world::bounds,
    GET  "/sim/api/objects"               => world::objects,
    GET  "/sim/api/worlds"                => worlds::list,
    GET  "/sim/api/worldpub"              => worlds::publication,
    POST "/sim/api/switch"                => worlds::switch,
    POST "/sim/api/worlds/install"        => install::write,
    DELETE "/sim/api/worlds/{name}"       => worlds::delete,
    GET  "/sim/api/worlds/{name}/waypoints.npy" => worlds::waypoints,
    GET  "/sim/api/worlds/{name}/picture.png"   => worlds::picture,
    GET  "/sim/api/evaluation"            => evaluation::read,
    POST "/sim/api/evaluation/start"      => evaluation::start,
    POST "/sim/api/evaluation/stop"       => evaluation::stop,
    GET  "/sim/api/evaluation/session"    => evaluation::session,
    GET  "/sim/api/evaluation/record"     => evaluation::record,
    GET  "/sim/api/evaluation/records"    => evaluation::records,
    GET  "/sim/api/evaluation/records/{session_id}/mcap" => evaluation::mcap,
    GET  "/sim/api/worlds/{name}/files/{path}"  => world_files::read,
    GET  "/sim/api/scene"                 => scene::read,
    GET  "/cdn/worlds/{world_id}/meta.json"     => cdn::meta,
    GET  "/cdn/worlds/{world_id}/{rev}/{path}"  => cdn::file,
    GET  "/sim/api/scan"                  => scan::read,
    GET  "/sim/api/camera"                => camera::read,
    GET  "/sim/api/metrics"               => metrics::read,
    GET  "/sim/api/openapi.json"          => openapi::read,
];

type Handler = fn(Arc<Api>, Call) -> BoxFuture<'static, Result<Response, ApiError>>;

/// Stands for one or more parts of a path, slashes included.
const REST: &str = "{path}";

/// One method on one address.
#[derive(Debug)]
pub struct Route {
    pub method: Method,
    pub pattern: &'static str,
    /// Most patterns have none and are compared as a whole, so that a long list stays cheap for every request.
    has_names: bool,
    pub(super) handler: Handler,
}

/// What the list says about a request.
#[derive(Debug)]
pub enum Found {
    Endpoint {
        route: &'static Route,
        names: Vec<String>,
    },
    /// `OPTIONS` on a known address.
    Options {
        allow: String,
    },
    WrongMethod {
        allow: String,
    },
    Nothing,
}

/// Looks a request up. One slash at the end of the path makes no difference; `HEAD` finds what `GET` finds.
pub fn find(method: &Method, path: &str) -> Found {
    let path = if path.len() > 1 { path.strip_suffix('/').unwrap_or(path) } else { path };
    let wanted = if *method == Method::HEAD { &Method::GET } else { method };
    let mut allowed: Vec<&Method> = Vec::new();
    for route in ROUTES {
        let names = if route.has_names {
            // An address that is listed as it is stands for itself and for no name.
            match_pattern(route.pattern, path).filter(|_| !is_listed(path))
        } else {
            (route.pattern == path).then(Vec::new)
        };
        let Some(names) = names else { continue };
        if route.method == *wanted {
            return Found::Endpoint { route, names };
        }
        allowed.push(&route.method);
        if route.method == Method::GET {
            allowed.push(&Method::HEAD);
        }
    }
    if allowed.is_empty() {
        return Found::Nothing;
    }
    allowed.push(&Method::OPTIONS);
    let allow = allowed.iter().map(|method| method.as_str()).collect::<Vec<_>>().join(", ");
    if *method == Method::OPTIONS { Found::Options { allow } } else { Found::WrongMethod { allow } }
}

fn is_listed(path: &str) -> bool {
    ROUTES.iter().any(|route| !route.has_names && route.pattern == path)
}

/// The parts of `path` that stand where `pattern` has braces; None when the two do not fit.
pub fn match_pattern(pattern: &str, path: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut parts = path.split('/');
    for expected in pattern.split('/') {
        let part = parts.next()?;
        if expected == REST {
            names.push(rest(part, parts)?);
            return Some(names);
        }
        if expected.starts_with('{') {
            names.push(percent_decoded(part).filter(|name| !name.is_empty())?);
        } else if part != expected {
            return None;
        }
    }
    parts.next().is_none().then_some(names)
}

/// All parts joined again. One that hides a slash behind its encoding, or is empty, is no part.
fn rest<'a>(first: &'a str, others: impl Iterator<Item = &'a str>) -> Option<String> {
    let decoded = |part| percent_decoded(part).filter(|part| !part.is_empty() && !part.contains('/'));
    let parts: Option<Vec<String>> = std::iter::once(first).chain(others).map(decoded).collect();
    Some(parts?.join("/"))
}

const fn has_names(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' {
            return true;
        }
        at += 1;
    }
    false
}
