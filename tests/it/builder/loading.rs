//! The official worlds in the engine: what the car stands in and what its camera sees.

use nalgebra::{UnitQuaternion, Vector3};
use sim_api::domain::{Pose, WorldName};
use sim_api::engine::World;
use sim_api::engine::load::{self, AssetCache, LoadedWorld, Source};
use sim_api::render::{Camera, Picture, RenderOptions, Renderer};
use sim_api::worlds::{Assets, Route};

use super::{OFFICIAL, worlds_dir};
use crate::support::vehicle;

fn load_official(name: &str) -> (LoadedWorld, Pose) {
    let folder = worlds_dir().join(name);
    let path = format!("worlds/{name}.world");
    let bytes = std::fs::read(folder.join(&path)).expect("an official world");
    let start = Route::read(&folder.join(format!("routes/{name}.npy"))).expect("a good route").start_pose();
    let source = Source {
        name: &WorldName::parse(name).expect("a name"),
        bytes: &bytes,
        path: &path,
        files: &Assets::new(&folder, &[worlds_dir().join("shared")]),
        start,
    };
    (load::load(&source, &mut AssetCache::default()).expect("it loads"), start)
}

/// From 12 cm above the ground, 60 cm behind the start line, looking a little down.
fn seen_from_the_start(world: &LoadedWorld, start: &Pose) -> Picture {
    let position = start.position + start.orientation * Vector3::new(-0.6, 0.0, 0.12);
    let orientation = start.orientation * UnitQuaternion::from_euler_angles(0.0, 0.15, 0.0);
    let camera = Camera::forward_from(&Pose { position, orientation }, 100f64.to_radians(), 480, 360);
    Renderer::new(RenderOptions::default()).render(&world.look.scene, &camera)
}

#[test]
fn official_worlds_load_into_the_engine_without_a_warning() {
    for name in OFFICIAL {
        let (world, _) = load_official(name);
        assert!(world.warnings.is_empty(), "{name}: {:?}", world.warnings);
        assert_eq!(world.description.ground.height_m, 0.0);
    }
}

#[test]
fn the_camera_sees_a_road_with_lines_and_the_sky() {
    for name in OFFICIAL {
        let (world, start) = load_official(name);
        let picture = seen_from_the_start(&world, &start);
        if let Some(folder) = std::env::var_os("SIM_PICTURES") {
            let file = std::path::Path::new(&folder).join(format!("{name}.png"));
            std::fs::write(file, picture.encode_png().expect("a picture")).expect("the folder exists");
        }
        let is_grey = |[r, g, b]: [u8; 3]| r.abs_diff(g) < 12 && g.abs_diff(b) < 12 && (40..130).contains(&g);
        let is_white = |[r, g, b]: [u8; 3]| r.min(g).min(b) > 190;
        let below = |wanted: &dyn Fn([u8; 3]) -> bool| {
            let ground = (165..360).flat_map(|y| (0..480).map(move |x| (x, y)));
            ground.filter(|(x, y)| picture.pixel(*x, *y).is_some_and(wanted)).count()
        };
        assert!(below(&is_grey) > 20_000, "{name}: {} pixels of road", below(&is_grey));
        assert!(below(&is_white) > 400, "{name}: {} pixels of lines", below(&is_white));
        let [r, _, b] = picture.pixel(240, 20).expect("inside");
        assert!(b > r && b > 150, "{name}: no sky");
    }
}

#[test]
fn untouched_objects_of_the_official_worlds_stay_where_they_are() {
    for name in OFFICIAL {
        let (loaded, _) = load_official(name);
        let mut world = World::build(&loaded.description, &vehicle(), 0).expect("it builds");
        let settle = |world: &mut World, seconds: u32| (0..seconds * 200).for_each(|_| world.step());
        settle(&mut world, 1);
        let before = world.entities();
        settle(&mut world, 60);
        for (old, new) in before.iter().zip(world.entities()) {
            let crept = (new.pose.position - old.pose.position).norm();
            assert!(crept < 1e-3, "{name}: {} crept {crept} m", old.name);
        }
    }
}
