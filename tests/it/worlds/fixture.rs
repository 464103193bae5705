//! A tiny but complete bundle, as files in memory or in a folder.

use std::path::Path;

use serde_json::{Value, json};
use sim_api::worlds::{Catalogue, InstallOptions, Installer, Route, Store, WorldId};

use super::cdn::{Answer, Cdn};
use crate::support::folder::TempFolder;

pub const ID: &str = "0123456789abcdef0123456789abcdef";
pub const REV: &str = "a1b2c3d4e5";
pub const WORLD: &str =
    "<?xml version=\"1.0\"?>\n<sdf version=\"1.7\"><world name=\"oval\"><gravity>0 0 -9.8</gravity></world></sdf>\n";

pub fn id() -> WorldId {
    WorldId::parse(ID).expect("a valid id")
}

pub fn square() -> Route {
    let ring = |r: f64| vec![[r, -r], [r, r], [-r, r], [-r, -r], [r, -r]];
    Route { waypoints: ring(2.0), inner: Some(ring(1.5)), outer: Some(ring(2.5)) }
}

pub type Files = Vec<(String, Vec<u8>)>;

pub fn files() -> Files {
    let text = |path: &str, content: &str| (path.to_owned(), content.as_bytes().to_vec());
    vec![
        text("worlds/oval.world", WORLD),
        text("models/cone/model.sdf", "<sdf version=\"1.7\"><model name=\"cone\"/></sdf>"),
        text("meshes/oval/track.dae", "<COLLADA/>"),
        // A JPEG that claims to be a PNG, as world builders write them.
        ("textures/field.png".to_owned(), vec![0xff, 0xd8, 0xff, 0xe0, 0, 16]),
        ("routes/oval.npy".to_owned(), square().to_npy()),
        text("evaluations/oval.json", r#"{"version":1,"config":{"description":"One lap","better":"lower"}}"#),
        text("evaluations/oval.py", "def evaluate(sim):\n    sim.finish()\n"),
    ]
}

pub fn write(folder: &Path, files: &Files) {
    for (path, content) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the test folder is writable");
        std::fs::write(path, content).expect("the test folder is writable");
    }
}

pub fn meta(files: &Files) -> Value {
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    json!({"rev": REV, "name": "Oval", "access": "public", "files": paths, "size": [6.0, 5.0]})
}

pub fn meta_path() -> String {
    format!("/worlds/{ID}/meta.json")
}

pub fn file_path(path: &str) -> String {
    format!("/worlds/{ID}/{REV}/{path}")
}

/// A worlds server that has these files one by one.
pub async fn serve(files: &Files) -> Cdn {
    let cdn = Cdn::start().await;
    cdn.put(&meta_path(), Answer::ok(meta(files).to_string()));
    for (path, content) in files {
        cdn.put(&file_path(path), Answer::ok(content.clone()));
    }
    cdn
}

/// A data folder and an installer that fills it.
pub struct Site {
    pub data: TempFolder,
    pub installer: Installer,
}

impl Site {
    pub fn new(cdn: &Cdn) -> Self {
        Self::with(InstallOptions::new(cdn.url()))
    }

    pub fn with(options: InstallOptions) -> Self {
        let data = TempFolder::new();
        let installer = Installer::new(Store::new(data.path()), options).expect("the address is valid");
        Self { data, installer }
    }

    pub fn catalogue(&self) -> Catalogue {
        catalogue(self.data.path())
    }

    /// Everything in the folder of worlds, hidden things as well.
    pub fn leftovers(&self) -> Vec<String> {
        names(&self.data.path().join("worlds"))
    }
}

pub fn catalogue(data: &Path) -> Catalogue {
    Catalogue::new(Vec::new(), data.join("worlds"))
}

pub fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned()).collect()
}
