//! From a track description to a complete bundle: world file, meshes, textures, route, pictures, evaluation.
//!
//! Promises that the same description gives the same bytes, on any machine: no clock, no randomness, no order of a hash
//! table, fixed numbers of digits. Everything is made in memory; only [`FileTree::write`] touches the disk. Does not load or
//! judge worlds; what it writes is read back by `sdf`, `mesh` and `worlds` like any other bundle.

mod collada;
mod decals;
mod error;
mod evaluation;
mod fence;
mod files;
mod lettering;
mod markup;
mod numbers;
mod objects;
mod path;
mod pictures;
mod place;
mod png;
mod road;
pub mod shared;
mod solids;
mod surface;
mod textures;
pub mod track;
mod traffic_light;
mod world_file;

use std::path::Path as FilePath;

pub use error::BuildError;
pub use files::FileTree;
pub use track::Track;

use self::path::Path;
use self::place::Place;
use self::surface::Surface;
use crate::render::Texture;
use crate::worlds::{Metadata, Route};

/// Distance of two waypoints, about.
const WAYPOINT_M: f64 = 0.1;
/// Digits of the route: a micrometre.
const ROUTE_DECIMALS: i32 = 6;
/// The tightest bend must leave the inner edge of the road this radius at least.
const INNER_RADIUS_M: f64 = 0.02;

/// A finished world.
#[derive(Debug, Clone)]
pub struct Built {
    pub name: String,
    pub files: FileTree,
    pub route_length_m: f64,
    pub tightest_radius_m: f64,
    pub objects: usize,
    /// Of the track's mesh.
    pub triangles: usize,
}

/// Builds the world that a file describes. Pictures and scripts that it names are found relative to it.
pub fn build_file(file: &FilePath) -> Result<Built, BuildError> {
    let text = read(file)?;
    let shown = file.display().to_string();
    let text = String::from_utf8(text)
        .map_err(|_| BuildError::Track { at: shown.clone(), message: "it is not UTF-8 text".into() })?;
    let track = Track::parse(&text, &shown)?;
    build(&track, file.parent().unwrap_or(FilePath::new("")), &shown)
}

/// Builds a world; `folder` is where pictures and scripts are, `shown` how messages call the description.
pub fn build(track: &Track, folder: &FilePath, shown: &str) -> Result<Built, BuildError> {
    let fail = |message: String| BuildError::Track { at: shown.to_owned(), message };
    let path = centre_line(track).map_err(fail)?;
    let mut files = FileTree::default();

    let field_image = match &track.field.image {
        Some(image) => {
            const PATH: &str = "textures/field.png";
            files.add(PATH, read_picture(&folder.join(image))?);
            Some(PATH)
        }
        None => None,
    };
    let mut floor = road::floor(track, &path, field_image);
    floor.extend(decals(track, &path, folder, &mut files)?);
    files.add(&world_file::track_mesh(&track.name), collada::write(&floor).into_bytes());
    let fence = fence::surface(track);
    if let Some(fence) = &fence {
        files.add(&world_file::fence_mesh(&track.name), collada::write(std::slice::from_ref(fence)).into_bytes());
    }

    let (objects, pictures) = objects::resolve(track, &path, folder, shown)?;
    for picture in &pictures {
        files.add(&picture.path, read_picture(&picture.file)?);
    }
    for object in objects.iter().filter(|object| object.look == objects::Look::Own) {
        let mesh = collada::write(&object.surfaces).into_bytes();
        files.add(&world_file::object_mesh(&track.name, &object.name), mesh);
    }

    let name = &track.name;
    files.add(&format!("worlds/{name}.world"), world_file::write(track, &objects).into_bytes());
    files.add(&format!("routes/{name}.npy"), route(track, &path).to_npy());
    files.add("bundle.json", metadata(track));
    if let Some(evaluation) = &track.evaluation {
        let is_light = |object: &objects::Object| matches!(object.shape, objects::Shape::Light(_));
        if let Some(light) = &evaluation.start_light
            && !objects.iter().any(|object| object.name == *light && is_light(object))
        {
            return Err(fail(format!("evaluation.start_light is {light}, but there is no such light")));
        }
        let script = match &evaluation.script {
            Some(script) => read(&folder.join(script))?,
            None => evaluation::LAP_TIME.as_bytes().to_vec(),
        };
        files.add(&format!("evaluations/{name}.json"), evaluation::config(evaluation));
        files.add(&format!("evaluations/{name}.py"), script);
    }
    let view = pictures::View {
        track,
        floor: &floor,
        fence: fence.as_ref(),
        objects: &objects,
        bundle: &files,
        shared: &shared::files(),
    };
    let (icon, print) = (view.icon()?, view.print()?);
    files.add(&format!("track_iconography/{name}.png"), icon);
    files.add(&format!("track_iconography/{name}.jpg"), print);
    Ok(Built {
        name: name.clone(),
        files,
        route_length_m: path.length(),
        tightest_radius_m: path.tightest().0,
        objects: objects.len(),
        triangles: floor.iter().map(|surface| surface.triangles.len()).sum(),
    })
}

