//! Claims about reading meshes. Fixtures: `tests/fixtures/mesh`.

mod hostile;

use std::path::PathBuf;

use sim_api::mesh::{self, Mesh, MeshError, Part};

pub fn fixture_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mesh")
}

fn companion(name: &str) -> Option<Vec<u8>> {
    std::fs::read(fixture_dir().join(name)).ok()
}

pub fn read(name: &str, bytes: &[u8]) -> Result<Mesh, MeshError> {
    mesh::read(name, bytes, &companion)
}

fn load(name: &str) -> Result<Mesh, MeshError> {
    read(name, &std::fs::read(fixture_dir().join(name)).expect("the fixture exists"))
}

/// By the divergence theorem: positive and right only for a closed surface whose triangles all face outwards.
fn volume(mesh: &Mesh) -> f32 {
    let of_part = |part: &Part| {
        let corner = |index: u32| nalgebra::Vector3::from(part.positions[index as usize]);
        let signed = |t: &[u32]| corner(t[0]).dot(&corner(t[1]).cross(&corner(t[2]))) / 6.0;
        part.indices.chunks(3).map(signed).sum::<f32>()
    };
    mesh.parts.iter().map(of_part).sum()
}

/// Everything that the module promises about any result.
#[track_caller]
pub fn assert_valid(mesh: &Mesh) {
    for part in &mesh.parts {
        let count = part.positions.len();
        assert!(part.normals.len() == count && part.uvs.len() == count);
        assert!(!part.indices.is_empty() && part.indices.len() % 3 == 0);
        assert!(part.indices.iter().all(|index| (*index as usize) < count));
        assert!(part.positions.iter().flatten().chain(part.uvs.iter().flatten()).all(|value| value.is_finite()));
        for normal in &part.normals {
            let length = normal.iter().map(|value| value * value).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
        }
        for triangle in part.indices.chunks(3) {
            let corner = |index: usize| nalgebra::Vector3::from(part.positions[triangle[index] as usize]).cast::<f64>();
            assert!((corner(1) - corner(0)).cross(&(corner(2) - corner(0))).norm() > 0.0);
        }
    }
}

#[track_caller]
fn assert_unit_cube(name: &str) {
    let mesh = load(name).unwrap();
    assert_valid(&mesh);
    assert_eq!(mesh.triangle_count(), 12, "{name}");
    assert!((volume(&mesh) - 1.0).abs() < 1e-6, "{name}: {}", volume(&mesh));
    let bounds = mesh.bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.0; 3], [1.0; 3]), "{name}");
}

#[test]
fn a_cube_is_a_cube_in_every_format() {
    for name in [
        "cube_triangles.dae",
        "cube_polylist.dae",
        "cube_polygons.dae",
        "cube_strips.dae",
        "cube_text.stl",
        "cube_binary.stl",
        "cube.obj",
    ] {
        assert_unit_cube(name);
    }
}

#[test]
fn normals_are_computed_where_the_file_has_none() {
    let mesh = load("cube_text.stl").unwrap();
    // Both triangles of the underside come first.
    assert_eq!(mesh.parts[0].normals[..6], [[0.0, 0.0, -1.0]; 6]);
}

fn size(mesh: &Mesh) -> [f32; 3] {
    let bounds = mesh.bounds().unwrap();
    std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis])
}

#[test]
fn y_up_comes_out_z_up() {
    // Its 2 m of height are along y; its z (3 m) points at the viewer, which is -y here.
    let mesh = load("y_up.dae").unwrap();
    let bounds = mesh.bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([0.0, -3.0, 0.0], [1.0, 0.0, 2.0]));
    assert!((volume(&mesh) - 6.0).abs() < 1e-5, "turned, not mirrored");
}

#[test]
fn x_up_comes_out_z_up() {
    let mesh = load("x_up.dae").unwrap();
    let bounds = mesh.bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([-2.0, -3.0, 0.0], [0.0, 0.0, 1.0]));
    assert!((volume(&mesh) - 6.0).abs() < 1e-5, "turned, not mirrored");
}

#[test]
fn units_become_metres() {
    assert_eq!(size(&load("centimetres.dae").unwrap()), [0.01; 3]);
}

#[test]
fn transforms_multiply_from_outside_in() {
    let mesh = load("transforms.dae").unwrap();
    assert_eq!(mesh.parts.len(), 2);
    // Scaled by (2, 2, 6), moved by 1 along x, turned by a quarter about z, moved by 10 along x.
    let first = mesh.submesh("inner", false).unwrap();
    assert_eq!(first.parts.len(), 2, "the node is shown twice");
    let bounds = Mesh { parts: vec![mesh.parts[0].clone()], warnings: vec![] }.bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), ([8.0, 1.0, 0.0], [10.0, 3.0, 6.0]));
    let copy = Mesh { parts: vec![mesh.parts[1].clone()], warnings: vec![] }.bounds().unwrap();
    assert_eq!((copy.min, copy.max), ([1.0, 0.0, 20.0], [3.0, 2.0, 26.0]));
}

#[test]
fn a_mirrored_cube_still_faces_outwards() {
    let mesh = load("mirrored.dae").unwrap();
    assert!((volume(&mesh) - 1.0).abs() < 1e-6);
    assert_eq!(mesh.bounds().unwrap().min, [-1.0, 0.0, 0.0]);
}

