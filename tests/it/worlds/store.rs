//! Deleting, remembering and cleaning up.

use sim_api::domain::WorldName;
use sim_api::worlds::{Store, StoreError};

use super::fixture;
use crate::support::folder::TempFolder;

fn name(raw: &str) -> WorldName {
    WorldName::parse(raw).unwrap()
}

#[test]
fn a_deleted_world_is_gone_with_all_its_files() {
    let data = TempFolder::new();
    let store = Store::new(data.path());
    fixture::write(&store.worlds().join("oval"), &fixture::files());
    fixture::write(&store.worlds().join("other"), &fixture::files());
    store.delete(&name("oval")).unwrap();
    assert_eq!(fixture::names(store.worlds()), ["other"]);
    assert!(matches!(store.delete(&name("oval")), Err(StoreError::NotFound)));
}

#[test]
fn deleting_a_linked_world_removes_the_link_alone() {
    let (data, elsewhere) = (TempFolder::new(), TempFolder::new());
    fixture::write(elsewhere.path(), &fixture::files());
    let store = Store::new(data.path());
    std::fs::create_dir_all(store.worlds()).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), store.worlds().join("linked")).unwrap();
    assert_eq!(fixture::catalogue(data.path()).list()[0].error, None);
    store.delete(&name("linked")).unwrap();
    assert_eq!(fixture::names(store.worlds()), [""; 0]);
    assert!(elsewhere.path().join("worlds/oval.world").is_file());
}

#[test]
fn the_last_world_is_remembered_over_a_restart() {
    let data = TempFolder::new();
    let folder = data.path().join("not/yet/there");
    assert_eq!(Store::new(&folder).last_world(), None);
    Store::new(&folder).remember_world(&name("oval")).unwrap();
    Store::new(&folder).remember_world(&name("circle")).unwrap();
    assert_eq!(Store::new(&folder).last_world(), Some(name("circle")));
    assert_eq!(fixture::names(&folder), ["state"]);
    for damage in ["", "{", "{\"world\":\"../x\"}", "{\"world\":7}"] {
        std::fs::write(folder.join("state"), damage).unwrap();
        assert_eq!(Store::new(&folder).last_world(), None);
    }
}

#[test]
fn what_a_crash_left_is_finished_or_removed_at_the_next_start() {
    let data = TempFolder::new();
    let store = Store::new(data.path());
    store.recover().unwrap();
    let worlds = store.worlds();
    for folder in [".install-1-2-3/bundle", ".deleted-1-2-3", ".old-half", ".old-done", "done", "oval"] {
        fixture::write(&worlds.join(folder), &fixture::files());
    }
    std::fs::write(data.path().join(".draft-1-2-3"), "half").unwrap();
    std::fs::write(worlds.join("oval/.draft-1-2-4"), "half").unwrap();
    store.recover().unwrap();
    let mut left = fixture::names(worlds);
    left.sort();
    // `half` was moved aside, and its successor had not come yet.
    assert_eq!(left, ["done", "half", "oval"]);
    assert_eq!(fixture::names(data.path()), ["worlds"]);
    assert!(!worlds.join("oval/.draft-1-2-4").exists());
}
