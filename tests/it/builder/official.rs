//! The four official worlds: reproducible, free of warnings, drivable.

use sim_api::builder;
use sim_api::domain::WorldName;
use sim_api::mesh::{self, Mesh};
use sim_api::render::Texture;
use sim_api::sdf::conventions::{MarkedModel, ObjectKind, marked_models};
use sim_api::sdf::{self, Geometry, Loaded, World};
use sim_api::worlds::{Bundle, Route};

use super::{OFFICIAL, WorldFiles, differences, files_below, worlds_dir};

/// Of a vehicle with a wheelbase of 0.18 m and 20 degrees of steering.
const TURNING_RADIUS_M: f64 = 0.5;
/// Half of the vehicle's width with its wheels, and a little air.
const HALF_VEHICLE_M: f64 = 0.12;
const MAX_BUNDLE_BYTES: usize = 1_500_000;

fn bundle(name: &str) -> Bundle {
    Bundle::new(WorldName::parse(name).expect("a name"), worlds_dir().join(name), true)
}

fn load(name: &str) -> Loaded<World> {
    let folder = worlds_dir().join(name);
    let path = format!("worlds/{name}.world");
    let bytes = std::fs::read(folder.join(&path)).expect("an official world");
    sdf::read_world(&bytes, &path, &WorldFiles::of(&folder)).expect("a world without mistakes")
}

fn marked(name: &str) -> (World, Vec<MarkedModel>) {
    let world = load(name).content;
    let (models, warnings) = marked_models(&world).expect("conventions are kept");
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    (world, models)
}

fn route(name: &str) -> Route {
    bundle(name).route().expect("a good route").expect("a route")
}

fn distance([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    (ax - bx).hypot(ay - by)
}

/// Of the circle through three points.
fn radius_through(points: &[[f64; 2]]) -> f64 {
    let [a, b, c] = [points[0], points[1], points[2]];
    let doubled_area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
    distance(a, b) * distance(b, c) * distance(c, a) / (2.0 * doubled_area).max(1e-12)
}

fn gap_to_route(route: &Route, point: [f64; 2]) -> f64 {
    route.waypoints.iter().map(|waypoint| distance(*waypoint, point)).fold(f64::INFINITY, f64::min)
}

#[test]
fn official_worlds_are_built_again_to_the_same_bytes() {
    for name in OFFICIAL {
        let built = builder::build_file(&worlds_dir().join(format!("{name}.yaml"))).expect("it builds");
        let differing = differences(&built.files, &files_below(&worlds_dir().join(name)));
        assert!(differing.is_empty(), "{name}: run `sim world build worlds/{name}.yaml worlds/{name}`: {differing:?}");
        let bytes: usize = built.files.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < MAX_BUNDLE_BYTES, "{name} has {bytes} bytes");
    }
}

#[test]
fn shared_files_are_made_again_to_the_same_bytes() {
    let differing = differences(&builder::shared::files(), &files_below(&worlds_dir().join("shared")));
    assert!(differing.is_empty(), "run `sim world shared worlds/shared`: {differing:?}");
}

#[test]
fn official_worlds_load_without_a_warning() {
    for name in OFFICIAL {
        let loaded = load(name);
        assert!(loaded.warnings.is_empty(), "{name}: {:?}", loaded.warnings);
        assert_eq!(loaded.content.name, name);
        assert!(loaded.content.models.iter().any(|model| model.name == "racetrack" && model.is_static));
    }
}

