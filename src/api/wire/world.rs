//! Worlds on the wire.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::PoseBody;
use super::number::rounded;
use crate::domain::{Pose, WorldName};
use crate::worlds::{Bounds, Entry, InstallProgress, Installed, ObjectDefinition, Route, WorldDefinition};

#[derive(Debug, Serialize, JsonSchema)]
pub struct WorldResponse {
    pub world: String,
    pub world_id: Option<String>,
    pub rev: Option<String>,
    pub display: String,
    pub track: TrackBody,
    pub objects: BTreeMap<String, CatalogueObjectBody>,
    pub evaluation: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TrackBody {
    pub route: Option<LinesBody>,
    pub bounds: Option<BoundsBody>,
}

/// Closed loops of the same length; the last point repeats the first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LinesBody {
    pub waypoints: Vec<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<Vec<[f64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outer: Option<Vec<[f64; 2]>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RouteResponse {
    pub world: String,
    #[serde(flatten)]
    pub lines: LinesBody,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoundsBody {
    pub min_x: f64,
    pub max_x: f64,
    pub min_y: f64,
    pub max_y: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct CatalogueObjectBody {
    #[serde(rename = "type")]
    pub object_type: &'static str,
    #[serde(rename = "static")]
    pub is_static: bool,
    pub movable: bool,
    pub origin: OriginBody,
    pub size: SizeBody,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ObjectsResponse {
    pub world: String,
    pub objects: Vec<ObjectBody>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ObjectBody {
    pub name: String,
    pub kind: &'static str,
    #[serde(flatten)]
    pub catalogue: CatalogueObjectBody,
    pub current: CurrentBody,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OriginBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub yaw: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct CurrentBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub yaw: f64,
    pub q: [f64; 4],
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SizeBody {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WorldsResponse {
    pub worlds: Vec<WorldEntryBody>,
    pub current: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WorldEntryBody {
    pub name: String,
    pub file: String,
    pub display: String,
    pub world_id: Option<String>,
    /// Width and height in metres.
    pub size: Option<[f64; 2]>,
    pub official: bool,
    pub evaluation: bool,
    pub deletable: bool,
    /// Whether `picture.png` is there to be asked for.
    pub picture: bool,
    /// Why it cannot be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SwitchResponse {
    pub ok: bool,
    pub world: String,
    pub epoch: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedResponse {
    pub ok: bool,
    pub deleted: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct InstallResponse {
    pub ok: bool,
    pub world: String,
    pub name: String,
    pub world_id: String,
    pub rev: String,
    /// It was there already; nothing was downloaded.
    pub cached: bool,
}

/// The data of an `install` event.
#[derive(Debug, Serialize)]
pub struct InstallEvent {
    pub world_id: String,
    pub phase: &'static str,
    pub bytes: u64,
    /// Null when the server did not say.
    pub total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WorldpubResponse {
    pub world: String,
    pub world_id: Option<String>,
    pub rev: Option<String>,
    /// Of the shared files: the program's version.
    pub assets_rev: String,
    pub static_rev: String,
    /// Where published worlds come from: the address above `/worlds/<id>/meta.json`.
    pub cdn: String,
}

impl WorldResponse {
    pub fn of(world: &WorldDefinition) -> Self {
        let (world_id, rev) = publication(world);
        let objects = world.objects.iter();
        Self {
            world: world.name.file(),
            world_id,
            rev,
            display: world.display.clone(),
            track: TrackBody {
                route: world.route.as_ref().map(LinesBody::of),
                bounds: world.bounds.as_ref().map(BoundsBody::of),
            },
            objects: objects.map(|object| (object.name.to_string(), CatalogueObjectBody::of(object))).collect(),
            evaluation: world.has_evaluation,
        }
    }
}

impl RouteResponse {
    pub fn of(world: &WorldName, route: &Route) -> Self {
        Self { world: world.file(), lines: LinesBody::of(route) }
    }
}

impl LinesBody {
    fn of(route: &Route) -> Self {
        let line = |points: &Vec<[f64; 2]>| points.iter().map(|point| point.map(rounded)).collect();
        Self {
            waypoints: line(&route.waypoints),
            inner: route.inner.as_ref().map(line),
            outer: route.outer.as_ref().map(line),
        }
    }
}

impl BoundsBody {
    pub fn of(bounds: &Bounds) -> Self {
        Self {
            min_x: rounded(bounds.min_x),
            max_x: rounded(bounds.max_x),
            min_y: rounded(bounds.min_y),
            max_y: rounded(bounds.max_y),
        }
    }
}

impl CatalogueObjectBody {
    fn of(object: &ObjectDefinition) -> Self {
        let PoseBody { x, y, z, yaw, .. } = PoseBody::of(&object.origin);
        let [width, depth, height] = object.size_m.map(rounded);
        Self {
            object_type: object.object_type.as_str(),
            is_static: object.is_static,
            movable: object.is_movable,
            origin: OriginBody { x, y, z, yaw },
            size: SizeBody { x: width, y: depth, z: height },
        }
    }
}

impl ObjectBody {
    pub fn of(object: &ObjectDefinition, now: &Pose) -> Self {
        let PoseBody { x, y, z, yaw, q, .. } = PoseBody::of(now);
        Self {
            name: object.name.to_string(),
            kind: object.kind,
            catalogue: CatalogueObjectBody::of(object),
            current: CurrentBody { x, y, z, yaw, q },
        }
    }
}

impl WorldEntryBody {
    pub fn of(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            file: entry.file.clone(),
            display: entry.display.clone(),
            world_id: entry.world_id.as_ref().map(|id| id.as_str().to_owned()),
            size: entry.size,
            official: entry.official,
            evaluation: entry.evaluation,
            deletable: entry.deletable,
            picture: entry.picture,
            error: entry.error.clone(),
        }
    }
}

impl InstallResponse {
    pub fn of(installed: &Installed) -> Self {
        Self {
            ok: true,
            world: installed.name.file(),
            name: installed.name.to_string(),
            world_id: installed.world_id.to_string(),
            rev: installed.rev.to_string(),
            cached: installed.cached,
        }
    }
}

impl InstallEvent {
    pub fn of(progress: &InstallProgress) -> Self {
        Self {
            world_id: progress.world_id.to_string(),
            phase: progress.phase.as_str(),
            bytes: progress.bytes,
            total: progress.total,
            error: progress.error.clone(),
        }
    }
}

impl WorldpubResponse {
    pub fn of(world: &WorldDefinition, version: &str, cdn: String) -> Self {
        let (world_id, rev) = publication(world);
        Self {
            world: world.name.file(),
            world_id,
            rev,
            assets_rev: version.to_owned(),
            static_rev: version.to_owned(),
            cdn,
        }
    }
}

fn publication(world: &WorldDefinition) -> (Option<String>, Option<String>) {
    let publication = world.publication.as_ref();
    let id = publication.map(|(id, _)| id.as_str().to_owned());
    (id, publication.map(|(_, rev)| rev.as_str().to_owned()))
}
