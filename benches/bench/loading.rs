//! From a world's files to a world that can step: the first time, and again with what was kept.

use std::path::{Path, PathBuf};

use sim_api::app::vehicle_file;
use sim_api::app::world_source::CatalogueWorlds;
use sim_api::backend::catalogue::WorldSource;
use sim_api::domain::WorldName;
use sim_api::engine::World;
use sim_api::worlds::{Catalogue, Route};

use crate::OFFICIAL;
use crate::cpu::measure;

const COLD_MS: f64 = 1_500.0;
const CACHED_MS: f64 = 300.0;
/// A cached load is too short to be measured alone.
const REPEATS: u32 = 10;

pub fn run() {
    for name in OFFICIAL {
        let world = WorldName::parse(name).expect("a name");
        let source = source();
        let (_, cold) = measure(|| build(&source, &world));
        let ((), cached) = measure(|| (0..REPEATS).for_each(|_| drop(build(&source, &world))));
        let ms = |time: std::time::Duration, count: u32| time.as_secs_f64() * 1e3 / f64::from(count);
        let text = |cpu: f64, wall: f64| format!("{cpu:.0} ms (wall {wall:.0} ms)");
        let (cpu, wall) = (ms(cold.cpu, 1), ms(cold.wall, 1));
        crate::judged(&format!("{name}, load, nothing cached"), "<= 1500 ms", &text(cpu, wall), cpu <= COLD_MS);
        let (cpu, wall) = (ms(cached.cpu, REPEATS), ms(cached.wall, REPEATS));
        crate::judged(&format!("{name}, load, cached"), "<= 300 ms", &text(cpu, wall), cpu <= CACHED_MS);
    }
}

fn worlds_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds")
}

/// The official worlds, nothing of them read yet.
pub fn source() -> CatalogueWorlds {
    CatalogueWorlds::new(Catalogue::new(vec![worlds_dir()], worlds_dir().join("none")))
}

/// A world and the centre line of its route.
pub fn build(source: &CatalogueWorlds, name: &WorldName) -> (World, Vec<[f64; 2]>) {
    let sourced = source.load(name).expect("an official world loads");
    let vehicle = vehicle_file::built_in().expect("the built-in vehicle is valid");
    let world = World::build(&sourced.description, &vehicle, 0).expect("an official world builds");
    let file = worlds_dir().join(name.as_str()).join(format!("routes/{name}.npy"));
    let route = Route::read(&file).expect("an official world has a route");
    (world.with_look(sourced.look), route.waypoints)
}
