//! Objects of every kind, plain, coloured and with pictures of their own.

use sim_api::builder::{self, Track};
use sim_api::mesh;
use sim_api::sdf::conventions::{ObjectKind, marked_models};
use sim_api::sdf::{self, NoFiles};

use super::{build, square, text_of};

#[test]
fn default_sizes_are_those_of_the_conventions() {
    let kinds = ["box", "cylinder", "sphere", "cone", "light"];
    let lines: String =
        kinds.iter().enumerate().map(|(i, kind)| format!("  - {{kind: {kind}, at: [0, {i}]}}\n")).collect();
    let built = build(&square(&format!("objects:\n{}", lines.replace(", 4]", ", -1]").replace(", 3]", ", -0.5]"))));
    let text = text_of(&built, "worlds/square.world");
    let loaded = sdf::read_world(text.as_bytes(), "worlds/square.world", &NoFiles).expect("a good world");
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let (models, warnings) = marked_models(&loaded.content).expect("conventions are kept");
    assert!(warnings.is_empty(), "{warnings:?}");
    let size = |name: &str| {
        let model = models.iter().find(|model| model.name.as_str() == name).expect("it is marked");
        model.size_m.expect("a simple shape")
    };
    let is_near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
    let around = 0.297 / std::f64::consts::PI;
    assert!(is_near(size("cylinder1"), [around, around, 0.21]), "{:?}", size("cylinder1"));
    assert!(is_near(size("sphere1"), [0.22; 3]));
    assert!(is_near(size("cone1"), [0.135, 0.135, 0.23]));
    assert_eq!(models.iter().filter(|model| model.kind == ObjectKind::Cone).count(), 1);
    assert!(models.iter().any(|model| matches!(model.kind, ObjectKind::Light(_)) && model.is_static));
}

#[test]
fn every_object_stands_on_the_ground() {
    let files = builder::shared::files();
    for (path, low) in [(builder::shared::BOX, 0.0), (builder::shared::CONE, 0.0), (builder::shared::BALL, -0.11)] {
        let mesh = mesh::read(path, files.get(path).expect("it is shared"), &|_| None).expect("a good mesh");
        assert!(mesh.warnings.is_empty(), "{:?}", mesh.warnings);
        let bounds = mesh.bounds().expect("it has triangles");
        assert!((bounds.min[2] - low).abs() < 1e-4, "{path}: {bounds:?}");
        for part in &mesh.parts {
            for triangle in part.indices.chunks_exact(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|corner| nalgebra::Vector3::from(part.positions[triangle[corner] as usize]));
                let normal = nalgebra::Vector3::from(part.normals[triangle[0] as usize]);
                assert!((b - a).cross(&(c - a)).dot(&normal) > 0.0, "{path}: a face looks inwards");
            }
        }
    }
}

#[test]
fn pictures_are_carried_in_the_bundle_and_laid_on_the_mesh() {
    let folder = std::env::temp_dir().join(format!("sim_builder_pictures_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let files = builder::shared::files();
    std::fs::write(folder.join("a.png"), files.get(builder::shared::GRASS).expect("shared")).expect("a picture");
    let text = square(
        "field: {image: a.png}\nobjects:\n  - {kind: box, at: [0, 0], textures: {front: a.png}, color: \"#ff0000\"}\n\
         decals:\n  - {kind: image, at: [0, 1], image: a.png}\n",
    );
    let track = Track::parse(&text, "track.yaml").expect("a good description");
    let built = builder::build(&track, &folder, "track.yaml").expect("it builds");
    std::fs::remove_dir_all(&folder).expect("cleaning up");
    for path in ["textures/field.png", "textures/box1_front.png", "textures/decal_0.png"] {
        assert!(built.files.get(path).is_some(), "{path}");
    }
    let own = built.files.get("meshes/square/box1.dae").expect("a mesh of its own");
    let mesh = mesh::read("box1.dae", own, &|_| None).expect("a good mesh");
    let textures: Vec<_> = mesh.parts.iter().filter_map(|part| part.material.texture.as_deref()).collect();
    assert_eq!(textures, ["../../textures/box1_front.png"]);
}

#[test]
fn lines_are_interrupted_where_the_road_crosses_itself() {
    let eight = "name: eight\nsize_m: [8, 6]\nroad:\n  width_m: 0.8\n  corner_radius_m: 0.8\n  \
                 corners: [[3, 2], [0, 2], [0, -2], [-3, -2], [-3, 0], [3, 0]]\n";
    let built = build(eight);
    let track = built.files.get("meshes/eight/track.dae").expect("the track's mesh");
    let mesh = mesh::read("track.dae", track, &|_| None).expect("a good mesh");
    for part in mesh.parts.iter().filter(|part| part.name.ends_with("line") || part.name.ends_with("lines")) {
        let inside = part.positions.iter().filter(|p| p[0].abs() < 0.36 && p[1].abs() < 0.36).count();
        assert_eq!(inside, 0, "{} runs over the crossing", part.name);
    }
}
