//! Track descriptions: what is wrong is said with its line, what is given is built.

use std::path::Path;

use sim_api::builder::{self, BuildError, Track};

use super::{build, square, text_of};

fn complaint(text: &str) -> String {
    match Track::parse(text, "track.yaml") {
        Err(err) => err.to_string(),
        Ok(track) => builder::build(&track, Path::new("."), "track.yaml").expect_err("it cannot be built").to_string(),
    }
}

#[test]
fn unknown_keys_are_refused_with_their_line() {
    let message = complaint(&square("fense: {}\n"));
    assert!(message.starts_with("track.yaml:7: unknown key `fense`"), "{message}");
    let message = complaint(&square("objects:\n  - {kind: box, at: [0, 0], colour: red}\n"));
    assert!(message.starts_with("track.yaml:8: unknown key `colour`"), "{message}");
}

#[test]
fn mistakes_are_explained() {
    let cases = [
        ("objects:\n  - {kind: box}\n", "it needs a place"),
        ("objects:\n  - {kind: box, at: [0, 0], height_m: 1}\n", "a box has no height_m"),
        ("objects:\n  - {kind: box, at: [9, 0]}\n", "outside the field"),
        ("objects:\n  - {kind: box, at: [0, 0], name: racetrack}\n", "is taken"),
        ("objects:\n  - {kind: box, at: [0, 0], name: wall_2}\n", "is taken"),
        ("objects:\n  - {kind: cone, at: [0, 0], name: a}\n  - {kind: box, at: [1, 0], name: a}\n", "twice"),
        ("objects:\n  - {kind: cone, at: [0, 0], color: red}\n", "no colour"),
        ("objects:\n  - {kind: cone, at: [0, 0], textures: {lid: a.png}}\n", "no part \"lid\""),
        ("decals:\n  - {kind: text, at: [0, 0]}\n", "a text needs its `text`"),
        ("decals:\n  - {kind: image, at: [0, 0], image: nowhere.png}\n", "cannot be read"),
        ("fence: {height_m: 0.1}\n", "fence.height_m is 0.1"),
        ("evaluation: {description: a, time_limit_s: 60, start_light: moon}\n", "no such light"),
    ];
    for (more, expected) in cases {
        let message = complaint(&square(more));
        assert!(message.contains(expected), "{more} gave {message}");
    }
}

#[test]
fn centre_lines_that_cannot_be_driven_are_refused() {
    let road = |road: &str| complaint(&format!("name: a\nsize_m: [5, 5]\nroad: {{width_m: 0.8, {road}}}\n"));
    let cases = [
        ("corners: [[0, 0], [1, 1]]", "three corners"),
        ("corners: [[-1, -1], [1, -1], [1, 1], [-1, 1]], corner_radius_m: 1.5", "apart, but their arcs need"),
        ("corners: [[-1, -1], [1, -1], [1, 1], [-1, 1]], corner_radius_m: 0.3", "the road bends with a radius"),
        ("corners: [[-3, -1], [3, -1], [3, 1], [-3, 1]]", "leaves the field"),
        ("corners: [[0, 0], [0, 0], [1, 1]]", "stands there twice"),
        ("spline: [[0, 0], [1, 0], [1, 1]]", "at least four points"),
        ("corners: [[.nan, 0], [1, 0], [1, 1]]", "a number that is none"),
        ("corner_radius_m: 1", "either corners or a spline"),
    ];
    for (text, expected) in cases {
        let message = road(text);
        assert!(message.contains(expected), "{text} gave {message}");
    }
}

#[test]
fn the_same_description_gives_the_same_bytes() {
    let text = square("objects:\n  - {kind: cone, along_m: 2, across_m: 0.3}\n");
    assert_eq!(build(&text).files, build(&text).files);
}

#[test]
fn objects_without_a_name_are_numbered_by_kind() {
    let built = build(&square(
        "objects:\n  - {kind: light, at: [0, 0]}\n  - {kind: box, at: [0, 1], name: box1}\n  - {kind: box, at: [1, 0]}\n",
    ));
    let world = text_of(&built, "worlds/square.world");
    for name in ["signal1", "box1", "box2"] {
        assert!(world.contains(&format!("<model name=\"{name}\">")), "{name}");
    }
}

#[test]
fn a_world_without_a_fence_has_no_walls() {
    let built = build(&square("fence: {enabled: false}\n"));
    assert!(!text_of(&built, "worlds/square.world").contains("wall"));
    assert!(built.files.get("meshes/square/fence.dae").is_none());
}

#[test]
fn a_spline_makes_a_closed_road() {
    let points = (0..8).map(|index| (f64::from(index) * std::f64::consts::FRAC_PI_4).sin_cos());
    let points: Vec<String> = points.map(|(sin, cos)| format!("[{:.4}, {:.4}]", 2.0 * cos, 2.0 * sin)).collect();
    let road = format!("{{width_m: 0.6, spline: [{}]}}", points.join(", "));
    let built = build(&format!("name: curve\nsize_m: [6, 6]\nroad: {road}\n"));
    assert!((12.0..13.0).contains(&built.route_length_m), "{}", built.route_length_m);
    assert!(built.tightest_radius_m > 1.0);
}

#[test]
fn a_folder_that_is_no_bundle_is_not_replaced() {
    let folder = std::env::temp_dir().join(format!("sim_builder_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    std::fs::write(folder.join("holiday.txt"), "sun").expect("a file");
    let built = build(&square(""));
    let outcome = built.files.write(&folder);
    assert!(matches!(outcome, Err(BuildError::InTheWay { .. })), "{outcome:?}");
    std::fs::remove_file(folder.join("holiday.txt")).expect("it is still there");
    built.files.write(&folder).expect("an empty folder is filled");
    built.files.write(&folder).expect("a bundle is replaced");
    assert!(super::differences(&built.files, &super::files_below(&folder)).is_empty());
    std::fs::remove_dir_all(&folder).expect("cleaning up");
}