/// The centre line, which fits into the field and bends no tighter than the road is wide.
fn centre_line(track: &Track) -> Result<Path, String> {
    let road = &track.road;
    let path = match (&road.corners, &road.spline) {
        (Some(corners), _) => {
            let radius = road.corner_radius_m.unwrap_or(road.width_m);
            let full = |corner: &Vec<f64>| [corner[0], corner[1], corner.get(2).copied().unwrap_or(radius)];
            Path::rounded(&corners.iter().map(full).collect::<Vec<_>>())?
        }
        (None, Some(points)) => Path::spline(points)?,
        (None, None) => return Err("road needs either corners or a spline".into()),
    };
    let half = road.width_m / 2.0;
    let (radius, [x, y]) = path.tightest();
    if radius < half + INNER_RADIUS_M {
        return Err(format!(
            "the road bends with a radius of {radius:.2} m near {x:.2}, {y:.2}; a road of {:.2} m needs {:.2} m or more",
            road.width_m,
            half + INNER_RADIUS_M
        ));
    }
    let edges = path.stations().iter().flat_map(|station| [station.left(half), station.left(-half)]);
    for [x, y] in edges {
        if x.abs() > track.size_m[0] / 2.0 || y.abs() > track.size_m[1] / 2.0 {
            return Err(format!("the road leaves the field near {x:.2}, {y:.2}"));
        }
    }
    Ok(path)
}

fn decals(track: &Track, path: &Path, folder: &FilePath, files: &mut FileTree) -> Result<Vec<Surface>, BuildError> {
    let mut surfaces = Vec::new();
    for (layer, decal) in track.decals.iter().enumerate() {
        let decal = &decal.value;
        let image = match &decal.image {
            Some(image) => {
                let bytes = read_picture(&folder.join(image))?;
                let ending = if bytes.starts_with(&[0xff, 0xd8]) { "jpg" } else { "png" };
                let inside = format!("textures/decal_{layer}.{ending}");
                files.add(&inside, bytes);
                Some(inside)
            }
            None => None,
        };
        let place = Place::new(path, decal.at, decal.along_m, decal.across_m, decal.yaw_deg);
        surfaces.push(decals::surface(decal, [layer, track.decals.len()], &place, image.as_deref()));
    }
    surfaces.retain(|surface| !surface.is_empty());
    Ok(surfaces)
}

/// Inner is the side that the lap turns to as a whole.
fn route(track: &Track, path: &Path) -> Route {
    let count = (path.length() / WAYPOINT_M).round().max(8.0) as usize;
    let half = track.road.width_m / 2.0;
    let inner = if path.signed_area() >= 0.0 { half } else { -half };
    let line = |left: f64| -> Vec<[f64; 2]> {
        let at = |index: usize| path.at(index as f64 / count as f64 * path.length()).left(left);
        let rounded = |point: [f64; 2]| point.map(|value| numbers::rounded(value, ROUTE_DECIMALS));
        (0..count).chain([0]).map(|index| rounded(at(index))).collect()
    };
    Route { waypoints: line(0.0), inner: Some(line(inner)), outer: Some(line(-inner)) }
}

fn metadata(track: &Track) -> Vec<u8> {
    let display = track.display.clone().unwrap_or_else(|| track.name.clone());
    let metadata = Metadata { display: Some(display), size: Some(track.size_m), ..Metadata::default() };
    let mut bytes = serde_json::to_vec_pretty(&metadata).expect("texts and finite numbers are always JSON");
    bytes.push(b'\n');
    bytes
}

fn read(file: &FilePath) -> Result<Vec<u8>, BuildError> {
    std::fs::read(file).map_err(|source| BuildError::Unreadable { file: file.to_owned(), source })
}

/// The bytes of a picture that can be shown.
fn read_picture(file: &FilePath) -> Result<Vec<u8>, BuildError> {
    let bytes = read(file)?;
    match Texture::decode(&bytes) {
        Ok(_) => Ok(bytes),
        Err(err) => Err(BuildError::Picture { file: file.to_owned(), message: err.to_string() }),
    }
}
