//! What is listed, and what is found.

use std::path::Path;

use sim_api::domain::WorldName;
use sim_api::worlds::{Catalogue, CatalogueError, Entry, WorldId};

use super::fixture::{self, ID, WORLD};
use crate::support::folder::TempFolder;

struct Shelf {
    top: TempFolder,
    catalogue: Catalogue,
}

fn shelf() -> Shelf {
    let top = TempFolder::new();
    let catalogue = Catalogue::new(vec![top.path().join("official")], top.path().join("custom"));
    Shelf { top, catalogue }
}

impl Shelf {
    fn folder(&self, path: &str) -> std::path::PathBuf {
        self.top.path().join(path)
    }

    fn entry(&self, name: &str) -> Entry {
        self.catalogue.list().into_iter().find(|entry| entry.name == name).expect("it is listed")
    }
}

fn add_world(folder: &Path, file: &str, content: &str) {
    fixture::write(folder, &vec![(format!("worlds/{file}"), content.into())]);
}

#[test]
fn official_worlds_come_first_and_everything_is_sorted_by_name() {
    let shelf = shelf();
    for path in ["official/oval", "official/circle", "custom/alpha", "custom/beta"] {
        let name = path.split_once('/').unwrap().1;
        add_world(&shelf.folder(path), &format!("{name}.world"), WORLD);
    }
    fixture::write(&shelf.folder("official/shared"), &vec![("meshes/a.dae".into(), b"x".to_vec())]);
    std::fs::write(shelf.folder("custom/notes.txt"), "x").unwrap();
    std::fs::create_dir(shelf.folder("custom/.install-1-2-3")).unwrap();
    std::fs::write(shelf.folder("official/oval/bundle.json"), r#"{"display":"The Oval","size":[8,5.5],"more":1}"#)
        .unwrap();
    let list = shelf.catalogue.list();
    let names: Vec<&str> = list.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["circle", "oval", "alpha", "beta"]);
    assert_eq!(list.iter().map(|entry| entry.official).collect::<Vec<_>>(), [true, true, false, false]);
    assert_eq!(list.iter().map(|entry| entry.deletable).collect::<Vec<_>>(), [false, false, true, true]);
    assert!(list.iter().all(|entry| entry.error.is_none() && entry.world_id.is_none() && !entry.evaluation));
    assert_eq!((list[1].display.as_str(), list[1].size), ("The Oval", Some([8.0, 5.5])));
    assert_eq!((list[2].display.as_str(), list[2].file.as_str(), list[2].size), ("alpha", "alpha.world", None));
}

#[test]
fn a_missing_folder_has_no_worlds() {
    assert!(shelf().catalogue.list().is_empty());
}

