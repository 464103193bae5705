//! Claims about reading SDF. Fixtures: `tests/fixtures/sdf`, a bundle in the published layout.

mod broken;
mod conventions;
mod frames;
mod hostile;

use std::path::PathBuf;

use sim_api::sdf::{
    self, Files, FilesError, FoundFile, Geometry, LightKind, Loaded, Model, Scheme, SdfError, Uri, World,
};

/// The fixtures' folder.
pub struct Bundle;

pub fn fixture_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sdf")
}

impl Files for Bundle {
    fn read(&self, uri: &Uri, limit_bytes: usize) -> Result<FoundFile, FilesError> {
        let path = match uri.scheme() {
            Scheme::Model => format!("models/{}", uri.path()),
            Scheme::Bundle => uri.path().to_owned(),
        };
        let bytes = std::fs::read(fixture_dir().join(&path)).map_err(|_| FilesError::NotFound)?;
        if bytes.len() > limit_bytes {
            return Err(FilesError::TooLarge(limit_bytes));
        }
        Ok(FoundFile { bytes, path })
    }
}

pub fn load(name: &str) -> Result<Loaded<World>, SdfError> {
    let path = format!("worlds/{name}");
    let bytes = std::fs::read(fixture_dir().join(&path)).expect("the fixture exists");
    sdf::read_world(&bytes, &path, &Bundle)
}

pub fn world(name: &str) -> World {
    load(name).expect("the fixture loads").content
}

/// Reads text as a world file that lies in the fixtures' folder.
pub fn read(text: &str) -> Result<Loaded<World>, SdfError> {
    sdf::read_world(text.as_bytes(), "worlds/test.world", &Bundle)
}

pub fn model<'w>(world: &'w World, name: &str) -> &'w Model {
    world.models.iter().find(|model| model.name == name).expect("the world has the model")
}

#[test]
fn a_world_that_says_nothing_leaves_everything_open() {
    let loaded = load("minimal.world").unwrap();
    assert_eq!(loaded.content.name, "minimal");
    assert_eq!(loaded.content.physics, Default::default());
    assert_eq!(loaded.content.scene, Default::default());
    assert_eq!((loaded.content.gravity, loaded.content.models.len()), (None, 0));
    assert_eq!(loaded.warnings, []);
}

#[test]
fn physics_scene_and_lights_are_read() {
    let loaded = load("surroundings.world").unwrap();
    let world = loaded.content;
    assert_eq!(loaded.warnings, []);
    assert_eq!((world.physics.step_s, world.physics.real_time_factor), (Some(0.005), Some(2.0)));
    assert_eq!(world.gravity, Some([0.0, 0.0, -1.62]));
    assert_eq!(world.scene.ambient, Some([0.25, 0.5, 0.75, 1.0]));
    assert_eq!(world.scene.background, Some([0.5, 0.5, 1.0, 1.0]), "a colour without alpha is opaque");
    assert!(world.scene.sky);
    assert_eq!(world.scene.shadows, Some(false));
    let [sun, bulb, torch] = world.lights.as_slice() else { panic!("three lights") };
    assert_eq!((sun.kind, bulb.kind, torch.kind), (LightKind::Directional, LightKind::Point, LightKind::Spot));
    assert_eq!((sun.direction, sun.intensity), (Some([-1.0, 0.0, -1.0]), Some(0.5)));
    assert_eq!(sun.pose.position.z, 10.0);
    assert_eq!((bulb.attenuation.range_m, bulb.attenuation.quadratic), (Some(5.0), Some(0.125)));
}

#[test]
fn gravity_of_old_files_is_found_inside_physics() {
    let world = world("old.world");
    assert_eq!(world.gravity, Some([0.0, 0.0, -9.8]));
    assert_eq!(world.models[0].links.len(), 2);
}

#[test]
fn every_shape_is_read() {
    let world = world("shapes.world");
    assert!(world.models[0].is_static);
    let shapes: Vec<&Geometry> = world.models[0].links[0].collisions.iter().map(|c| &c.geometry).collect();
    assert_eq!(shapes[0], &Geometry::Box { size_m: [1.0, 2.0, 3.0] });
    assert_eq!(shapes[1], &Geometry::Cylinder { radius_m: 0.5, length_m: 2.0 });
    assert_eq!(shapes[2], &Geometry::Sphere { radius_m: 0.25 });
    assert_eq!(shapes[3], &Geometry::Capsule { radius_m: 0.5, length_m: 1.0 });
    assert_eq!(shapes[4], &Geometry::Ellipsoid { radii_m: [1.0, 2.0, 3.0] });
    assert_eq!(shapes[5], &Geometry::Plane { normal: [0.0, 0.0, 1.0], size_m: [5.0, 6.0] });
    let Geometry::Mesh { uri, scale, submesh } = shapes[6] else { panic!("a mesh") };
    assert_eq!((uri.scheme(), uri.path()), (Scheme::Model, "post/meshes/post.dae"));
    assert_eq!(*scale, [1.0, 2.0, -1.0]);
    assert_eq!(submesh.as_ref().map(|s| (s.name.as_str(), s.center)), Some(("top", true)));
    let Geometry::Mesh { uri, scale, .. } = shapes[7] else { panic!("a mesh") };
    assert_eq!((uri.scheme(), uri.path()), (Scheme::Bundle, "meshes/track.dae"));
    assert_eq!(*scale, [1.0; 3]);
}

