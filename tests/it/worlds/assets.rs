//! Which files a world can reach.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::support::folder::TempFolder;
use sim_api::worlds::{AssetError, Assets};

struct Folders {
    _top: TempFolder,
    bundle: PathBuf,
    assets: Assets,
}

fn folders() -> Folders {
    let top = TempFolder::new();
    let (bundle, shared) = (top.path().join("bundle"), top.path().join("shared"));
    for (folder, file, content) in [
        (&bundle, "models/cone/model.sdf", "own cone"),
        (&bundle, "textures/field.png", "own field"),
        (&shared, "models/cone/model.sdf", "shared cone"),
        (&shared, "models/ball/model.sdf", "shared ball"),
        (&shared, "meshes/world_builder/textures/road.png", "road"),
    ] {
        super::fixture::write(folder, &vec![(file.to_owned(), content.into())]);
    }
    std::fs::write(top.path().join("secret"), "secret").unwrap();
    let assets = Assets::new(&bundle, &[shared]);
    Folders { _top: top, bundle, assets }
}

fn text(found: Result<sim_api::worlds::FoundAsset, AssetError>) -> String {
    String::from_utf8(found.unwrap().bytes).unwrap()
}

#[test]
fn the_bundles_own_files_come_before_the_shared_ones() {
    let assets = folders();
    let (_keep, assets) = (&assets, &assets.assets);
    assert_eq!(text(assets.read_model_uri("model://cone/model.sdf", 100)), "own cone");
    assert_eq!(text(assets.read_model_uri("model://ball/model.sdf", 100)), "shared ball");
    assert_eq!(text(assets.read_model_uri("model://meshes/world_builder/textures/road.png", 100)), "road");
    assert_eq!(text(assets.read("textures/field.png", 100)), "own field");
    assert_eq!(text(assets.read("file://meshes/world_builder/textures/road.png", 100)), "road");
    assert_eq!(text(assets.read("models/cone/../ball/./model.sdf", 100)), "shared ball");
    assert!(assets.resolve_model_uri("model://cone").unwrap().is_dir());
    let found = assets.read_model_uri("model://ball//model.sdf", 100).unwrap();
    assert_eq!(found.path, "models/ball/model.sdf");
}

#[test]
fn no_path_leads_out() {
    let folders = folders();
    for path in [
        "../secret",
        "textures/../../secret",
        "/etc/passwd",
        "file:///etc/passwd",
        "file://../secret",
        "C:/secret",
        "textures\\..\\..\\secret",
        "textures/a\0b",
        "http://127.0.0.1/x",
        "",
        ".",
        "textures/..",
    ] {
        assert!(matches!(folders.assets.resolve(path), Err(AssetError::BadPath { .. })), "{path:?}");
        let uri = format!("model://{path}");
        let refused = folders.assets.resolve_model_uri(&uri);
        assert!(matches!(refused, Err(AssetError::BadPath { .. } | AssetError::NotFound(_))), "{uri:?}");
    }
    assert!(matches!(folders.assets.resolve_model_uri("cone"), Err(AssetError::BadPath { .. })));
    assert!(matches!(folders.assets.open("textures/none.png"), Err(AssetError::NotFound(_))));
}

#[test]
fn links_may_point_around_inside_but_not_out() {
    let folders = folders();
    let textures = folders.bundle.join("textures");
    symlink("field.png", textures.join("inside.png")).unwrap();
    symlink("../../secret", textures.join("outside.png")).unwrap();
    symlink("/etc", textures.join("etc")).unwrap();
    symlink("circle.png", textures.join("circle.png")).unwrap();
    assert_eq!(text(folders.assets.read("textures/inside.png", 100)), "own field");
    for path in ["textures/outside.png", "textures/etc/passwd", "textures/etc"] {
        assert!(matches!(folders.assets.open(path), Err(AssetError::LeadsOut(_))), "{path}");
    }
    assert!(matches!(folders.assets.open("textures/circle.png"), Err(AssetError::NotFound(_))));
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folders = folders();
    assert!(matches!(folders.assets.open("textures"), Err(AssetError::NotAFile(_))));
    assert!(matches!(folders.assets.read("textures/field.png", 8), Err(AssetError::TooLarge { .. })));
    assert!(folders.assets.read("textures/field.png", 9).is_ok());
}
