//! What is broken is refused with file, line and a sentence that helps.

use sim_api::sdf::Uri;

use super::{load, read};

/// The message for a world with this inside; the inside starts in line 2.
fn fault(inside: &str) -> String {
    let text = format!("<sdf version='1.6'><world name='w'>\n{inside}\n</world></sdf>");
    read(&text).expect_err("the world is broken").to_string()
}

fn fault_in_link(inside: &str) -> String {
    fault(&format!("<model name='m'><link name='l'>\n{inside}\n</link></model>"))
}

#[track_caller]
fn assert_told(message: &str, line: u32, part: &str) {
    let start = format!("worlds/test.world:{line}: ");
    assert!(message.starts_with(&start) && message.contains(part), "{message}");
}

#[test]
fn numbers_must_be_finite_and_as_many_as_needed() {
    for word in ["one", "NaN", "inf", "-Infinity", "1e999", "1,5", "0x10", "1f"] {
        let message = fault_in_link(&format!("<pose>0 0 {word} 0 0 0</pose>"));
        assert_told(&message, 3, &format!("{word:?} in <pose> is not a finite number"));
    }
    assert_told(&fault_in_link("<pose>1 2 3</pose>"), 3, "has 3 numbers and needs 6: x y z roll pitch yaw");
    assert_told(&fault_in_link("<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>"), 3, "no length");
    assert_told(&fault_in_link("<pose rotation_format='axis'>0 0 0 0 0 0</pose>"), 3, "euler_rpy or quat_xyzw");
    assert_told(&fault_in_link("<pose>1e9 0 0 0 0 0</pose>"), 3, "it must be from");
    assert_told(&fault_in_link("<inertial><mass>-1</mass></inertial>"), 3, "<mass> is -1; it must be from 0");
    assert_told(&fault("<gravity>0 0</gravity>"), 2, "has 2 numbers and needs three");
    assert_told(&fault("<physics><max_step_size>0</max_step_size></physics>"), 2, "it must be from");
    assert_told(&fault("<scene><ambient>1 1</ambient></scene>"), 2, "has 2 numbers and needs 3 or 4");
    assert_told(&fault("<model name='m'><static>perhaps</static></model>"), 2, "not true or false");
}

#[test]
fn shapes_must_be_whole() {
    let shape = |shape: &str| fault_in_link(&format!("<collision name='c'>\n<geometry>{shape}</geometry></collision>"));
    assert_told(&fault_in_link("<collision name='c'/>"), 3, "<collision> has no <geometry>; add one");
    assert_told(&fault_in_link("<visual name='c'/>"), 3, "<visual> has no <geometry>; add one");
    assert_told(&shape(""), 4, "<geometry> has no shape");
    assert_told(&shape("<box/>"), 4, "<box> has no <size>");
    assert_told(&shape("<box><size>1 0 1</size></box>"), 4, "<size> is 0; it must be from");
    assert_told(&shape("<sphere><radius>-1</radius></sphere>"), 4, "<radius> is -1");
    assert_told(&shape("<cylinder><radius>1</radius></cylinder>"), 4, "<cylinder> has no <length>");
    assert_told(&shape("<mesh/>"), 4, "<mesh> has no <uri>");
    assert_told(&shape("<mesh><uri>a.dae</uri><scale>1 0 1</scale></mesh>"), 4, "0 leaves nothing");
    assert_told(&shape("<plane><normal>0 0 0</normal></plane>"), 4, "not a direction");
    assert_told(&shape("<sphere><radius>1</radius></sphere><sphere/>"), 4, "<geometry> is given twice");
    assert_told(&shape("<sphere><radius>1</radius>\n<radius>2</radius></sphere>"), 5, "<radius> is given twice");
}

#[test]
fn names_must_be_there_and_unique() {
    assert_told(&fault("<model/>"), 2, "<model> has no name; add name=");
    assert_told(&fault("<model name=''/>"), 2, "is empty");
    assert_told(&fault("<model name='__m__'/>"), 2, "is reserved by SDF");
    let twice = "the model name \"m\" is already used at worlds/test.world:2; rename one of the two";
    assert_told(&fault("<model name='m'/>\n<model name='m'/>"), 3, twice);
    assert_told(&fault_in_link("</link>\n<link name='l'>"), 4, "the link name \"l\" is already used");
    let sphere = "<geometry><sphere><radius>1</radius></sphere></geometry>";
    let two = format!("<visual name='v'>{sphere}</visual>\n<visual name='v'>{sphere}</visual>");
    assert_told(&fault_in_link(&two), 4, "the visual name \"v\" is already used");
    assert_told(&fault("<light name='a'/>\n<light name='a'/>"), 3, "the light name \"a\"");
}