#[test]
fn a_copied_folder_is_a_world_of_its_own() {
    let shelf = shelf();
    let mut files = fixture::files();
    files.push(("bundle.json".into(), format!(r#"{{"world_id":"{ID}","rev":"12345678"}}"#).into_bytes()));
    fixture::write(&shelf.folder(&format!("custom/custom_{ID}")), &files);
    fixture::write(&shelf.folder("custom/without_cone"), &files);
    let copy = shelf.entry("without_cone");
    assert_eq!((copy.error, copy.world_id, copy.evaluation), (None, None, true));
    assert_eq!(shelf.entry(&format!("custom_{ID}")).world_id, WorldId::parse(ID).ok());
    let bundle = shelf.catalogue.find_file("without_cone.world").unwrap();
    assert_eq!(bundle.world_file().unwrap(), shelf.folder("custom/without_cone/worlds/oval.world"));
    assert_eq!(bundle.route().unwrap(), Some(fixture::square()));
    assert_eq!(bundle.publication(), None);
}

#[test]
fn broken_worlds_are_listed_with_their_error() {
    let shelf = shelf();
    std::fs::create_dir_all(shelf.folder("custom/empty")).unwrap();
    add_world(&shelf.folder("custom/text"), "text.world", "hello");
    add_world(&shelf.folder("custom/cut"), "cut.world", &WORLD[..WORLD.len() - 10]);
    add_world(&shelf.folder("custom/two"), "a.world", WORLD);
    add_world(&shelf.folder("custom/two"), "b.world", WORLD);
    add_world(&shelf.folder("custom/noted"), "noted.world", WORLD);
    std::fs::write(shelf.folder("custom/noted/bundle.json"), "{").unwrap();
    add_world(&shelf.folder("custom/bad-name"), "a.world", WORLD);
    add_world(&shelf.folder("custom/fine"), "fine.world", WORLD);
    std::fs::create_dir_all(shelf.folder("custom/linked/worlds")).unwrap();
    let target = shelf.folder("custom/fine/worlds/fine.world");
    std::os::unix::fs::symlink(target, shelf.folder("custom/linked/worlds/linked.world")).unwrap();
    for (name, wanted) in [
        ("empty", "no file worlds/*.world"),
        ("text", "no <sdf> element"),
        ("cut", "does not end"),
        ("two", "several world files"),
        ("noted", "bundle.json is damaged"),
        ("bad-name", "rename the folder"),
        ("linked", "leads out"),
    ] {
        let error = shelf.entry(name).error.expect(name);
        assert!(error.contains(wanted), "{name}: {error}");
    }
    assert_eq!(shelf.entry("fine").error, None);
}

#[test]
fn a_list_says_who_has_a_picture() {
    let shelf = shelf();
    for name in ["with", "without", "huge"] {
        add_world(&shelf.folder(&format!("custom/{name}")), &format!("{name}.world"), WORLD);
    }
    let picture = |name: &str| shelf.folder(&format!("custom/{name}/track_iconography/{name}.png"));
    for name in ["with", "huge"] {
        std::fs::create_dir(picture(name).parent().unwrap()).unwrap();
        std::fs::write(picture(name), "picture").unwrap();
    }
    std::fs::File::options().write(true).open(picture("huge")).unwrap().set_len((16 << 20) + 1).unwrap();
    let has_picture = |name: &str| shelf.entry(name).picture;
    assert_eq!(["with", "without", "huge"].map(has_picture), [true, false, false]);
}

#[test]
fn a_custom_world_does_not_replace_an_official_one() {
    let shelf = shelf();
    add_world(&shelf.folder("official/oval"), "oval.world", WORLD);
    add_world(&shelf.folder("custom/oval"), "oval.world", WORLD);
    let list = shelf.catalogue.list();
    assert!(list[0].official && list[0].error.is_none());
    assert!(!list[1].official && !list[1].deletable);
    assert!(list[1].error.as_ref().unwrap().contains("same name"));
    assert!(shelf.catalogue.find_file("oval.world").unwrap().is_official());
}

#[test]
fn worlds_are_found_by_file_by_name_and_by_id() {
    let shelf = shelf();
    add_world(&shelf.folder("official/oval"), "oval.world", WORLD);
    let installed = format!("custom_{ID}");
    add_world(&shelf.folder(&format!("custom/{installed}")), &format!("{installed}.world"), WORLD);
    let catalogue = &shelf.catalogue;
    assert!(catalogue.find_file("oval.world").is_ok());
    assert!(catalogue.find(&WorldName::parse(&installed).unwrap()).is_ok());
    let upper = WorldId::parse(&ID.to_uppercase()).unwrap();
    assert_eq!(catalogue.find_id(&upper).unwrap().name().as_str(), installed);
    for bad in ["oval", "../oval.world", "a/b.world", ".world", "", "oval.world\0", "o val.world"] {
        assert_eq!(catalogue.find_file(bad), Err(CatalogueError::BadFileName), "{bad:?}");
    }
    assert_eq!(catalogue.find_file("nowhere.world"), Err(CatalogueError::NotFound));
    assert_eq!(catalogue.find_file("shared.world"), Err(CatalogueError::NotFound));
    assert_eq!(catalogue.find_id(&WorldId::parse(&"0".repeat(32)).unwrap()), Err(CatalogueError::NotInstalled));
    for bad in ["", "xyz", &"0".repeat(31), &"g".repeat(32), &"0".repeat(33), &"é".repeat(16)] {
        assert!(WorldId::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_fingerprint_changes_with_the_files() {
    let shelf = shelf();
    add_world(&shelf.folder("custom/oval"), "oval.world", WORLD);
    let bundle = shelf.catalogue.find_file("oval.world").unwrap();
    let before = bundle.fingerprint().unwrap();
    assert_eq!(bundle.fingerprint().unwrap(), before);
    fixture::write(bundle.folder(), &vec![("textures/field.png".into(), b"x".to_vec())]);
    assert_ne!(bundle.fingerprint().unwrap(), before);
}
