//! What a hostile or broken meta.json may say: each time one clear sentence, and nothing is left behind.

use serde_json::{Value, json};
use sim_api::worlds::{InstallError, InstallLimits, InstallOptions};

use super::cdn::{Answer, Cdn};
use super::fixture::{self, Site, id};
use crate::support::in_time;

async fn refusal(meta: impl Into<Vec<u8>>) -> String {
    let cdn = fixture::serve(&fixture::files()).await;
    cdn.put(&fixture::meta_path(), Answer::ok(meta));
    refusal_of(&cdn, InstallLimits::default()).await
}

pub async fn refusal_of(cdn: &Cdn, limits: InstallLimits) -> String {
    let site = Site::with(InstallOptions { limits, ..InstallOptions::new(cdn.url()) });
    let error = in_time(site.installer.install(&id())).await.unwrap_err();
    assert!(matches!(error, InstallError::Unusable(_)), "{error:?}");
    assert!(site.catalogue().list().is_empty());
    assert_eq!(site.leftovers(), [""; 0], "{error}");
    let sentence = error.to_string();
    assert!(sentence.chars().all(|c| (' '..='~').contains(&c)), "{sentence:?}");
    sentence
}

fn meta_with(change: impl FnOnce(&mut Value)) -> String {
    let mut meta = fixture::meta(&fixture::files());
    change(&mut meta);
    meta.to_string()
}

#[tokio::test]
async fn dangerous_paths_are_refused_before_anything_is_downloaded() {
    for (path, wanted) in [
        ("../evil", "climbs out"),
        ("worlds/../../evil", "climbs out"),
        ("models/a/..", "climbs out"),
        ("/etc/passwd", "is absolute"),
        ("//host/share", "is absolute"),
        ("C:/Windows/evil.dll", "holds a colon"),
        ("textures/a.png:stream", "holds a colon"),
        ("C:\\Windows\\evil.dll", "holds a backslash"),
        ("textures\\..\\..\\evil", "holds a backslash"),
        ("textures/a\0.png", "control character"),
        ("textures/a\n.png", "control character"),
        ("textures/\u{202e}gnp.exe", "direction of writing"),
        ("textures/a b.png", "characters other than"),
        ("textures/\u{e9}.png", "characters other than"),
        ("textures/.htaccess", "begins with a dot"),
        ("textures/.git/config", "begins with a dot"),
        ("textures//a.png", "empty part"),
        ("textures/./a.png", "empty part"),
        ("textures/", "empty part"),
        ("", "is empty"),
        ("unknown/../../evil", "climbs out"),
    ] {
        let meta = meta_with(|meta| meta["files"].as_array_mut().unwrap().push(path.into()));
        let sentence = refusal(meta).await;
        assert!(sentence.contains(wanted), "{path:?}: {sentence}");
    }
    let long = format!("textures/{}", "a".repeat(300));
    let deep = format!("textures/{}a.png", "a/".repeat(20));
    for path in [long, deep] {
        let meta = meta_with(|meta| meta["files"].as_array_mut().unwrap().push(path.into()));
        assert!(refusal(meta).await.contains("too "));
    }
}

#[tokio::test]
async fn files_that_could_not_lie_beside_each_other_everywhere_are_refused() {
    for (paths, wanted) in [
        (["textures/A.png", "textures/a.png"], "upper and lower case"),
        (["models/Box/model.sdf", "models/box/other.sdf"], "upper and lower case"),
        (["models/box", "models/box/model.sdf"], "both a file and a folder"),
        (["textures/a.png", "textures/a.png"], "listed twice"),
    ] {
        let add = |meta: &mut Value| meta["files"].as_array_mut().unwrap().extend(paths.map(Value::from));
        let sentence = refusal(meta_with(add)).await;
        assert!(sentence.contains(wanted), "{sentence}");
    }
}

#[tokio::test]
async fn a_bundle_has_exactly_one_world_file() {
    let none = meta_with(|meta| meta["files"] = json!(["models/cone/model.sdf", "worlds/deep/oval.world"]));
    assert!(refusal(none).await.contains("no file worlds/*.world"));
    let two = meta_with(|meta| meta["files"].as_array_mut().unwrap().push("worlds/other.world".into()));
    assert!(refusal(two).await.contains("more than one world file"));
    let empty = meta_with(|meta| meta["files"] = json!([]));
    assert!(refusal(empty).await.contains("no file worlds/*.world"));
}

#[tokio::test]
async fn a_meta_json_that_is_not_one_is_refused() {
    for raw in ["", "{", "null", "[]", "\"text\"", "{\"rev\": 12345678}", "\u{feff}{}", "<html>Login</html>"] {
        assert!(refusal(raw).await.contains("meta.json is not as it should be"), "{raw}");
    }
    let nested = format!("{{\"files\":{}", "[".repeat(100_000));
    assert!(refusal(nested).await.contains("meta.json"));
    let wrong: [(&str, Value); 12] = [
        ("rev", json!("short")),
        ("rev", json!("UPPERCASE1")),
        ("rev", json!("../../../x")),
        ("rev", json!("a".repeat(25))),
        ("rev", Value::Null),
        ("files", json!({"a": 1})),
        ("files", json!([1, 2])),
        ("name", json!(["a"])),
        ("size", json!([-1.0, 2.0])),
        ("size", json!([1.0])),
        ("size", json!("large")),
        ("archive", json!("../x.zip")),
    ];
    for (key, value) in wrong {
        let sentence = refusal(meta_with(|meta| meta[key] = value.clone())).await;
        assert!(sentence.contains("meta.json is not as it should be"), "{key} {value}: {sentence}");
    }
}

#[tokio::test]
async fn limits_hold_for_one_file_all_files_and_their_number() {
    let cdn = fixture::serve(&fixture::files()).await;
    let few = InstallLimits { files: 3, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, few).await.contains("more than 3 files"));
    let small = InstallLimits { file_bytes: 40, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, small).await.contains("is larger than 40 bytes"));
    let little = InstallLimits { all_bytes: 200, ..InstallLimits::default() };
    assert!(refusal_of(&cdn, little).await.contains("together are larger than 200 bytes"));
}

#[tokio::test]
async fn what_is_no_part_of_a_bundle_is_skipped() {
    let cdn = fixture::serve(&fixture::files()).await;
    let harmless = ["project.json", "bundle.json", "docs/read me.txt", "__MACOSX/._worlds", "README"];
    let add = |meta: &mut Value| meta["files"].as_array_mut().unwrap().extend(harmless.map(Value::from));
    cdn.put(&fixture::meta_path(), Answer::ok(meta_with(add)));
    let site = Site::new(&cdn);
    in_time(site.installer.install(&id())).await.unwrap();
    let bundle = site.catalogue().find_id(&id()).unwrap();
    assert!(!bundle.folder().join("project.json").exists());
    assert_eq!(cdn.requests().len(), fixture::files().len() + 1);
}
