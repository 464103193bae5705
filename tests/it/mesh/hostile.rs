//! Nothing that a file holds makes the readers crash, hang or grow without bound.

use std::fmt::Write;

use sim_api::mesh::limits;

use super::{assert_valid, fixture_dir, load, read};
use crate::mutation::{Mutator, rounds};

fn told(name: &str, bytes: &[u8]) -> String {
    read(name, bytes).expect_err("the mesh is refused").to_string()
}

const TRIANGLE: &str = "<library_geometries><geometry id='g'><mesh>
  <source id='s'><float_array id='a' count='9'>0 0 0 1 0 0 0 1 0</float_array></source>
  <vertices id='v'><input semantic='POSITION' source='#s'/></vertices>
  <triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>";

fn scene_of(nodes: &str) -> Vec<u8> {
    let scene = format!("<library_visual_scenes><visual_scene id='vs'>{nodes}</visual_scene></library_visual_scenes>");
    format!("<COLLADA>{TRIANGLE}{scene}</COLLADA>").into_bytes()
}

#[test]
fn nodes_that_contain_each_other_are_refused() {
    assert!(load("node_loop.dae").unwrap_err().to_string().contains("the nodes of the scene contain each other"));
}

#[test]
fn instances_that_multiply_are_refused() {
    // Each node shows the next one four times: 4^20 triangles.
    let mut nodes = String::new();
    for number in 0..20 {
        let next = format!("<instance_node url='#n{}'/>", number + 1);
        write!(nodes, "<node id='n{number}'>{}</node>", next.repeat(4)).unwrap();
    }
    nodes.push_str("<node id='n20'><instance_geometry url='#g'/></node>");
    let message = told("a.dae", &scene_of(&nodes));
    assert!(message.contains("more than 10000 parts") || message.contains("elements in the scene"), "{message}");
    // The same without anything to show.
    let message = told("a.dae", &scene_of(&nodes.replace("<instance_geometry url='#g'/>", "<a/>")));
    assert!(message.contains("elements in the scene"), "{message}");
}

#[test]
fn entities_and_deep_nesting_are_refused() {
    let bomb = b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>\n<COLLADA>&a;</COLLADA>";
    assert!(told("a.dae", bomb).starts_with("a.dae:1: document type declarations"));
    assert!(told("a.dae", "<node    >".repeat(1_000_000).as_bytes()).contains("nested more than 128 deep"));
}

#[test]
fn counts_in_the_file_are_not_believed() {
    // A count of four thousand million triangles in a file of 84 bytes.
    let mut bytes = vec![0; 80];
    bytes.extend(u32::MAX.to_le_bytes());
    assert!(told("a.stl", &bytes).contains("the file is cut off"));
    assert!(told("a.stl", b"").contains("the file is cut off"));
    let accessor =
        "<technique_common><accessor source='#a' count='18446744073709551615' stride='3'/></technique_common>";
    let text = TRIANGLE.replace("</float_array>", &format!("</float_array>{accessor}"));
    let message = told("a.dae", format!("<COLLADA>{text}</COLLADA>").as_bytes());
    assert!(message.contains("the values of this list are 9 numbers and need more"), "{message}");
    for (old, new) in [("offset='0'", "offset='99999999999'"), ("offset='0'", "offset='60'"), ("0 1 2", "0 1 -2")] {
        let text = TRIANGLE.replace(old, new);
        assert!(read("a.dae", format!("<COLLADA>{text}</COLLADA>").as_bytes()).is_err());
    }
}

#[test]
fn many_triangles_are_refused() {
    let mut bytes = vec![0; 80];
    let count = limits::MAX_TRIANGLES as u32 + 1;
    bytes.extend(count.to_le_bytes());
    bytes.resize(84 + count as usize * 50, 0);
    assert!(told("a.stl", &bytes).contains("more than 500000 triangles"));
    let mut obj = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    obj.push_str(&"f 1 2 3\n".repeat(limits::MAX_TRIANGLES + 1));
    assert!(told("a.obj", obj.as_bytes()).contains("more than 500000 triangles"));
}

#[test]
fn many_corners_at_one_position_are_quick() {
    // A fan about one vertex, every corner with another normal: a search through all of them would take minutes.
    let count = 100_000;
    let mut obj = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for number in 1..=count {
        writeln!(obj, "vn 0 {number} 1").unwrap();
    }
    for number in 1..=count {
        writeln!(obj, "f 1//{number} 2//1 3//1").unwrap();
    }
    let mesh = read("a.obj", obj.as_bytes()).unwrap();
    assert_eq!(mesh.triangle_count(), count);
}

#[test]
fn extreme_numbers_give_valid_meshes_or_errors() {
    for number in ["1e-45", "1e38", "-1e38", "3.4e38", "1e-20", "99999", "100001"] {
        for text in [
            format!("v 0 0 0\nv {number} 0 0\nv 0 {number} 0\nf 1 2 3\n"),
            format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn {number} {number} 0\nf 1//1 2//1 3//1\n"),
        ] {
            if let Ok(mesh) = read("a.obj", text.as_bytes()) {
                assert_valid(&mesh);
            }
        }
        let scale = format!("<node><scale>{number} {number} 1</scale><instance_geometry url='#g'/></node>");
        if let Ok(mesh) = read("a.dae", &scene_of(&scale)) {
            assert_valid(&mesh);
        }
    }
}

#[test]
fn damaged_meshes_are_read_or_refused() {
    let mut files: Vec<_> = std::fs::read_dir(fixture_dir()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 15);
    for (number, file) in files.iter().enumerate() {
        let original = std::fs::read(file).unwrap();
        // A damaged .mtl is read through the .obj that names it.
        let name = file.file_name().unwrap().to_str().unwrap();
        for round in 0..rounds(1_000) {
            let damaged = Mutator::new(number as u64 * 1_000_003 + round).damage(&original);
            let outcome = if name.ends_with(".mtl") {
                let obj = std::fs::read(fixture_dir().join("cube.obj")).unwrap();
                sim_api::mesh::read("cube.obj", &obj, &|_| Some(damaged.clone()))
            } else {
                read(name, &damaged)
            };
            if let Ok(mesh) = outcome {
                assert_valid(&mesh);
            }
        }
    }
}
