//! `GET /worlds/<name>/files/<path>`: what is served, what never is.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;
use sim_api::mesh;

use crate::support::folder::TempFolder;
use crate::support::http::{exchange, get, request};
use crate::support::node::{Node, official_worlds};

const WORLD: &str = "<sdf version=\"1.7\"><world name=\"mine\"></world></sdf>";

/// A custom world `mine` with a file, a hidden one and links that lead out.
fn custom_world(folder: &TempFolder) {
    let world = folder.path().join("worlds/mine");
    for name in ["worlds", "meshes/.git", "textures"] {
        fs::create_dir_all(world.join(name)).expect("writable");
    }
    fs::write(folder.path().join("worlds/secret.txt"), "secret").expect("writable");
    fs::write(world.join("worlds/mine.world"), WORLD).expect("writable");
    fs::write(world.join("textures/field image.png"), b"\x89PNG of a field").expect("writable");
    fs::write(world.join("meshes/.hidden.txt"), "secret").expect("writable");
    fs::write(world.join("meshes/.git/config.txt"), "secret").expect("writable");
    fs::write(world.join("bundle.json"), "{\"secret\": true}").expect("writable");
    symlink(folder.path().join("worlds/secret.txt"), world.join("meshes/out.txt")).expect("writable");
    symlink(folder.path().join("worlds"), world.join("meshes/up")).expect("writable");
}

