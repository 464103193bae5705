//! From a description to a judged lap in the published world, with the commands of the how-to.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::judge::rig::Rig;
use crate::support::folder::TempFolder;
use crate::support::http::{get, post};
use crate::support::process::{SimUp, sim_command};

const TRACK: &str = "\
name: first_track
display: First track
size_m: [5, 5]
road:
  width_m: 0.9
  corner_radius_m: 0.8
  corners: [[-1.8, -1.8], [1.8, -1.8], [0, 1.8]]
objects:
  - {kind: cone, along_m: 3.2, across_m: -0.5}
evaluation:
  description: One lap against the clock.
  time_limit_s: 120
";

/// Runs `sim` and expects it to work.
fn sim(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Runs `sim` and expects it to refuse.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = sim_command(Path::new(env!("CARGO_BIN_EXE_sim")), folder);
    command.env("SIM_API_DATA", folder.join("data")).env("SIM_API_CONFIG", "/dev/null");
    command.args(args).output().expect("sim starts")
}

#[tokio::test]
async fn a_new_user_builds_publishes_installs_and_is_judged_in_a_world() {
    let folder = TempFolder::new();
    let track = folder.write("track.yaml", TRACK);
    sim(folder.path(), &["world", "build", track.to_str().unwrap(), "first_track"]);
    let id = sim(folder.path(), &["world", "publish", "first_track"]);
    assert_eq!(id.len(), 32, "{id}");

    let up = SimUp::start_plainly(folder);
    up.wait_for_log("The simulator is running");
    let api = |path: &str| format!("/sim/api/{path}");
    let current = get(up.address, &api("status")).await.json()["current"].clone();
    assert_eq!(current, "vehicle_base");
    let by_id = json!({"world_id": id}).to_string();
    let early = post(up.address, &api("switch"), &by_id).await;
    assert_eq!((early.status, early.code().as_str()), (404, "world_not_installed"));

    let installed = post(up.address, &api("worlds/install"), &by_id).await;
    assert_eq!(installed.status, 200, "{}", String::from_utf8_lossy(&installed.body));
    assert_eq!(installed.json()["cached"], json!(false));
    let switched = post(up.address, &api("switch"), &by_id).await;
    assert_eq!(switched.json()["world"], json!(format!("custom_{id}.world")));

    assert_eq!(get(up.address, &api("state")).await.json()["world_id"], json!(id));
    let world: Value = get(up.address, &api("world")).await.json();
    assert_eq!((&world["world_id"], &world["display"]), (&json!(id), &json!("First track")));
    assert_eq!((&world["evaluation"], &world["objects"]["cone1"]["movable"]), (&json!(true), &json!(true)));
    let publication = get(up.address, &api("worldpub")).await.json();
    assert_eq!((&publication["world_id"], &publication["rev"]), (&json!(id), &installed.json()["rev"]));
    assert_eq!(publication["cdn"], "http://localhost:1/cdn", "under the name that the client called");

    let rig = Rig { sim: up };
    let lap = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/howto/examples/lap_http.py");
    let command = format!("python3 {} --base http://{}", lap.display(), rig.sim.address);
    let session = rig.begin(json!({"command": command})).await;
    let record = rig.record_of(&session).await;
    assert_eq!((&record["outcome"], &record["world_id"]), (&json!("finished"), &json!(id)), "{record}");
    assert!(record["record"].as_f64().is_some_and(|lap_s| lap_s > 5.0), "{record}");

    let up = rig.sim;
    let folder = up.folder.path();
    sim(folder, &["world", "rename", &id, "Second name"]);
    let again = post(up.address, &api("worlds/install"), &by_id).await.json();
    assert_eq!(again["cached"], json!(true));
    let listed = get(up.address, &api("worlds")).await.json();
    let shown = listed["worlds"].as_array().unwrap().iter().find(|entry| entry["world_id"] == json!(id)).unwrap();
    assert_eq!(shown["display"], "Second name");
}

#[test]
fn published_worlds_are_listed_renamed_and_closed_and_mistakes_are_explained() {
    let folder = TempFolder::new();
    let path = folder.path();
    let track = folder.write("track.yaml", TRACK);
    sim(path, &["world", "build", track.to_str().unwrap(), "bundle"]);
    assert_eq!(sim(path, &["world", "list"]), "");
    let first = sim(path, &["world", "publish", "bundle"]);
    let second = sim(path, &["world", "publish", "bundle", "--name", "Closed", "--access", "private"]);
    assert_ne!(first, second, "each time a new ID");
    let line = |id: &str| {
        let list = sim(path, &["world", "list"]);
        list.lines().find(|line| line.starts_with(id)).unwrap_or_else(|| panic!("{id} in {list}")).to_owned()
    };
    assert!(line(&first).contains("public") && line(&first).ends_with("First track"));
    assert!(line(&second).contains("private") && line(&second).ends_with("Closed"));
    sim(path, &["world", "rename", &second.to_uppercase(), "Open"]);
    sim(path, &["world", "access", &second, "public"]);
    assert!(line(&second).contains("public") && line(&second).ends_with("Open"));

    for (args, wanted) in [
        (&["world", "publish", "track.yaml"][..], "`sim world build TRACK BUNDLE` makes it"),
        (&["world", "publish", "nowhere"], "is not a folder"),
        (&["world", "publish", "data"], "no file worlds/*.world"),
        (&["world", "rename", "x", "y"], "`sim world list` shows the IDs"),
        (&["world", "rename", &"0".repeat(32), "y"], "`sim world list` shows what is published"),
        (&["world", "rename", &first, " \t "], "sim: a name must have at least one visible character"),
        (&["world", "access", &first, "everybody"], "possible values: public, private"),
        (&["world", "list", "--cdn", "track.yaml"], "cannot use track.yaml/worlds: Not a directory"),
    ] {
        let message = refused(path, args);
        assert!(message.contains(wanted), "{args:?}: {message}");
        assert!(message.matches("os error").count() <= 1, "a cause is told once: {message}");
    }
}
