//! Worlds that are broken on purpose, loaded into a running simulator: each is a message, and the running world goes on.

use std::fmt::Write as _;
use std::io::{Seek, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use sim_api::app::world_source::CatalogueWorlds;
use sim_api::ros::msg::sim_api_msgs::ApplyResponse;
use sim_api::worlds::Catalogue;

use super::rig::{Rig, load};
use crate::builder::worlds_dir;
use crate::support::folder::TempFolder;

/// A world of this name, in the layout of a bundle, with further files beside it.
fn put(root: &Path, name: &str, world: &str, files: &[(&str, &[u8])]) {
    let all = [(format!("worlds/{name}.world"), world.as_bytes())];
    let beside = files.iter().map(|(path, bytes)| ((*path).to_owned(), *bytes));
    for (path, bytes) in all.into_iter().chain(beside) {
        let path = root.join(name).join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

fn world_of(inside: &str) -> String {
    format!("<sdf version='1.7'><world name='w'>{inside}</world></sdf>")
}

fn mesh_of(uri: &str) -> String {
    let mesh = format!("<geometry><mesh><uri>{uri}</uri></mesh></geometry>");
    let link = format!("<link name='object'><collision name='c'>{mesh}</collision></link>");
    world_of(&format!("<model name='m'><static>true</static>{link}</model>"))
}

/// The name of each hostile world and what is said about it.
fn hostile(root: &Path) -> Vec<(&'static str, &'static str)> {
    put(root, "truncated", &world_of("<model name='m'>")[..60], &[]);
    put(root, "million_models", &world_of(&"<model name='m'/>".repeat(1_000_000)), &[]);
    let mut many = String::new();
    for number in 0..20_000 {
        write!(many, "<model name='m{number}'><link name='l'/></model>").unwrap();
    }
    put(root, "many_models", &world_of(&many), &[]);
    put(
        root,
        "nan_mesh",
        &mesh_of("model://meshes/m.obj"),
        &[("meshes/m.obj", b"v 0 0 0\nv 1 NaN 0\nv 0 1 0\nf 1 2 3\n")],
    );
    put(
        root,
        "flat_mesh",
        &mesh_of("model://meshes/m.obj"),
        &[("meshes/m.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")],
    );
    let include = |of: &str| {
        format!("<sdf version='1.7'><model name='x'><include><uri>model://{of}</uri></include></model></sdf>")
    };
    put(
        root,
        "include_loop",
        &world_of("<include><uri>model://a</uri></include>"),
        &[("models/a/model.sdf", include("b").as_bytes()), ("models/b/model.sdf", include("a").as_bytes())],
    );
    put(root, "path_out", &mesh_of("../../../../../../etc/passwd"), &[]);
    put(root, "model_out", &world_of("<include><uri>model://../../../etc</uri></include>"), &[]);
    put(root, "no_such_mesh", &mesh_of("model://meshes/none.dae"), &[]);
    let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>";
    put(root, "entity_bomb", &format!("{bomb}{}", world_of("<model name='&b;'/>")), &[]);
    // Eight gigabytes of nothing between the first element and the last.
    put(root, "endless", "<sdf version='1.7'>", &[]);
    let mut file = std::fs::File::options().write(true).open(root.join("endless/worlds/endless.world")).unwrap();
    file.seek(SeekFrom::Start(8 << 30)).unwrap();
    file.write_all(b"</sdf>").unwrap();
    vec![
        ("truncated", "incomplete"),
        ("million_models", "more than 4194304 bytes"),
        ("many_models", "more than 10000 models"),
        ("nan_mesh", "m.obj:2"),
        ("flat_mesh", "no surface"),
        ("include_loop", "model.sdf:1"),
        ("path_out", "path_out.world:1"),
        ("model_out", "model_out.world:1"),
        ("no_such_mesh", "no_such_mesh.world:1"),
        ("entity_bomb", "entity_bomb.world:1"),
        ("endless", "more than 4194304 bytes"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_worlds_are_messages_and_the_running_world_goes_on() {
    let folder = TempFolder::new();
    let worlds = hostile(folder.path());
    let catalogue = Catalogue::new(vec![worlds_dir()], folder.path().to_owned());
    let rig = Rig::start_with(1.0, Arc::new(CatalogueWorlds::new(catalogue)));
    let mut before = rig.expect(vec![load("vehicle_base")], 0).await;
    for (name, word) in worlds {
        let answer = rig.apply(vec![load(name)], 0).await;
        assert_eq!(answer.result, ApplyResponse::REFUSED, "{name}: {}", answer.message);
        assert!(answer.message.contains(word), "{name}: {}", answer.message);
        // Named once in the answer, with nothing but text that a person can read.
        assert!(answer.message.contains(name) && answer.message.len() < 1_000, "{name}: {}", answer.message);
        let after = rig.expect(vec![], 1).await;
        assert_eq!((after.epoch, &after.states.names), (before.epoch, &before.states.names), "{name}");
        assert!(after.step > before.step, "{name}: time stands still");
        before = after;
    }
    rig.expect(vec![load("vehicle_oval")], 10).await;
}