#[tokio::test]
async fn files_of_the_bundle_come_first_and_shared_ones_are_found_too() {
    let folder = TempFolder::new();
    custom_world(&folder);
    let node = Node::showing_world(official_worlds(folder.path()), "mine").await;
    let own = get(node.address, "/sim/api/worlds/mine/files/textures/field%20image.png").await;
    assert_eq!((own.status, own.header("content-type")), (200, Some("image/png")));
    assert_eq!(own.body, b"\x89PNG of a field");
    let shared = "/sim/api/worlds/mine/files/meshes/world_builder/textures/grass.png";
    assert_eq!(get(node.address, shared).await.status, 200);
    let world = get(node.address, "/sim/api/worlds/mine/files/worlds/mine.world").await;
    assert_eq!(world.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(world.body, WORLD.as_bytes());
    node.stop().await;
}

#[tokio::test]
async fn no_path_leads_out_of_the_world_and_nothing_hidden_is_served() {
    let folder = TempFolder::new();
    custom_world(&folder);
    let node = Node::showing_world(official_worlds(folder.path()), "mine").await;
    for path in [
        "meshes/../../secret.txt",
        "meshes/%2e%2e/%2e%2e/secret.txt",
        "meshes%2f..%2f..%2fsecret.txt",
        "../secret.txt",
        "/etc/passwd",
        "meshes//etc/passwd",
        "meshes/..%5c..%5csecret.txt",
        "meshes/out.txt",
        "meshes/up/secret.txt",
        "meshes/.hidden.txt",
        "meshes/.git/config.txt",
        "meshes",
        "meshes/",
        "meshes/./.hidden.txt",
        "meshes/%00",
        "bundle.json",
        "unknown/file.txt",
        "textures/missing.png",
        "meshes/%ff",
        "",
    ] {
        let request = request("GET", &format!("/sim/api/worlds/mine/files/{path}"), "", b"");
        let refused = exchange(node.address, &request).await;
        assert_eq!((refused.status, refused.header("content-type")), (404, Some("application/json")), "{path}");
        assert!(!refused.body.windows(6).any(|window| window == b"secret"), "{path}");
    }
    let unknown = get(node.address, "/sim/api/worlds/yours/files/textures/a.png").await;
    assert_eq!((unknown.status, unknown.code().as_str()), (404, "world_not_found"));
    let shared = get(node.address, "/sim/api/worlds/shared/files/meshes/vehicle_cone/vehicle_cone.png").await;
    assert_eq!(shared.status, 404, "the shared folder is no world");
    node.stop().await;
}

#[tokio::test]
async fn a_file_is_sent_again_only_after_it_has_changed() {
    let folder = TempFolder::new();
    custom_world(&folder);
    let node = Node::showing_world(official_worlds(folder.path()), "mine").await;
    let address = "/sim/api/worlds/mine/files/textures/field%20image.png";
    let first = get(node.address, address).await;
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let condition = format!("If-None-Match: {}\r\n", first.header("etag").expect("a tag"));
    let again = exchange(node.address, &request("GET", address, &condition, b"")).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    fs::write(folder.path().join("worlds/mine/textures/field image.png"), b"\x89PNG of another field")
        .expect("writable");
    let changed = exchange(node.address, &request("GET", address, &condition, b"")).await;
    assert_eq!((changed.status, changed.body.as_slice()), (200, &b"\x89PNG of another field"[..]));
    node.stop().await;
}

#[tokio::test]
async fn an_address_with_the_revision_of_the_scene_may_be_kept_for_ever() {
    let folder = TempFolder::new();
    custom_world(&folder);
    let node = Node::showing_world(official_worlds(folder.path()), "mine").await;
    let rev = get(node.address, "/sim/api/scene").await.json()["rev"].as_str().expect("a revision").to_owned();
    let address = |rev: &str| format!("/sim/api/worlds/mine/files/textures/field%20image.png?rev={rev}");
    let kept = get(node.address, &address(&rev)).await;
    assert_eq!(kept.header("cache-control"), Some("private, max-age=31536000, immutable"));
    let old = get(node.address, &address("0123")).await;
    assert_eq!(old.header("cache-control"), Some("no-cache"));
    fs::write(folder.path().join("worlds/mine/textures/new.png"), b"\x89PNG").expect("writable");
    assert_ne!(get(node.address, "/sim/api/scene").await.json()["rev"], rev.as_str());
    node.stop().await;
}

fn numbers<const N: usize>(bytes: &[u8], at: usize, count: usize) -> Vec<[f32; N]> {
    let one = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (0..count).map(|row| std::array::from_fn(|i| one(at + (row * N + i) * 4))).collect()
}

#[tokio::test]
async fn a_mesh_comes_as_the_triangles_that_the_simulator_reads() {
    let folder = TempFolder::new();
    let node = Node::showing_world(official_worlds(folder.path()), "vehicle_slalom").await;
    let file = "meshes/vehicle_cone/vehicle_cone.dae";
    let address = format!("/sim/api/worlds/vehicle_slalom/files/{file}");
    let raw = get(node.address, &address).await;
    assert_eq!(raw.header("content-type"), Some("model/vnd.collada+xml"));
    let expected = mesh::read(file, &raw.body, &|_| None).expect("a good mesh");
    let sent = get(node.address, &format!("{address}?format=triangles")).await.body;
    assert_eq!(&sent[..4], b"TRI1");
    let length = u32::from_le_bytes(sent[4..8].try_into().expect("four bytes")) as usize;
    let header: Value = serde_json::from_slice(&sent[8..8 + length]).expect("JSON");
    let body = &sent[8 + length..];
    let parts = header["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), expected.parts.len());
    for (part, expected) in parts.iter().zip(&expected.parts) {
        let at = |key: &str| part[key].as_u64().expect("a number") as usize;
        let vertices = at("vertices");
        assert_eq!(numbers::<3>(body, at("positions_at"), vertices), expected.positions);
        assert_eq!(numbers::<2>(body, at("uvs_at"), vertices), expected.uvs);
        let indices = body[at("indices_at")..][..at("indices") * 2].as_chunks::<2>().0.iter();
        assert!(indices.map(|index| u32::from(u16::from_le_bytes(*index))).eq(expected.indices.iter().copied()));
        for (row, normal) in expected.normals.iter().enumerate() {
            let sent: [u8; 3] = body[at("normals_at") + row * 4..][..3].try_into().expect("three bytes");
            let sent = sent.map(|byte| f32::from(byte as i8) / 127.0);
            assert!(sent.iter().zip(normal).all(|(sent, normal)| (sent - normal).abs() < 0.005), "{sent:?} {normal:?}");
        }
    }
    for (query, status, code) in
        [("format=png", 400, "bad_format"), ("format=triangles&submesh=nothing", 404, "no_such_submesh")]
    {
        let refused = get(node.address, &format!("{address}?{query}")).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code));
    }
    let picture = "/sim/api/worlds/vehicle_slalom/files/meshes/vehicle_cone/vehicle_cone.png?format=triangles";
    let refused = get(node.address, picture).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "broken_mesh"));
    node.stop().await;
}