#[test]
fn submeshes_are_found_by_node_or_geometry_and_centred() {
    let mesh = load("y_up.dae").unwrap();
    assert_eq!(mesh.submesh("tower", false).as_ref().and_then(Mesh::bounds), mesh.bounds());
    let centred = mesh.submesh("cube", true).unwrap().bounds().unwrap();
    assert_eq!((centred.min, centred.max), ([-0.5, -1.5, -1.0], [0.5, 1.5, 1.0]));
    assert_eq!(mesh.submesh("absent", false), None);
}

#[test]
fn collada_materials_normals_and_texture_coordinates_are_read() {
    let mesh = load("materials.dae").unwrap();
    assert_valid(&mesh);
    assert_eq!(mesh.warnings, []);
    let [red, road] = mesh.parts.as_slice() else { panic!("two parts") };
    assert_eq!((red.name.as_str(), red.geometry.as_str()), ("body", "cube"));
    assert_eq!((red.material.name.as_str(), red.material.diffuse), ("Red", [1.0, 0.0, 0.0, 0.5]));
    assert_eq!(red.material.emissive, [0.5, 0.25, 0.0]);
    assert_eq!(red.material.texture, None);
    assert_eq!(red.positions.len(), 4, "corners that agree share a vertex");
    assert_eq!(red.normals, [[0.0, 0.0, -1.0]; 4], "given normals are brought to length 1");
    assert_eq!(road.material.texture.as_deref(), Some("textures/my road.png"));
    assert_eq!(road.material.diffuse, [1.0; 4], "the picture is the colour");
    assert!(road.uvs.contains(&[1.0, 1.0]) && road.uvs.contains(&[0.0, 1.0]));
    assert!(road.normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]), "a normal of length 0 is replaced");
}

#[test]
fn obj_materials_come_from_the_mtl_file() {
    let mesh = load("cube.obj").unwrap();
    assert_valid(&mesh);
    let [red, road] = mesh.parts.as_slice() else { panic!("two parts") };
    assert_eq!((red.name.as_str(), red.material.diffuse), ("cube", [1.0, 0.0, 0.0, 0.5]));
    assert_eq!(red.material.emissive, [0.0, 0.5, 0.0]);
    assert_eq!(road.material.texture.as_deref(), Some("textures/road.png"));
    assert_eq!(road.uvs[..3], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
    let bare = mesh::read("cube.obj", &companion("cube.obj").unwrap(), &|_| None).unwrap();
    let messages: Vec<&str> = bare.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[0].contains("there is no file \"cube.mtl\""));
}

#[test]
fn triangles_without_an_area_are_dropped() {
    assert_eq!(load("degenerate.dae").unwrap().triangle_count(), 1);
    let on_a_line = "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 0 1 0\nf 1 2 3\nf 1 2 4\n";
    assert_eq!(read("a.obj", on_a_line.as_bytes()).unwrap().triangle_count(), 1);
}

#[test]
fn pictures_on_the_exporters_machine_are_looked_for_beside_the_mesh() {
    let text = String::from_utf8(companion("materials.dae").unwrap()).unwrap();
    for (written, expected) in [
        ("C:\\Users\\me\\road.png", "road.png"),
        ("file:///home/me/road.png", "road.png"),
        ("/home/me/road.png", "road.png"),
        ("./a/road.png", "a/road.png"),
        ("..\\textures\\road.png", "../textures/road.png"),
    ] {
        let mesh = read("m.dae", text.replace("textures/my%20road.png", written).as_bytes()).unwrap();
        assert_eq!(mesh.parts[1].material.texture.as_deref(), Some(expected));
    }
}

#[test]
fn broken_meshes_are_refused_with_file_and_line() {
    let told = |name: &str| load(name).unwrap_err().to_string();
    assert_eq!(told("bad_index.dae"), "bad_index.dae:14: the index 99 is out of range: there are 8 positions");
    assert_eq!(told("bad_number.dae"), "bad_number.dae:19: \"nan\" is not a finite number");
    assert_eq!(told("bad_face.obj"), "bad_face.obj:5: the index 4 is out of range: there are 3 vertices");
    assert_eq!(told("nan.stl"), "nan.stl: \"NaN\" is not a finite number");
    let read_told = |name: &str, text: &str| read(name, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(read_told("a.fbx", ""), "a.fbx: only .dae, .stl and .obj are read; convert the file");
    assert!(read_told("a.dae", "<x/>").starts_with("a.dae:1: the outermost element is <x>"));
    assert!(read_told("a.dae", "<COLLADA/>").contains("there are no triangles in it"));
    assert_eq!(read_told("a.obj", "v 0 0\n"), "a.obj:1: these are 2 numbers and need 3");
    assert_eq!(read_told("a.obj", "v 0 0 0\nf 1 1\n"), "a.obj:2: a face has 2 corners and needs at least 3");
    assert!(read_told("a.obj", "v 0 0 1e39\n").contains(":1: \"1e39\" is not a finite number"));
    assert!(read_told("a.stl", "solid\nfacet\nvertex 0 0\n").contains("a.stl:3: \"\" is not a finite number"));
    assert!(read_told("a.stl", "solid\nfacet\n").contains("where endsolid should be"));
    assert!(read_told("a.stl", "solid\nwhat\n").contains("a.stl:2: \"what\" stands where"));
    assert!(read_told("a.obj", "v 0 0 0\nv 1e9 0 0\nv 0 1e9 0\nf 1 2 3\n").contains("a coordinate in metres"));
}