#[test]
fn frames_must_exist_and_not_depend_on_themselves() {
    let message = fault("<model name='m'>\n<pose relative_to='nowhere'/><link name='l'/></model>");
    assert_told(&message, 2, "no frame, link or model called \"nowhere\"");
    let circle = "<model name='a'><pose relative_to='b'/></model><model name='b'><pose relative_to='a'/></model>";
    assert_told(&fault(circle), 2, "depends on itself");
    assert_told(&fault("<model name='a'><pose relative_to='a'/></model>"), 2, "depends on itself");
    assert_told(&fault_in_link("<pose relative_to='world'/>"), 2, "\"world\"");
    assert_told(&fault("<model name='m' placement_frame='x'><link name='l'/></model>"), 2, "\"x\"");
}

#[test]
fn the_file_must_be_sdf_of_a_known_version() {
    let told = |text: &str| read(text).unwrap_err().to_string();
    assert!(told("<robot name='r'/>").contains(":1: the outermost element is <robot>; an SDF file starts with"));
    assert!(told("<sdf version='1.3'><world name='w'/></sdf>").contains("SDF version \"1.3\" is not supported"));
    assert!(told("<sdf><world name='w'/></sdf>").contains("SDF version \"\" is not supported"));
    assert!(told("<sdf version='2.0'><world name='w'/></sdf>").contains("SDF version \"2.0\""));
    assert!(told("<sdf version='1.6'/>").contains("<sdf> has no <world>; add one"));
    assert!(told("").contains(":1: the XML is not well formed"));
    assert!(told("\n\n<sdf version='1.6'>\n<world name='w'>").contains(":4: the file ends inside <world>"));
    assert!(told("<sdf version='1.6'>\n<wor").contains(":2: the file ends inside a tag"));
    assert!(told("<sdf version='1.6'>\n</world></sdf>").contains(":2: the XML is not well formed"));
}

#[test]
fn included_files_must_exist_inside_the_folders_of_worlds() {
    let include = |uri: &str| fault(&format!("<include><uri>{uri}</uri></include>"));
    assert_told(&fault("<include/>"), 2, "<include> has no <uri>");
    assert_told(&include("model://absent"), 2, "model://absent/model.sdf is neither among the world's files");
    assert_told(&include("model://../../etc"), 2, "leaves the world's folder");
    assert_told(&include("../../secret.sdf"), 2, "leaves the world's folder");
    assert_told(&include("/etc/passwd"), 2, "is an absolute path");
    assert_told(&include("file:///etc/passwd"), 2, "is an absolute path");
    assert_told(&include("https://example.com/m.sdf"), 2, "is on the network");
    assert_told(&include("model://a\\..\\b"), 2, "backslash");
    assert_told(&include("C:/x.sdf"), 2, "colon");
    assert_told(&include("model://"), 2, "names no file");
    let message = load("include_loop.world").unwrap_err().to_string();
    assert_eq!(
        message,
        "models/loop_b/model.sdf:5: models/loop_a/model.sdf includes itself; remove one <include> of the circle"
    );
}

#[test]
fn paths_are_cleaned_and_never_climb_out() {
    let resolve = |raw: &str, base: &str| Uri::resolve(raw, base).map(|uri| uri.to_string());
    assert_eq!(resolve("a/./b//c.dae", "worlds/w.world").unwrap(), "worlds/a/b/c.dae");
    assert_eq!(resolve("../meshes/t.png", "models/m/model.sdf").unwrap(), "models/meshes/t.png");
    assert_eq!(resolve("model://m/x/../y.dae", "worlds/w.world").unwrap(), "model://m/y.dae");
    assert_eq!(resolve("file://meshes/t.dae", "worlds/w.world").unwrap(), "meshes/t.dae");
    for raw in ["../../x", "a/../../../x", "..", "", "x\u{0}y", "x\ny"] {
        assert!(resolve(raw, "worlds/w.world").is_err(), "{raw:?}");
    }
}