#[test]
fn every_mesh_and_texture_of_the_official_worlds_is_found_and_readable() {
    for name in OFFICIAL {
        let world = load(name).content;
        let files = WorldFiles::of(&worlds_dir().join(name));
        let visuals = world.models.iter().flat_map(|model| &model.links).flat_map(|link| &link.visuals);
        let mut meshes = 0;
        for visual in visuals {
            let Geometry::Mesh { uri, .. } = &visual.geometry else { continue };
            let found = files.0.read_model_uri(&uri.to_string(), 1 << 24).expect("the mesh exists");
            let mesh = mesh::read(&found.path, &found.bytes, &|_| None).expect("the mesh is good");
            assert!(mesh.warnings.is_empty(), "{uri}: {:?}", mesh.warnings);
            for texture in mesh.parts.iter().filter_map(|part| part.material.texture.as_ref()) {
                check_texture(&files, &found.path, texture);
            }
            meshes += 1;
        }
        assert!(meshes >= 2, "{name} shows a track and a fence");
    }
}

fn check_texture(files: &WorldFiles, mesh: &str, texture: &str) {
    let path = sdf::Uri::resolve(texture, mesh).expect("it stays inside").path().to_owned();
    let found = files.0.read(&path, 1 << 24).expect("the texture exists");
    Texture::decode(&found.bytes).expect("the texture can be shown");
}

#[test]
fn the_track_lies_flat_and_shows_its_layers_in_order() {
    for name in OFFICIAL {
        let path = worlds_dir().join(name).join(format!("meshes/{name}/track.dae"));
        let bytes = std::fs::read(path).expect("the track's mesh");
        let Mesh { parts, .. } = mesh::read("track.dae", &bytes, &|_| None).expect("the mesh is good");
        let heights: Vec<f32> = parts.iter().map(|part| part.positions[0][2]).collect();
        assert_eq!(parts[0].name, "field");
        assert_eq!(parts[1].name, "road");
        assert!(heights.is_sorted_by(|a, b| a < b), "{name}: {heights:?}");
        assert!(heights.iter().all(|z| (0.0..0.005).contains(z)), "{name}: {heights:?}");
        let is_up = |normal: &[f32; 3]| normal[2] > 0.999;
        assert!(parts.iter().all(|part| part.normals.iter().all(is_up)));
        for part in &parts {
            for triangle in part.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| part.positions[triangle[corner] as usize]);
                let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                assert!(area > 0.0, "{name}: {} looks down", part.name);
            }
        }
    }
}

#[test]
fn objects_of_the_official_worlds_are_recognised() {
    let count = |models: &[MarkedModel], wanted: fn(&ObjectKind) -> bool| {
        models.iter().filter(|model| wanted(&model.kind)).count()
    };
    for name in OFFICIAL {
        let (_, models) = marked(name);
        assert_eq!(count(&models, |kind| *kind == ObjectKind::Wall), 4, "{name}");
        assert_eq!(count(&models, |kind| *kind == ObjectKind::Other), 0, "{name}");
        let walls: Vec<_> = models.iter().map(|model| model.name.as_str()).filter(|n| n.starts_with("wall")).collect();
        assert_eq!(walls, ["wall_0", "wall_1", "wall_2", "wall_3"]);
    }
    assert_eq!(count(&marked("vehicle_base").1, |kind| *kind == ObjectKind::Box), 2);
    let city = marked("vehicle_city").1;
    assert_eq!(count(&city, |kind| matches!(kind, ObjectKind::Light(_))), 3);
    assert!(count(&city, |kind| *kind == ObjectKind::Cone) >= 3);
    assert!(count(&city, |kind| *kind == ObjectKind::Cylinder) >= 4);
    assert_eq!(count(&city, |kind| *kind == ObjectKind::Sphere), 1);
    assert!(count(&marked("vehicle_slalom").1, |kind| *kind == ObjectKind::Cone) >= 8);
}

#[test]
fn lights_have_all_their_parts_and_lean_back() {
    let (world, models) = marked("vehicle_city");
    for model in models {
        let ObjectKind::Light(parts) = model.kind else { continue };
        let visual = |index: Option<sdf::conventions::VisualIndex>| {
            let index = index.expect("the part exists");
            &world.models[model.index].links[index.link].visuals[index.visual]
        };
        let [red, green, screen] = [parts.lamp_red, parts.lamp_green, parts.screen].map(visual);
        assert!(red.pose.position.z > green.pose.position.z);
        let (_, pitch, _) = screen.pose.roll_pitch_yaw();
        assert!((pitch.to_degrees() + 15.0).abs() < 0.01, "{pitch}");
        let Geometry::Box { size_m: [_, width, height] } = screen.geometry else { panic!("the screen is a box") };
        assert!((width - 0.18).abs() < 1e-6 && (height - 0.32).abs() < 1e-6);
    }
}