#[test]
fn materials_surface_and_inertia_are_read() {
    let loaded = load("materials.world").unwrap();
    let link = &loaded.content.models[0].links[0];
    let inertial = link.inertial.as_ref().unwrap();
    let inertia = inertial.inertia.unwrap();
    assert_eq!((inertial.mass_kg, inertial.pose.position.z), (0.5, 0.1));
    assert_eq!((inertia.xx, inertia.xy, inertia.yz), (0.01, 0.001, 0.0));
    let surface = link.collisions[0].surface;
    assert_eq!((surface.mu, surface.restitution), (Some(0.75), Some(0.25)));
    assert_eq!(surface.mu2, Some(sdf::limits::MAX_FRICTION), "what means endless friction is capped");
    let visual = &link.visuals[0];
    let material = visual.material.as_ref().unwrap();
    assert_eq!((visual.cast_shadows, visual.transparency), (Some(false), 0.5));
    assert_eq!(material.diffuse, Some([1.0, 0.5, 0.25, 1.0]));
    assert_eq!(material.emissive, Some([0.0, 0.0, 1.0, 1.0]));
    assert_eq!(material.specular, Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(material.albedo_map.as_ref().map(Uri::path), Some("post/textures/wood.png"));
    let messages: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[0], "worlds/materials.world:26: the colour of <specular> is cut to the range from 0 to 1");
    assert!(messages[1].contains(":29: the material script \"Gazebo/Wood\" is ignored"));
}

#[test]
fn includes_may_change_name_pose_and_static() {
    let loaded = load("include.world").unwrap();
    let world = &loaded.content;
    let names: Vec<&str> = world.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["post", "post_2", "post_3", "ground_plane"]);
    assert_eq!((model(world, "post").pose.position.x, model(world, "post").is_static), (1.0, true));
    assert_eq!((model(world, "post_2").pose.position.x, model(world, "post_2").is_static), (3.0, false));
    let Geometry::Mesh { uri, .. } = &model(world, "post_3").links[0].visuals[0].geometry else { panic!("a mesh") };
    assert_eq!(uri.path(), "models/post/meshes/post.dae", "relative to the model's own file");
    let lights: Vec<(&str, f64)> = world.lights.iter().map(|l| (l.name.as_str(), l.pose.position.z)).collect();
    assert_eq!(lights, [("lamp", 7.0), ("sun", 10.0)]);
    assert_eq!(loaded.warnings.len(), 1, "the sensor of the model is told once, though it is included three times");
    assert_eq!(loaded.warnings[0].place.to_string(), "models/post/post.sdf:9");
}

#[test]
fn what_is_ignored_is_told_with_its_line() {
    let loaded = load("ignored.world").unwrap();
    let told: Vec<(u32, &str)> = loaded.warnings.iter().map(|w| (w.place.line, w.message.as_str())).collect();
    let expected = [
        (3, "SDF version 1.12 is newer than 1.11 and is read as that"),
        (5, "<plugin> in <world> is ignored: plugins do not run here"),
        (6, "<gui> in <world> is ignored"),
        (7, "<note> in <world> is ignored: it belongs to another program"),
        (10, "<sensor> in <link> is ignored: the vehicle brings its own sensors"),
        (11, "<inertial> is ignored: its mass is 0"),
        (12, "the shape <heightmap> is not supported; it is left out"),
        (14, "the attribute frame of <pose> is ignored: since SDF 1.7 it is relative_to"),
        (18, "the model \"inner\" has no links: there is nothing of it in the world"),
        (18, "<static> of the nested model \"inner\" is ignored: the outer model decides"),
    ];
    assert_eq!(told, expected);
    let link = &loaded.content.models[0].links[0];
    assert_eq!((link.visuals.len(), link.collisions.len()), (0, 1));
}

#[test]
fn a_model_file_is_read_on_its_own() {
    let bytes = std::fs::read(fixture_dir().join("models/post/post.sdf")).unwrap();
    let loaded = sdf::read_model(&bytes, "models/post/post.sdf", &Bundle).unwrap();
    assert_eq!((loaded.content.name.as_str(), loaded.content.pose.position.x), ("post", 1.0));
}
