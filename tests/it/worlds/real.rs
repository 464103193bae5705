//! Worlds of a real simulator and a real node: dropped in by hand, switched around, remembered.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::fixture;
use crate::support::folder::TempFolder;
use crate::support::http::delete;
use crate::support::rig::Rig;
use crate::support::switching::{Usage, loadable_worlds, switch_around};
use crate::support::wait::wait_for;

/// The custom worlds of a rig.
fn custom(folder: &TempFolder, name: &str) -> std::path::PathBuf {
    folder.path().join("data/worlds").join(name)
}

/// The official oval under another name, as somebody would copy it.
fn copy_oval(to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds/vehicle_oval");
    copy(&from, to);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in fixture::names(from) {
        if from.join(&name).is_dir() {
            copy(&from.join(&name), &to.join(&name));
        } else {
            let copied = fs::copy(from.join(&name), to.join(&name));
            // A running simulator writes its files under another name first.
            assert!(copied.is_ok() || !from.join(&name).exists(), "{name}: {copied:?}");
        }
    }
}

#[tokio::test]
async fn a_folder_dropped_in_by_hand_is_a_world_and_a_broken_one_says_why() {
    let rig = Rig::start(TempFolder::new(), &["--world=plain"]).await;
    copy_oval(&custom(&rig.folder, "my_oval"));
    copy_oval(&custom(&rig.folder, "no_world"));
    fs::remove_file(custom(&rig.folder, "no_world").join("worlds/vehicle_oval.world")).unwrap();
    copy_oval(&custom(&rig.folder, "bad_world"));
    fs::write(custom(&rig.folder, "bad_world").join("worlds/vehicle_oval.world"), "<sdf><world></sdf>").unwrap();

    let listed = rig.get("worlds").await;
    let entry = |name: &str| listed["worlds"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!((entry("my_oval").get("error"), &entry("my_oval")["world_id"]), (None, &json!(null)));
    assert_eq!((&entry("my_oval")["official"], &entry("my_oval")["deletable"]), (&json!(false), &json!(true)));
    let reason = entry("no_world")["error"].as_str().unwrap();
    assert!(reason.contains("no file worlds/*.world"), "{reason}");

    assert_eq!(rig.post("switch", json!({"world": "my_oval.world"})).await.status, 200);
    let epoch = rig.get("status").await["epoch"].clone();
    for (world, status) in [("no_world.world", 422), ("bad_world.world", 422), ("nowhere.world", 404)] {
        let answer = rig.post("switch", json!({"world": world})).await;
        assert_eq!(answer.status, status, "{world}");
        assert!(!answer.code().is_empty());
    }
    let status = rig.get("status").await;
    assert_eq!((&status["current"], &status["epoch"], &status["running"]), (&json!("my_oval"), &epoch, &json!(true)));

    for name in ["bad_world", "no_world", "my_oval"] {
        assert_eq!(delete(rig.address, &format!("/sim/api/worlds/{name}")).await.status, 200, "{name}");
    }
    assert_eq!(rig.current().await, "vehicle_base", "the present world was deleted");
    assert_eq!(fixture::names(&rig.folder.path().join("data/worlds")), [""; 0]);
}

#[tokio::test]
async fn the_last_world_is_the_first_of_the_next_start_unless_another_is_named_or_it_is_gone() {
    let rig = Rig::start(TempFolder::new(), &[]).await;
    assert_eq!(rig.current().await, "vehicle_base");
    rig.post("switch", json!({"world": "vehicle_oval.world"})).await;
    let rig = rig.restart(&[]).await;
    assert_eq!(rig.current().await, "vehicle_oval");
    let rig = rig.restart(&["--world=plain"]).await;
    assert_eq!(rig.current().await, "plain");

    for damage in [
        |world: &Path| fs::remove_dir_all(world),
        |world: &Path| fs::write(world.join("worlds/vehicle_oval.world"), ""),
    ] {
        copy_oval(&custom(&rig.folder, "mine"));
        assert_eq!(rig.post("switch", json!({"world": "mine.world"})).await.status, 200);
        wait_for("a remembered world", async || {
            fs::read_to_string(rig.folder.path().join("data/state")).ok()?.contains("mine").then_some(())
        })
        .await;
        damage(&custom(&rig.folder, "mine")).unwrap();
        let again = Rig::start(copy_of(&rig.folder), &[]).await;
        assert_eq!(again.current().await, "vehicle_base");
        assert!(again.log().contains("starting in vehicle_base instead"), "{}", again.log());
    }
}

/// The same data folder elsewhere, as a new start would find it.
fn copy_of(folder: &TempFolder) -> TempFolder {
    let other = TempFolder::new();
    copy(&folder.path().join("data"), &other.path().join("data"));
    other
}

#[tokio::test]
async fn twenty_switches_around_all_worlds_miss_none_and_leave_no_file_open() {
    let rig = Rig::start(TempFolder::new(), &["--world=plain"]).await;
    let worlds = loadable_worlds(&rig).await;
    assert!(worlds.len() >= 4, "{worlds:?}");
    // Each world once, so that everything that is kept is there.
    switch_around(&rig, &worlds, worlds.len()).await;
    let usage = || [&rig.backend, &rig.node].map(|program| Usage::of(program.pid()));
    let before = usage();
    switch_around(&rig, &worlds, 20).await;
    for (before, after) in before.iter().zip(usage()) {
        assert!(after.files <= before.files + 2, "{before:?} {after:?}");
        assert!(after.resident_kb <= before.resident_kb + 200 * 1024, "{before:?} {after:?}");
    }
}