#[test]
fn routes_are_closed_and_their_edges_lie_on_both_sides() {
    for name in OFFICIAL {
        let route = route(name);
        let (inner, outer) = (route.inner.clone().expect("inner"), route.outer.clone().expect("outer"));
        assert_eq!(route.waypoints.first(), route.waypoints.last());
        assert_eq!((inner.len(), outer.len()), (route.waypoints.len(), route.waypoints.len()));
        let area = |line: &[[f64; 2]]| {
            line.windows(2).map(|pair| pair[0][0] * pair[1][1] - pair[1][0] * pair[0][1]).sum::<f64>().abs()
        };
        let width = distance(inner[0], outer[0]);
        for index in 0..route.waypoints.len() {
            let [middle, inner, outer] = [route.waypoints[index], inner[index], outer[index]];
            assert!((distance(inner, outer) - width).abs() < 0.002, "{name}, row {index}");
            assert!((distance(middle, inner) - width / 2.0).abs() < 0.001, "{name}, row {index}");
        }
        // An eight has no inside.
        if name != "vehicle_city" {
            assert!(area(&inner) < area(&route.waypoints) && area(&route.waypoints) < area(&outer), "{name}");
        }
    }
}

#[test]
fn the_vehicle_can_follow_every_official_route() {
    for name in OFFICIAL {
        let route = route(name);
        let radius = route.waypoints.windows(3).map(radius_through).fold(f64::INFINITY, f64::min);
        assert!(radius > TURNING_RADIUS_M * 1.3, "{name}: {radius}");
        let (world, models) = marked(name);
        for model in models.iter().filter(|model| model.kind != ObjectKind::Wall) {
            let pose = world.models[model.index].pose;
            let [x, y, _] = model.size_m.expect("objects have simple shapes");
            let reach = match model.kind {
                ObjectKind::Cylinder | ObjectKind::Sphere => x / 2.0,
                _ => x.hypot(y) / 2.0,
            };
            let room = gap_to_route(&route, [pose.position.x, pose.position.y]) - reach;
            assert!(room > HALF_VEHICLE_M, "{name}: {} leaves {room:.3} m beside the centre line", model.name);
        }
    }
}

#[test]
fn the_start_is_on_the_road_and_straight() {
    for name in OFFICIAL {
        let route = route(name);
        let start = route.start_pose();
        let back = &route.waypoints[route.waypoints.len() - 4..];
        let (sin, cos) = start.yaw().sin_cos();
        for point in back {
            let across = -(point[0] - start.position.x) * sin + (point[1] - start.position.y) * cos;
            assert!(across.abs() < 0.01, "{name}: the car is placed on a bend");
        }
    }
}

#[test]
fn official_worlds_have_a_name_a_size_a_picture_and_an_evaluation() {
    for name in OFFICIAL {
        let bundle = bundle(name);
        let metadata = bundle.metadata().expect("a good note").expect("a note");
        assert!(metadata.display.is_some() && metadata.size.is_some());
        assert!(bundle.picture_file().expect("inside").is_some());
        let evaluation = bundle.evaluation().expect("a good evaluation").expect("an evaluation");
        assert_eq!(evaluation.version, 1);
        assert_eq!(evaluation.config.robot.as_deref(), Some("vehicle"));
        let print = std::fs::read(bundle.folder().join(format!("track_iconography/{name}.jpg"))).expect("for printing");
        let print = Texture::decode(&print).expect("a JPEG picture");
        assert!(print.width() >= 2000 && print.height() >= 1000);
    }
}
