//! `GET /scene`, over the official worlds.

use serde_json::{Value, json};

use crate::support::folder::TempFolder;
use crate::support::http::{exchange, get, request};
use crate::support::node::{Node, official_worlds, running};

const OFFICIAL: [&str; 4] = ["vehicle_base", "vehicle_city", "vehicle_oval", "vehicle_slalom"];

/// The texts at this key, wherever in the document it stands.
fn texts<'a>(value: &'a Value, key: &str) -> Vec<&'a str> {
    match value {
        Value::Object(fields) => {
            let own = fields.get(key).and_then(Value::as_str);
            own.into_iter().chain(fields.values().flat_map(|field| texts(field, key))).collect()
        }
        Value::Array(items) => items.iter().flat_map(|item| texts(item, key)).collect(),
        _ => Vec::new(),
    }
}

fn model<'a>(scene: &'a Value, name: &str) -> &'a Value {
    let models = scene["models"].as_array().expect("a list of models");
    models.iter().find(|model| model["name"] == name).unwrap_or_else(|| panic!("no model {name}"))
}

#[tokio::test]
async fn every_official_world_names_only_files_that_are_served() {
    let folder = TempFolder::new();
    for world in OFFICIAL {
        let node = Node::showing_world(official_worlds(folder.path()), world).await;
        let scene = get(node.address, "/sim/api/scene").await;
        assert_eq!((scene.status, scene.header("content-type")), (200, Some("application/json")), "{world}");
        let scene = scene.json();
        assert_eq!((&scene["world"], &scene["epoch"]), (&json!(world), &json!(7)));
        let meshes = texts(&scene, "file");
        assert!(!meshes.is_empty(), "{world} has a track");
        for mesh in meshes {
            let address = format!("/sim/api/worlds/{world}/files/{mesh}?format=triangles");
            let triangles = get(node.address, &address).await;
            assert_eq!(triangles.status, 200, "{address}");
            let length = u32::from_le_bytes(triangles.body[4..8].try_into().expect("four bytes")) as usize;
            let header: Value = serde_json::from_slice(&triangles.body[8..8 + length]).expect("a JSON header");
            for texture in texts(&header, "texture") {
                let picture = get(node.address, &format!("/sim/api/worlds/{world}/files/{texture}")).await;
                assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")), "{texture}");
                assert!(picture.body.starts_with(b"\x89PNG"), "{texture}");
            }
        }
        for texture in texts(&scene, "texture") {
            assert_eq!(get(node.address, &format!("/sim/api/worlds/{world}/files/{texture}")).await.status, 200);
        }
        node.stop().await;
    }
}

#[tokio::test]
async fn a_traffic_light_says_which_visuals_are_its_lamps_and_where_the_disc_is() {
    let folder = TempFolder::new();
    let node = Node::showing_world(official_worlds(folder.path()), "vehicle_city").await;
    let scene = get(node.address, "/sim/api/scene").await.json();
    let light = model(&scene, "signal1");
    assert_eq!((&light["type"], &light["kind"], &light["movable"]), (&json!("light"), &json!("light"), &json!(true)));
    for part in ["lamp_red", "lamp_green", "screen"] {
        let visuals = light["visuals"].as_array().expect("visuals").iter();
        assert_eq!(visuals.filter(|visual| visual["part"] == part).count(), 1, "{part}");
    }
    // The screen is 18 cm wide, leans back by 15 degrees and stands 17 cm up; the disc is in front of its middle.
    let disc = &light["disc"];
    assert_eq!(disc["radius"], json!(0.054));
    let (x, z) = (disc["pose"]["x"].as_f64().expect("x"), disc["pose"]["z"].as_f64().expect("z"));
    let reach = 0.006 + 0.004;
    let expected = (reach * 0.2618_f64.cos(), 0.17455 + reach * 0.2618_f64.sin());
    assert!((x - expected.0).abs() < 1e-5 && (z - expected.1).abs() < 1e-5, "{x} {z}, not {expected:?}");
    node.stop().await;
}

#[tokio::test]
async fn walls_and_the_track_cannot_be_moved_and_the_sun_shines_as_the_file_says() {
    let folder = TempFolder::new();
    let node = Node::showing_world(official_worlds(folder.path()), "vehicle_city").await;
    let scene = get(node.address, "/sim/api/scene").await.json();
    let track = model(&scene, "racetrack");
    assert_eq!((&track["type"], &track["kind"], &track["movable"]), (&json!("scenery"), &json!(null), &json!(false)));
    let wall = model(&scene, "wall_0");
    assert_eq!((&wall["type"], &wall["movable"]), (&json!("wall"), &json!(false)));
    assert_eq!(wall["pose"], json!({"x": 4.015, "y": 0.0, "z": 0.0, "q": [0.0, 0.0, 0.0, 1.0]}));
    assert_eq!(scene["light"]["direction"], json!([-0.4, 0.25, -0.88]));
    assert_eq!(scene["background"]["kind"], json!("sky"));
    assert_eq!(scene["shadow_plane"], json!(0.0));
    node.stop().await;
}

#[tokio::test]
async fn the_vehicle_has_four_wheels_two_of_which_steer() {
    let folder = TempFolder::new();
    let node = Node::showing_world(official_worlds(folder.path()), "vehicle_base").await;
    let vehicle = &get(node.address, "/sim/api/scene").await.json()["vehicle"];
    let measures = get(node.address, "/sim/api/vehicle").await.json();
    let wheels = vehicle["wheels"].as_array().expect("wheels");
    assert_eq!(wheels.len(), 4);
    for wheel in wheels {
        let [x, y, z]: [f64; 3] = serde_json::from_value(wheel["position"].clone()).expect("three numbers");
        assert_eq!(wheel["steerable"], json!(x > 0.0));
        assert_eq!(
            (json!(2.0 * x.abs()), json!(2.0 * y.abs())),
            (measures["wheelbase"].clone(), measures["track"].clone())
        );
        assert_eq!((json!(z), &wheel["radius"]), (measures["wheel_radius"].clone(), &measures["wheel_radius"]));
    }
    node.stop().await;
}

#[tokio::test]
async fn a_page_that_has_the_scene_is_not_sent_it_again() {
    let folder = TempFolder::new();
    let node = Node::showing_world(official_worlds(folder.path()), "vehicle_base").await;
    let first = get(node.address, "/sim/api/scene").await;
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = format!("If-None-Match: \"other\", W/{tag}\r\n");
    let again = exchange(node.address, &request("GET", "/sim/api/scene", &again, b"")).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    let other = exchange(node.address, &request("GET", "/sim/api/scene", "If-None-Match: \"other\"\r\n", b"")).await;
    assert_eq!((other.status, other.body), (200, first.body));
    node.stop().await;
}

#[tokio::test]
async fn without_a_world_there_is_no_scene() {
    let node = Node::showing(running()).await;
    let none = get(node.address, "/sim/api/scene").await;
    assert_eq!((none.status, none.code().as_str()), (404, "no_world_running"));
    node.stop().await;
}
